"""Intervals of a share that hold at every look."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from jobmatch_core.metrics.sequential import EVEN, LEVEL, observations_needed, share_interval

COUNTS = st.integers(0, 300)


def mixture(wins: int, losses: int, share: float) -> float:
    """Return the likelihood under a uniform mixture of shares, by a sum, over that under one share."""
    shares = (np.arange(20_000) + 0.5) / 20_000
    n = wins + losses
    return float(np.mean(binom.pmf(wins, n, shares)) / binom.pmf(wins, n, share))


def test_a_run_of_wins_by_hand() -> None:
    """After n wins the mixture is 1 / (n + 1) against p ** n: seven wins do not exclude a half, eight do."""
    assert share_interval(7, 0).low == pytest.approx((1 / (8 * 20)) ** (1 / 7))
    assert [share_interval(wins, 0).decided for wins in (7, 8)] == [False, True]
    assert share_interval(7, 0).high == 1.0
    assert (share_interval(0, 0).low, share_interval(0, 0).high, share_interval(0, 0).share) == (0.0, 1.0, EVEN)


@pytest.mark.parametrize(("wins", "losses"), [(3, 1), (12, 30), (60, 40)])
def test_the_ends_are_where_the_mixture_is_twenty_times_as_likely(wins: int, losses: int) -> None:
    """By a naive sum over shares."""
    interval = share_interval(wins, losses)
    for end in (interval.low, interval.high):
        assert mixture(wins, losses, end) == pytest.approx(1 / (1 - LEVEL), rel=1e-3)


@given(wins=COUNTS, losses=COUNTS)
def test_an_interval_contains_its_share_and_mirrors_the_other_side(wins: int, losses: int) -> None:
    """It is wider than the interval for one look at a fixed number, by Clopper and Pearson."""
    interval, mirrored = share_interval(wins, losses), share_interval(losses, wins)
    assert 0 <= interval.low <= interval.share <= interval.high <= 1
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-6)
    if wins and losses:
        assert interval.low < beta.ppf(0.025, wins, losses + 1)


@pytest.mark.long
def test_looking_after_every_observation_is_seldom_wrong() -> None:
    """A fair coin, watched for 1,000 tosses: at most one comparison in twenty ever decides."""
    chance = np.random.default_rng(5)
    wrong = 0
    for _ in range(300):
        heads = np.cumsum(chance.random(1000) < EVEN)
        for n in range(8, 1001, 4):
            if share_interval(int(heads[n - 1]), n - int(heads[n - 1])).decided:
                wrong += 1
                break
    assert wrong / 300 <= 1 - LEVEL


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_the_observations_needed_decide(share: float) -> None:
    """A tenth fewer do not."""
    needed = observations_needed(share, 10_000)
    assert needed is not None
    enough, few = int(needed * 1.1) + 2, int(needed * 0.85)  # whole wins round the share
    assert share_interval(round(share * enough), enough - round(share * enough)).decided
    assert not share_interval(round(share * few), few - round(share * few)).decided


def test_an_even_share_is_never_decided() -> None:
    """A share that is nearly even is not decided within the allowed observations either."""
    assert observations_needed(EVEN, 10_000) is None
    assert observations_needed(0.51, 10_000) is None
