"""Rank-biased overlap and changes of rank."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.metrics.rank_overlap import RankChange, rank_biased_overlap, rank_change


def test_a_worked_example() -> None:
    """X_1 = 0, X_2 = 2: (1 - p) / p (0 + 2/2 p^2) + 2/2 p^2 = 0.5 + ... with p = 0.5: 0.25 + 0.25 = 0.5."""
    assert rank_biased_overlap("ab", "ba", 0.5) == pytest.approx(0.5)


def test_equal_and_disjoint_rankings() -> None:
    """1 and 0, also for lists of different lengths: the overlap seen goes on."""
    assert rank_biased_overlap("abcd", "abcd") == pytest.approx(1)
    assert rank_biased_overlap("abcd", "ab") == pytest.approx(1)
    assert rank_biased_overlap("abcd", "wxyz") == 0
    assert rank_biased_overlap("", "") == 1
    assert rank_biased_overlap("", "a") == 0


@pytest.mark.parametrize("lengths", [(8, 8), (5, 9)])
def test_it_equals_the_naive_formula(lengths: tuple[int, int]) -> None:
    """Equation 32, term by term with sets."""
    random = np.random.default_rng(3)
    short, long = (random.permutation(12)[:length].tolist() for length in lengths)
    s, n, p = len(short), len(long), 0.9

    def common(d: int) -> int:
        return len(set(short[:d]) & set(long[:d]))

    total = sum(common(d) / d * p**d for d in range(1, n + 1))
    total += sum(common(s) * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    expected = (1 - p) / p * total + ((common(n) - common(s)) / n + common(s) / s) * p**n
    assert rank_biased_overlap(short, long, p) == pytest.approx(expected)
    assert rank_biased_overlap(long, short, p) == pytest.approx(expected)


@given(st.permutations(range(120)), st.permutations(range(120)))
def test_a_hundred_ranks_leave_little_to_extrapolate(left: list[int], right: list[int]) -> None:
    """The weighted mean of the shares seen is the same to four digits, in which older notes are written."""
    weights = [0.9**depth for depth in range(1, 101)]
    shares = [len(set(left[:depth]) & set(right[:depth])) / depth for depth in range(1, 101)]
    seen = sum(weight * share for weight, share in zip(weights, shares, strict=True)) / sum(weights)
    assert rank_biased_overlap(left[:100], right[:100]) == pytest.approx(seen, abs=5e-5)


def test_rank_changes_of_the_first() -> None:
    """1 and 2 swap places, 3 falls by two: (1 + 1 + 2) / 3; one of three leaves."""
    assert rank_change([1, 2, 3, 4, 5], [2, 1, 4, 5, 3], 3) == RankChange(pytest.approx(4 / 3), pytest.approx(1 / 3))
