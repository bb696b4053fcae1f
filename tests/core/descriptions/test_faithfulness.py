"""Leaving sentences out, and ranks."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.faithfulness import leave_one_out_shifts, rank_correlation
from jobmatch_core.entities import FloatArray
from tests.core.descriptions.made_postings import WordEncoder, made_postings


def sums(postings: Sequence[FloatArray]) -> FloatArray:
    """Sum the sentences up; an aggregator that can be reckoned by hand."""
    return np.array([each.sum(axis=0) for each in postings], dtype=np.float32)


def test_shifts_by_hand() -> None:
    """East, east, north: (2, 1) without an east is (1, 1), cosine 3 / sqrt(10); without north (2, 0), 2 / sqrt(5)."""
    sentences = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    expected = [1 - 3 / 10**0.5, 1 - 3 / 10**0.5, 1 - 2 / 5**0.5]
    assert leave_one_out_shifts(sums, sentences).tolist() == pytest.approx(expected, abs=1e-6)


def test_no_sentence_and_one() -> None:
    """Without its only sentence a posting says nothing: as far away as what has nothing to do with it."""
    assert leave_one_out_shifts(sums, np.empty((0, 2), dtype=np.float32)).shape == (0,)
    assert leave_one_out_shifts(sums, np.array([[1, 0]], dtype=np.float32)).tolist() == [1]


def test_equals_a_naive_loop_over_a_model() -> None:
    """One posting after the other, each without one sentence."""
    model = DescriptionModel(WordEncoder(), "words", "sentence-max")
    for posting in made_postings(4):
        found = model.describe(posting)
        naive = []
        for place in range(len(found.segments)):
            lines = posting.description.split("\n")
            del lines[place]
            [other] = model.encode_postings([type(posting)("", "", "\n".join(lines))])
            naive.append(1 - other @ found.vector)
        assert leave_one_out_shifts(model.aggregate, found.sentences).tolist() == pytest.approx(naive, abs=1e-5)


NUMBERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20)


@given(NUMBERS)
def test_ranks_as_scipy(pairs: list[tuple[int, int]]) -> None:
    """With ties; None where scipy would have no number."""
    left, right = np.array(pairs, dtype=np.float32).T
    found = rank_correlation(left, right)
    if len(set(left)) == 1 or len(set(right)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(left, right).statistic)


def test_ranks_by_hand() -> None:
    """The same order, the reverse, and too few."""
    up = np.array([1, 2, 9], dtype=np.float32)
    assert rank_correlation(up, up**2) == pytest.approx(1)
    assert rank_correlation(up, -up) == pytest.approx(-1)
    assert rank_correlation(up[:1], up[:1]) is None
    with pytest.raises(ValueError, match="as many of one"):
        rank_correlation(up, up[:2])
