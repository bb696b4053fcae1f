"""The threshold of postings: the best F0.5, by hand and against every other threshold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.linking.posting_weights import best_threshold


def f_half(top: NDArray[np.float64], correct: NDArray[np.bool_], answerable: int, threshold: float) -> float:
    """Return F0.5 when titles from a threshold on are linked: 1.25 P R / (0.25 P + R)."""
    linked = top >= threshold
    hits = float((correct & linked).sum())
    if not hits:
        return 0.0
    precision, recall = hits / linked.sum(), hits / answerable
    return 1.25 * precision * recall / (0.25 * precision + recall)


def test_best_threshold_by_hand() -> None:
    """Of .9 right, .8 right, .7 wrong, .6 right, .2 wrong, with 4 answerable titles.

    F0.5 = 1.25 hits / (linked + 0.25 * 4): 1.25/2 = .625, 2.5/3 = .833, 2.5/4, 3.75/5 = .75, 3.75/6.
    """
    top = np.array([0.6, 0.9, 0.2, 0.8, 0.7])
    correct = np.array([True, True, False, True, False])
    threshold, f_measure = best_threshold(top, correct, 4)
    assert threshold == 0.8
    assert f_measure == pytest.approx(2.5 / 3)


def test_precision_counts_double() -> None:
    """One sure hit among four answerable titles beats four hits among nine linked: 1.25/2 against 5/10."""
    top = np.array([0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4])
    correct = np.array([True, False, False, False, False, False, True, True, True])
    assert best_threshold(top, correct, 4) == (0.9, pytest.approx(0.625))


def test_nothing_right_gives_a_measure_of_zero() -> None:
    """Also where no title has an answer at all."""
    top = np.array([0.9, 0.5])
    assert best_threshold(top, np.array([False, False]), 0)[1] == 0.0


@given(st.lists(st.tuples(st.floats(0.001, 1), st.booleans()), min_size=1, max_size=30, unique_by=lambda t: t[0]))
@settings(max_examples=200, deadline=None)
def test_no_other_threshold_is_better(titles: list[tuple[float, bool]]) -> None:
    """Every other title's probability is tried as a threshold, by the textbook's formula."""
    top, correct = (np.array(column) for column in zip(*titles, strict=True))
    answerable = int(correct.sum()) + 2
    threshold, f_measure = best_threshold(top, correct, answerable)
    assert f_measure == pytest.approx(f_half(top, correct, answerable, threshold))
    assert all(f_half(top, correct, answerable, other) <= f_measure + 1e-9 for other in top)


def test_equal_probabilities_are_linked_together() -> None:
    """Two titles of .9, one right: linking from .9 links both, so F0.5 is 1.25 / (2 + .25), not 1.25 / (1 + .25)."""
    top, correct = np.array([0.9, 0.9]), np.array([True, False])
    threshold, f_measure = best_threshold(top, correct, 1)
    assert f_measure == pytest.approx(f_half(top, correct, 1, threshold))
