"""Rank-biased overlap: by hand, against the definition, and its bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.metrics.rank_biased_overlap import rank_biased_overlap

RANKINGS = st.permutations(range(12)).map(lambda drawn: drawn[:8])


def test_by_hand() -> None:
    """Of three ranks: nothing, then one of two, then all of three in common; weights 1, 1/2, 1/4."""
    assert rank_biased_overlap("abc", "bca", p=0.5) == pytest.approx((0 + 0.5 * 0.5 + 0.25 * 1) / 1.75)


@given(RANKINGS, RANKINGS)
def test_it_is_the_weighted_mean_of_the_shared_shares(left: list[int], right: list[int]) -> None:
    """As the definition says, with sets at every depth; and the same from either side."""
    depths = range(1, 9)
    weights = [0.9 ** (depth - 1) for depth in depths]
    shares = [len(set(left[:depth]) & set(right[:depth])) / depth for depth in depths]
    expected = sum(weight * share for weight, share in zip(weights, shares, strict=True)) / sum(weights)
    assert rank_biased_overlap(left, right) == pytest.approx(expected)
    assert rank_biased_overlap(right, left) == pytest.approx(expected)


def test_bounds() -> None:
    """Equal rankings have 1, such as share nothing 0; two empty ones are equal."""
    assert rank_biased_overlap("abc", "abc") == pytest.approx(1.0)
    assert rank_biased_overlap("abc", "xyz") == 0.0
    assert rank_biased_overlap("", "") == 1.0


def test_rankings_of_different_depths_are_refused() -> None:
    """They cannot be compared at every depth."""
    with pytest.raises(ValueError, match="zip"):
        rank_biased_overlap("ab", "a")
