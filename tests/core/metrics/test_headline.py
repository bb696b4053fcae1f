"""The verdict on a new model: from which set it is taken, by which figure, and when nothing can be told."""

import pytest

from jobmatch_core.metrics.before_after import UNKNOWN, BeforeAfter, Change, Part
from jobmatch_core.metrics.headline import FEWEST_TOLD, Headline, Outcome, headline

UP, DOWN, CHANCE = (0.05, 0.15), (-0.15, -0.05), (-0.05, 0.05)


def change(figure: str, n: int, interval: tuple[float, float]) -> Change:
    """Return a change whose interval is given."""
    return Change(figure, n, 0.5, 0.5 + sum(interval) / 2, *interval)


def judged(n: int, interval: tuple[float, float]) -> Part:
    """Return judged titles."""
    return Part("judgments", "Judged titles", n, "titles", (change("first", n, interval),))


def names(n: int, *intervals: tuple[float, float]) -> Part:
    """Return the frozen benchmark, with figures of which the first leads."""
    figures = ("first", "log_loss", "decision", "fourth")
    return Part(
        "benchmark", "Names", n, "names",
        tuple(change(figure, n, interval) for figure, interval in zip(figures, intervals, strict=False)),
    )  # fmt: skip


def told(*parts: Part) -> Headline:
    """Return the verdict on some sets."""
    return headline(BeforeAfter("a", "b", parts))


def test_two_titles_do_not_speak_over_the_large_set() -> None:
    """Of 1.000 -> 1.000 on two titles and a fall of 1,500 names, the fall is the verdict."""
    large = names(1500, DOWN, DOWN, CHANCE)
    found = told(judged(2, UNKNOWN), large)
    assert (found.outcome, found.part, found.change) == (Outcome.WORSE, large, large.changes[0])


@pytest.mark.parametrize(("interval", "outcome"), [(UP, "better"), (DOWN, "worse"), (CHANCE, "cannot be told")])
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
    assert [headline(None), told(), told(empty)] == [Headline(Outcome.TOO_FEW)] * 3


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
