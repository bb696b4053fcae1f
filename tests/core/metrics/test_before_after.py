"""Before and after by hand: what is said to have risen, fallen, or to be chance."""

import numpy as np
import pytest

from jobmatch_core.metrics.before_after import UNKNOWN, BeforeAfter, Change, Part, changes_of

NAN = float("nan")


def test_means_over_what_both_know() -> None:
    """Of .2 .4 - .6 and .4 .4 .9 - the first two count: .3 before, .4 after; so few say nothing of chance."""
    [change] = changes_of({"f": np.array([0.2, 0.4, NAN, 0.6])}, {"f": np.array([0.4, 0.4, 0.9, NAN])})
    assert (change.n, change.before, change.after) == (2, pytest.approx(0.3), pytest.approx(0.4))
    assert change.difference == pytest.approx(0.1)
    assert (change.low, change.high) == UNKNOWN
    assert not change.better
    assert not change.worse


def test_a_figure_that_nobody_knows_is_left_out() -> None:
    """There is nothing to compare."""
    assert changes_of({"f": np.array([NAN, 0.1])}, {"f": np.array([0.1, NAN])}) == ()


def test_what_rose_and_fell() -> None:
    """Twenty times the same difference has an interval of no width; of refused people, more is worse."""
    zeros, ones = np.zeros(20), np.full(20, 0.1)
    up, down, refused, same = changes_of(
        {"up": zeros, "down": ones, "refused": zeros, "same": ones},
        {"up": ones, "down": zeros, "refused": ones, "same": ones},
        less_is_better=["refused"],
    )
    assert [(each.better, each.worse) for each in (up, down, refused, same)] == [
        (True, False),
        (False, True),
        (False, True),
        (False, False),
    ]
    comparison = BeforeAfter("a", "b", (Part("benchmark", "all", 20, "projects", (up, down, refused, same)),))
    assert [change.figure for _, change in comparison.worse] == ["down", "refused"]
    assert [change.figure for _, change in comparison.better] == ["up"]


def test_an_interval_around_zero_is_chance() -> None:
    """Differences of plus and minus 0.1 in turn."""
    signs = np.where(np.arange(30) % 2 == 0, 0.1, -0.1)
    [change] = changes_of({"f": np.full(30, 0.5)}, {"f": 0.5 + signs})
    assert change.low < 0 < change.high
    assert (change.better, change.worse) == (False, False)
    assert Change("f", 9, 0.1, 0.2, 0.0, 0.3).better is False  # the end itself is still chance
