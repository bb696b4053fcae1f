"""Features of candidates: what a sentence with a skill's name gives, against a naive computation."""

import numpy as np
import pytest

from jobmatch_core.descriptions.skill_features import FEATURES, sentence_skills
from tests.core.descriptions.test_skill_index import INDEX, name_of
from tests.core.descriptions.test_skill_spans import tagger_of

TAGGER = tagger_of("sorting", "pages")


def test_a_named_skill_is_ahead() -> None:
    """Its name is covered, and of all candidates it is the most alike; the words that mean it are the name."""
    found = sentence_skills(INDEX, TAGGER, "You are good at sorting pages.")
    skill = [name_of(number) for number in found.skills].index("sorting pages")
    columns = dict(zip(FEATURES, found.features.T, strict=True))
    assert columns["covered"][skill] == pytest.approx(1, abs=1e-5)
    for feature in ("likeness", "span means it", "span means it by meaning", "meaning of the preferred name"):
        assert columns[feature].argmax() == skill
    assert found.spans[found.best[skill]].text == "sorting pages"


def test_likeness_is_the_best_of_spans_and_names() -> None:
    """The sum of three cosines, over every span and every name of a skill."""
    found = sentence_skills(INDEX, TAGGER, "sorting pages")
    [skill] = [place for place, number in enumerate(found.skills) if name_of(number) == "sorting pages"]
    names = INDEX.names_of(found.skills[skill : skill + 1])
    texts = INDEX.encode([span.text for span in found.spans])
    naive = INDEX.letters(texts, names) + INDEX.words(texts, names) + INDEX.meaning(texts, names)
    assert found.features[skill, FEATURES.index("likeness")] == pytest.approx(naive.max(), abs=1e-5)


def test_a_sentence_without_words_has_no_candidates() -> None:
    """No span, no skill."""
    found = sentence_skills(INDEX, TAGGER, "...")
    assert found.features.shape == (0, len(FEATURES))
    assert np.array_equal(found.skills, found.best)
