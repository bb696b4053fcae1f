"""Counts of a list of links by probability, and the time left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.linking.link_counts import ProbabilityBin, count_probabilities, seconds_left


def test_probabilities_are_counted_in_bins() -> None:
    """Four bins of a quarter; a boundary belongs to the bin that it begins, and 1 to the last."""
    assert count_probabilities([0.0, 0.1, 0.25, 0.74, 1.0], n_bins=4) == [
        ProbabilityBin(0.0, 0.25, 2),
        ProbabilityBin(0.25, 0.5, 1),
        ProbabilityBin(0.5, 0.75, 1),
        ProbabilityBin(0.75, 1.0, 1),
    ]
    assert [each.count for each in count_probabilities([])] == [0] * 20


@given(st.lists(st.floats(0, 1)), st.integers(1, 30))
def test_every_probability_is_in_one_bin(probabilities: list[float], n_bins: int) -> None:
    """The bins follow each other from 0 to 1."""
    bins = count_probabilities(probabilities, n_bins=n_bins)
    assert sum(each.count for each in bins) == len(probabilities)
    assert [each.start for each in bins] + [1.0] == [0.0] + [each.end for each in bins]


@pytest.mark.parametrize(("done", "total", "left"), [(25, 100, 30.0), (100, 100, 0.0), (0, 100, None)])
def test_time_left(done: int, total: int, left: float | None) -> None:
    """A quarter took 10 seconds, so the rest takes 30; nothing done says nothing."""
    assert seconds_left(done, total, 10.0) == left
