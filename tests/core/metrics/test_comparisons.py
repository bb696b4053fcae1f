"""Wilcoxon's test and bootstrap intervals.

Before and after by hand: what is said to have risen, fallen, or to be chance.
The verdict on a new model: from which set it is taken, by which figure, and when nothing can be told.
"""

import numpy as np
import pytest

from jobmatch_core.metrics import comparisons
from jobmatch_core.metrics.comparisons import (
    FEWEST_TOLD,
    UNKNOWN,
    BeforeAfter,
    ComparisonHeadline,
    FigureChange,
    Outcome,
    Part,
    bootstrap_interval,
    changes_of,
    compare,
    headline,
)


def test_wilcoxon_by_hand() -> None:
    """Five differences, all positive: of the 2^5 signs only all plus and all minus are as extreme, p = 2/32."""
    first = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    compared = compare(first, first - np.array([0.01, 0.02, 0.03, 0.04, 0.05]))
    assert (compared.n, compared.difference) == (5, pytest.approx(0.03))
    assert compared.p_value == pytest.approx(2 / 32)


def test_swapped_systems_give_the_same_p() -> None:
    """The difference turns its sign, the probability stays."""
    rng = np.random.default_rng(1)
    first, second = 1 / rng.integers(1, 9, size=200), 1 / rng.integers(1, 20, size=200)
    one, other = compare(first, second), compare(second, first)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == pytest.approx(other.p_value)
    assert one.p_value < 0.001


def test_equal_systems() -> None:
    """No difference at all: certainly chance."""
    compared = compare(np.array([1.0, 0.5]), np.array([1.0, 0.5]))
    assert (compared.difference, compared.p_value) == (0, 1)


@pytest.mark.parametrize(("n", "m"), [(3, 2), (0, 0)])
def test_different_queries_cannot_be_compared(n: int, m: int) -> None:
    """Figures in pairs, or none."""
    with pytest.raises(ValueError, match="expected the same queries"):
        compare(np.ones(n), np.ones(m))


def test_interval_of_a_coin() -> None:
    """400 throws, half of them heads: the standard error is 0.5 / 20 = 0.025, so the ends lie near 0.5 -+ 0.049."""
    interval = bootstrap_interval(np.tile([0.0, 1.0], 200))
    assert (interval.n, interval.mean) == (400, 0.5)
    assert interval.low == pytest.approx(0.5 - 0.049, abs=0.006)
    assert interval.high == pytest.approx(0.5 + 0.049, abs=0.006)


def test_intervals_are_reproducible() -> None:
    """The same figures have the same interval; equal figures leave no doubt."""
    figures = np.random.default_rng(2).random(50)
    assert bootstrap_interval(figures) == bootstrap_interval(figures)
    constant = bootstrap_interval(np.full(9, 0.25))
    assert (constant.low, constant.mean, constant.high) == (0.25, 0.25, 0.25)


