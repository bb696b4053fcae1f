"""The orders of figure 3: every batch once, in the order that each schedule promises."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.search.schedules import SCHEDULES, proportional, random_read, sequential

COUNTS = st.lists(st.integers(0, 20), max_size=5)


@pytest.mark.parametrize("name", list(SCHEDULES))
@given(counts=COUNTS, seed=st.integers(0, 99))
def test_every_batch_once(name: str, counts: list[int], seed: int) -> None:
    """By each schedule, the same by the same seed."""
    order = SCHEDULES[name](counts, np.random.default_rng(seed))  # type: ignore[index]
    assert Counter(order) == Counter({task: count for task, count in enumerate(counts) if count})
    assert order == SCHEDULES[name](counts, np.random.default_rng(seed))  # type: ignore[index]


def test_sequential_by_hand() -> None:
    """One task after the other."""
    assert sequential([2, 0, 3], np.random.default_rng(1)) == [0, 0, 2, 2, 2]


def test_random_ends_with_the_largest() -> None:
    """Small tasks are soon read; then the batches of the largest remain, as in the paper."""
    order = random_read([5, 200], np.random.default_rng(1))
    assert set(order[-150:]) == {1}


@given(counts=st.lists(st.integers(1, 20), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_proportional_keeps_the_shares(counts: list[int], seed: int) -> None:
    """At every step each task has been read in proportion to its size, to within one batch."""
    order = proportional(counts, np.random.default_rng(seed))
    for task, count in enumerate(counts):
        places = [step for step, each in enumerate(order) if each == task]
        gaps = np.diff([-1, *places, len(order)])
        assert max(gaps) <= 2 * len(order) / count + len(counts)
