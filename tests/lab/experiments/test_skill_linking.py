"""Figures of skill linking: R-precision by hand, simple rankings, skills found."""

import pytest

from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from lab.experiments.skill_linking import (
    FoundFigures,
    found_figures,
    measure,
    preferred_numbers,
    r_precision,
    rank_by_extractor,
    rank_by_letters,
    rank_by_meaning,
)
from lab.shipping.skill_span_files import LinkedSentence
from tests.made_taxonomy import skilled_taxonomy

TAXONOMY = skilled_taxonomy()
EXTRACTOR = SkillExtractor.open(TAXONOMY)
SENTENCE = "You have experience in weighing fields."


@pytest.mark.parametrize(("k", "expected"), [(1, 0.0), (2, 0.5), (3, 1.0), (10, 1.0)])
def test_r_precision_by_hand(k: int, expected: float) -> None:
    """Right are the second and the third: none of 1, one of 2, both of 2 from the third on."""
    assert r_precision([7, 4, 5, 9], frozenset({4, 5}), k) == expected


def test_measured_over_sentences_with_a_skill() -> None:
    """The mean of 1 and 0; the sentence without a skill does not count."""
    row = measure("tech", "made", [[1], [2], [3]], [frozenset({1}), frozenset({1}), frozenset()])
    assert (row.sentences, row.r_precision) == (2, (0.5, 0.5, 0.5))


def test_every_ranking_finds_a_name() -> None:
    """By letters, by meaning and by the extractor, the named skill is first."""
    right = preferred_numbers(TAXONOMY)["weighing fields"]
    rankings = (
        rank_by_letters(TAXONOMY, [SENTENCE], all_names=False),
        rank_by_letters(TAXONOMY, [SENTENCE], all_names=True),
        rank_by_meaning(EXTRACTOR.index, ["weighing fields"]),
        rank_by_extractor(EXTRACTOR, [SENTENCE]),
    )
    assert [ranking[0][0] for ranking in rankings] == [right] * 4
    assert all(len(ranking[0]) == 10 for ranking in rankings)


def test_found_skills_are_counted() -> None:
    """Precision is over the found ones, recall over the linked ones; nothing is divided by zero."""
    right = preferred_numbers(TAXONOMY)["weighing fields"]
    sentences = [LinkedSentence(SENTENCE, frozenset()), LinkedSentence("...", frozenset())]
    figures = found_figures(EXTRACTOR, sentences, [frozenset({right}), frozenset({right})])
    assert (figures.sentences, figures.right, figures.linked, figures.recall) == (2, 1, 2, 0.5)
    assert figures.precision == 1 / figures.found
    assert (FoundFigures(1, 0, 0, 0).precision, FoundFigures(1, 0, 0, 0).recall) == (0, 0)
