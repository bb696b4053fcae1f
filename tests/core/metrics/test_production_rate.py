"""The production rate: by hand, beside a loop over thresholds, and on the other half."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.metrics.production_rate import NEVER, production_rates


def test_ten_titles_by_hand() -> None:
    """The first wrong code is the sixth of eight: at 20 % seven are coded, at 10 % five."""
    scores = np.array([0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.0, 0.0])
    right = np.array([1, 1, 1, 1, 1, 0, 1, 0, 1, 1], dtype=bool)
    halves = np.arange(10) % 2 == 0
    ten, twenty = production_rates(scores, right, halves, (0.1, 0.2))
    assert (ten.rate, ten.threshold) == (0.5, 0.6)
    assert (twenty.rate, twenty.threshold) == (0.7, 0.4)
    # even titles give the threshold 0.4, which codes 1, 3 and 5 (wrong); odd titles give 0.7, which codes 0 and 2
    assert (ten.new_rate, ten.new_error) == (0.5, 0.2)


def test_equal_scores_are_coded_together() -> None:
    """Half of the codes of one score are wrong, so that none of them is used."""
    [point] = production_rates(np.array([0.5, 0.5]), np.array([True, False]), np.array([True, False]), (0.1,))
    assert (point.rate, point.threshold, point.low, point.new_rate) == (0.0, NEVER, 0.0, 0.5)


def test_no_title_of_the_other_half_is_coded() -> None:
    """Then there is no share of wrong codes."""
    [point] = production_rates(np.array([0.5, 0.4]), np.array([False, False]), np.array([True, False]), (0.1,))
    assert (point.new_rate, point.new_error) == (0.0, None)


def test_no_titles() -> None:
    """There is no rate of nothing."""
    with pytest.raises(ValueError, match="no titles"):
        production_rates(np.zeros(0), np.zeros(0, bool), np.zeros(0, bool))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30), st.sampled_from((0.01, 0.1, 0.3))
)
def test_as_a_loop_over_thresholds(titles: list[tuple[int, bool]], error: float) -> None:
    """No threshold codes more at this error, and the interval holds the rate of a share of the titles."""
    scores, right = np.array([score for score, _ in titles]) / 5, np.array([flag for _, flag in titles])
    [point] = production_rates(scores, right, np.arange(len(titles)) % 2 == 0, (error,))
    best = 0
    for threshold in set(scores[scores > 0].tolist()):
        coded = scores >= threshold
        if (~right[coded]).sum() <= error * coded.sum():
            best = max(best, int(coded.sum()))
    assert point.rate == best / len(titles)
    assert 0 <= point.low <= point.high <= 1
    assert (point.threshold == NEVER) == (best == 0)