def test_memory_is_bounded_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn in 200 blocks, there are still 2,000 means, and the interval says the same."""
    figures = np.random.default_rng(2).random(50)
    whole = bootstrap_interval(figures)
    monkeypatch.setattr(comparisons, "_DRAWS", 500)
    parts = bootstrap_interval(figures)
    assert parts == whole


def test_no_figures() -> None:
    """There is no mean of nothing."""
    with pytest.raises(ValueError, match="no figure"):
        bootstrap_interval(np.empty(0))


NAN = float("nan")


def test_means_over_what_both_know() -> None:
    """Of .2 .4 - .6 and .4 .4 .9 - the first two count: .3 before, .4 after; so few say nothing of chance."""
    [change] = changes_of({"f": np.array([0.2, 0.4, NAN, 0.6])}, {"f": np.array([0.4, 0.4, 0.9, NAN])})
    assert (change.n, change.before, change.after) == (2, pytest.approx(0.3), pytest.approx(0.4))
    assert change.difference == pytest.approx(0.1)
    assert (change.low, change.high) == UNKNOWN
    assert not change.better
    assert not change.worse
    assert (change.gained, change.lost) == (1, 0)


def test_a_figure_that_nobody_knows_is_left_out() -> None:
    """There is nothing to compare."""
    assert changes_of({"f": np.array([NAN, 0.1])}, {"f": np.array([0.1, NAN])}) == ()


def test_too_few_queries_are_neither_better_nor_worse() -> None:
    """One query fewer than it takes: the interval is known, and no change is claimed."""
    zeros, ones = np.zeros(FEWEST_TOLD - 1), np.ones(FEWEST_TOLD - 1)
    [change] = changes_of({"up": zeros}, {"up": ones})
    assert change.known
    assert not change.better
    [change] = changes_of({"down": ones}, {"down": zeros})
    assert not change.worse


def test_what_rose_and_fell() -> None:
    """The same difference for every query has an interval of no width; of refused people, more is worse."""
    zeros, ones = np.zeros(FEWEST_TOLD), np.full(FEWEST_TOLD, 0.1)
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
    all_lost = (0, FEWEST_TOLD)
    assert [(each.gained, each.lost) for each in (up, down, refused, same)] == [
        all_lost[::-1],
        all_lost,
        all_lost,
        (0, 0),
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
    assert FigureChange("f", 9, 0.1, 0.2, 0.0, 0.3).better is False  # the end itself is still chance


UP, DOWN, CHANCE = (0.05, 0.15), (-0.15, -0.05), (-0.05, 0.05)


def change(figure: str, n: int, interval: tuple[float, float]) -> FigureChange:
    """Return a change whose interval is given."""
    return FigureChange(figure, n, 0.5, 0.5 + sum(interval) / 2, *interval)


def judged(n: int, interval: tuple[float, float]) -> Part:
    """Return judged titles."""
    return Part("judgments", "Judged titles", n, "titles", (change("first", n, interval),))


def names(n: int, *intervals: tuple[float, float]) -> Part:
    """Return the frozen benchmark, with figures of which the first leads."""
    figures = ("first", "log_loss", "decision", "fourth")
    return Part(
        "benchmark",
        "Names",
        n,
        "names",
        tuple(change(figure, n, interval) for figure, interval in zip(figures, intervals, strict=False)),
    )


def told(*parts: Part) -> ComparisonHeadline:
    """Return the verdict on some sets."""
    return headline(BeforeAfter("a", "b", parts))


def test_two_titles_do_not_speak_over_the_large_set() -> None:
    """Of 1.000 -> 1.000 on two titles and a fall of 1,500 names, the fall is the verdict."""
    large = names(1500, DOWN, DOWN, CHANCE)
    found = told(judged(2, UNKNOWN), large)
    assert (found.outcome, found.part, found.change) == (Outcome.WORSE, large, large.changes[0])


@pytest.mark.parametrize("more_is_better", [True, False])
def test_each_figure_has_a_verdict(more_is_better: bool) -> None:
    """It is too few to tell with one query less than needed, whatever the interval."""
    outcomes = [
        FigureChange("figure", n, 0.5, 0.5, *interval, more_is_better).outcome
        for n, interval in [(FEWEST_TOLD, UP), (FEWEST_TOLD, DOWN), (FEWEST_TOLD, CHANCE), (FEWEST_TOLD - 1, UP)]
    ]
    clear = [Outcome.BETTER, Outcome.WORSE] if more_is_better else [Outcome.WORSE, Outcome.BETTER]
    assert outcomes == [*clear, Outcome.UNCLEAR, Outcome.TOO_FEW]


@pytest.mark.parametrize(("interval", "outcome"), [(UP, "better"), (DOWN, "worse"), (CHANCE, "inconclusive")])
def test_the_interval_decides(interval: tuple[float, float], outcome: str) -> None:
    """It lies on one side of zero, or nothing can be told."""
    assert told(names(100, interval, CHANCE, CHANCE)).outcome == outcome


@pytest.mark.parametrize(("n", "outcome"), [(FEWEST_TOLD - 1, Outcome.TOO_FEW), (FEWEST_TOLD, Outcome.BETTER)])
def test_below_a_minimum_nothing_is_told(n: int, outcome: Outcome) -> None:
    """However clear it looks."""
    assert told(judged(n, UP)).outcome == outcome


def test_nothing_was_measured() -> None:
    """No comparison, no sets, or a set without a figure."""
    empty = Part("judgments", "Judged titles", 0, "titles", ())
    assert [headline(None), told(), told(empty)] == [ComparisonHeadline(Outcome.TOO_FEW)] * 3


def test_a_set_whose_interval_is_unknown_gives_way() -> None:
    """Forty pairs of two projects say less than thirty names."""
    assert told(judged(40, UNKNOWN), names(30, UP)).outcome == Outcome.BETTER


def test_most_figures_decide_where_the_leading_one_does_not() -> None:
    """Two of four are enough, a single one is not; a leading figure that rose is not outvoted."""
    assert told(names(100, CHANCE, DOWN, DOWN, CHANCE)).outcome == Outcome.WORSE
    assert told(names(100, CHANCE, UP, UP, CHANCE)).outcome == Outcome.BETTER
    assert told(names(100, CHANCE, DOWN, CHANCE, CHANCE)).outcome == Outcome.UNCLEAR
    assert told(names(100, UP, DOWN, DOWN, DOWN)).outcome == Outcome.BETTER


def test_a_language_is_no_set_of_its_own() -> None:
    """It is a part of the benchmark."""
    language = Part("language", "German", 5000, "names", (change("first", 5000, UP),))
    assert told(names(100, DOWN), language).outcome == Outcome.WORSE


@pytest.mark.parametrize(
    ("judged_interval", "n", "outcome"),
    [(UP, 30, Outcome.BETTER), (CHANCE, 30, Outcome.UNCLEAR), (DOWN, 30, Outcome.WORSE), (UP, 29, Outcome.WORSE)],
)
def test_a_list_is_told_by_judged_people(judged_interval: tuple[float, float], n: int, outcome: Outcome) -> None:
    """MAP counts whom the past has shown: it fell on larger sets, and decides only with too few judged projects."""
    figures = (
        change("judged_at_10", n, judged_interval),
        change("map", 100, DOWN),
        change("positives_at_100", 100, DOWN),
    )
    lists = Part("list", "The list", n, "projects", figures)
    assert told(judged(300, CHANCE), lists).outcome == (outcome if n == FEWEST_TOLD else Outcome.UNCLEAR)
    benchmark = Part("benchmark", "The frozen benchmark", 100, "projects", (change("map", 100, DOWN),))
    assert told(lists, benchmark).outcome == outcome
