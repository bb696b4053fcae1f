"""The verdict on a comparison in one word: that of the largest set that was measured, by its leading figure."""

from dataclasses import dataclass
from enum import StrEnum

from jobmatch_core.metrics.before_after import BeforeAfter, Change, Part

# Percentile bootstrap intervals of 30 normal figures are 6 % too narrow, of 10 figures 18 %: by the factor
# sqrt((n - 1) / n) * 1.96 / t. With fewer, 'better' and 'worse' would be claimed too often.
FEWEST_TOLD = 30
_COUNT = ("judgments", "benchmark")
LEADING = ("auc", "first", "map")  # the first of these that a set has decides


class Outcome(StrEnum):
    """Verdict on a new model."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "cannot be told"  # the interval contains zero
    TOO_FEW = "too few to tell"


@dataclass(frozen=True, slots=True)
class Headline:
    """Headline of a comparison.

    Attributes:
        outcome: the verdict.
        part: the set that it is taken from; None where nothing was measured.
        change: the leading figure of that set; None where nothing was measured.
    """

    outcome: Outcome
    part: Part | None = None
    change: Change | None = None


def headline(comparison: BeforeAfter | None) -> Headline:
    """Return the verdict on the largest set that is large enough.

    Languages are parts of a set, and what is only to be kept is no gain: they do not count.
    """
    parts = comparison.parts if comparison else ()
    measured = [(part, _leading(part)) for part in parts if part.kind in _COUNT and part.changes]
    if not measured:
        return Headline(Outcome.TOO_FEW)
    part, change = max(measured, key=lambda found: (_can_be_told(found[1]), found[0].n))
    return Headline(_outcome(part, change), part, change)


def _leading(part: Part) -> Change:
    by_figure = {change.figure: change for change in part.changes}
    return next((by_figure[figure] for figure in LEADING if figure in by_figure), part.changes[0])


def _can_be_told(change: Change) -> bool:
    return change.known and change.n >= FEWEST_TOLD


def _outcome(part: Part, change: Change) -> Outcome:
    """Return the verdict of the leading figure or, where its interval contains zero, of most figures.

    Of figures that did not change, 2.5 % are expected to lie below zero with their whole interval. By Markov's
    inequality at least half of a set do so in at most one case of twenty, however the figures depend on each other.
    """
    if not _can_be_told(change):
        return Outcome.TOO_FEW
    half = len(part.changes) / 2
    if change.worse or (not change.better and sum(each.worse for each in part.changes) >= half):
        return Outcome.WORSE
    if change.better or sum(each.better for each in part.changes) >= half:
        return Outcome.BETTER
    return Outcome.UNCLEAR
