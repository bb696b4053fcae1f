"""Two search encoders on the same searches: worked examples, ties, weights, and the verdict."""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.comparisons import Outcome, headline
from jobmatch_core.retraining.search_retraining import SearchTest, compare_search, reciprocal_ranks, search_test
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

DOCUMENTS = ("a", "b", "c", "d")
RIGHT = [TextPair(text, text) for text in DOCUMENTS]


class Known:
    """Knows some letters, each as a direction of its own."""

    dimension = 4

    def __init__(self, known: str) -> None:
        self.name, self._known = known, known

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one direction a letter; zeros for others."""
        return np.array([[letter == text and letter in self._known for letter in DOCUMENTS] for text in texts], float)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return the same as for documents."""
        return self.encode(texts)


def test_equally_near_documents_share_the_mean_rank() -> None:
    """What is unknown is as near to all four: (1 + 2 + 3 + 4) / 4."""
    assert reciprocal_ranks(Known("ab"), RIGHT, DOCUMENTS).tolist() == [1, 1, 1 / 2.5, 1 / 2.5]
    assert reciprocal_ranks(Known("ab"), [], DOCUMENTS).shape == (0,)


def test_choices_count_by_their_weights() -> None:
    """A choice of weight 3 of four of mean weight 1.5 counts twice; what was not corrected stands beside it."""
    choices = [TextPair(text, text, weight=3.0 if text == "a" else 1.0) for text in DOCUMENTS]
    found = compare_search(Known("bcd"), Known("abcd"), SearchTest(choices, DOCUMENTS, RIGHT[:2]))
    opened, names = found.parts
    by_figure = {each.figure: (each.before, each.after) for each in opened.changes}
    assert by_figure["chosen_plain"] == pytest.approx(((1 / 2.5 + 3) / 4, 1))
    assert by_figure["chosen"] == pytest.approx(((3 * 1 / 2.5 + 3) / 6, 1))
    assert (names.kind, names.changes[0].before) == ("kept", pytest.approx((1 / 1.5 + 1) / 2))


def test_the_verdict_is_that_of_the_choices() -> None:
    """However many names are measured; without choices there is none."""
    pairs = RIGHT * 10
    worse_names = compare_search(Known("a"), Known("abcd"), SearchTest(pairs, DOCUMENTS, pairs * 20))
    assert headline(worse_names).part == worse_names.parts[0]
    assert headline(worse_names).outcome is Outcome.BETTER
    assert headline(compare_search(Known("a"), Known("b"), SearchTest([], (), pairs))).part is None


def test_names_are_of_other_languages_and_the_same_each_time() -> None:
    """Each with the English name of its occupation."""
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    names = search_test([], [], taxonomy).names
    assert names == search_test(RIGHT, [], taxonomy).names
    assert len(names) == 500
    english = {taxonomy.name(number, "en") for number in taxonomy.occupation_numbers}
    assert {pair.document for pair in names} <= english
    assert all(pair.query.casefold() != pair.document.casefold() for pair in names)
