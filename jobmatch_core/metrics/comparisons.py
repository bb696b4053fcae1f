"""Comparisons of two systems, or of a model before and after training, on the same queries.

Differences have a significance test, means a bootstrap interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVEL = 0.95
N_RESAMPLES = 2000
_SEED = 0  # of the resamples
_DRAWS = 1 << 22  # at a time, to bound memory
FEWEST = 5  # projects, titles or pairs; fewer give no interval, because resamples of so few hardly differ
UNKNOWN = (-1.0, 1.0)  # the ends of an interval then; no bootstrap gives just these
# Percentile bootstrap intervals of 30 normal figures are 6 % too narrow, of 10 figures 18 %: by the factor
# sqrt((n - 1) / n) * 1.96 / t. With fewer, 'better' and 'worse' would be claimed too often.
FEWEST_TOLD = 30
_COUNT = ("judgments", "list", "benchmark")
# By people judged to fit. It decides alone, and before any other set: MAP counts whom the past has shown, and a list
# that follows judgments can lower it.
JUDGED = "judged_at_10"
LEADING = (JUDGED, "auc", "first", "map")  # the first of these that a set has decides
PartKind = Literal["judgments", "list", "benchmark", "language", "kept"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same queries or datasets."""

    n: int  # number of pairs of figures
    difference: float  # mean of the first system's figures minus mean of the second's
    p_value: float  # two-sided Wilcoxon signed-rank test (1945) without equal pairs; 1 if all are equal


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of *n* figures and the ends of its 95 % bootstrap interval."""

    n: int
    mean: float
    low: float
    high: float


def compare(first: Floats, second: Floats) -> Comparison:
    """Test the difference of two systems' paired figures, such as the reciprocal ranks of the same queries.

    Raises ValueError if the numbers of queries differ, or there are no queries.
    """
    if first.shape != second.shape or not first.size:
        raise ValueError(
            f"expected the same queries for both systems, at least one; got {first.size} and {second.size}"
        )
    differences = first - second
    from scipy.stats import wilcoxon  # takes a second, which finding freelancers need not wait for

    p_value = float(wilcoxon(differences).pvalue) if differences.any() else 1.0
    return Comparison(len(differences), float(differences.mean()), p_value)


def bootstrap_interval(figures: Floats) -> Interval:
    """Return the mean with its 95 % percentile interval from 2,000 resamples (Efron and Tibshirani 1993, chapter 13).

    Raises ValueError if there are no figures.
    """
    n = len(figures)
    if not n:
        raise ValueError("there is no figure to take a mean of")
    generator = np.random.default_rng(_SEED)
    blocks = np.array_split(np.arange(N_RESAMPLES), max(N_RESAMPLES * n // _DRAWS, 1))
    means = np.concatenate([figures[generator.integers(n, size=(len(block), n))].mean(axis=1) for block in blocks])
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(n, float(figures.mean()), float(low), float(high))


class Outcome(StrEnum):
    """Verdict on a new model, or on one of its figures."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "inconclusive"  # the interval contains zero
    TOO_FEW = "too few to tell"


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure before and after."""

    figure: str  # key of the figure
    n: int  # number of projects, titles or pairs
    # before, after: means
    before: float
    after: float
    # low, high: ends of the 95 % bootstrap interval of *after* minus *before*
    low: float
    high: float
    more_is_better: bool = True
    # gained, lost: number of projects, titles or pairs whose own figure got better, and worse; None where a figure
    # belongs to the whole set, and in reports of releases before 0.2.0
    gained: int | None = None
    lost: int | None = None

    @property
    def known(self) -> bool:
        """True if there were enough queries for an interval."""
        return (self.low, self.high) != UNKNOWN

    @property
    def decidable(self) -> bool:
        """True if there were enough queries to call the change better or worse."""
        return self.known and self.n >= FEWEST_TOLD

    @property
    def difference(self) -> float:
        """*after* minus *before*."""
        return self.after - self.before

    @property
    def better(self) -> bool:
        """True if there are enough queries, and the whole interval lies on the better side of zero."""
        return self.decidable and (self.low > 0 if self.more_is_better else self.high < 0)

    @property
    def worse(self) -> bool:
        """True if there are enough queries, and the whole interval lies on the worse side of zero."""
        return self.decidable and (self.high < 0 if self.more_is_better else self.low > 0)

    @property
    def outcome(self) -> Outcome:
        """The verdict on this figure alone."""
        if not self.decidable:
            return Outcome.TOO_FEW
        return Outcome.BETTER if self.better else Outcome.WORSE if self.worse else Outcome.UNCLEAR


@dataclass(frozen=True, slots=True)
class Part:
    """The changes on one set of queries."""

    # held-out judgments, the list of freelancers, the frozen benchmark, one of its languages, or a set on which the
    # model must only not become worse
    kind: PartKind
    name: str  # name to display
    n: int  # number of projects, titles or pairs
    unit: str  # plural of the unit that is counted
    changes: tuple[FigureChange, ...]  # one per figure; none where nothing could be measured


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Two models, and all changes between them."""

    before: str
    after: str
    parts: tuple[Part, ...]

    @property
    def worse(self) -> list[tuple[Part, FigureChange]]:
        """All significant changes for the worse."""
        return [(part, change) for part in self.parts for change in part.changes if change.worse]

    @property
    def better(self) -> list[tuple[Part, FigureChange]]:
        """All significant changes for the better."""
        return [(part, change) for part in self.parts for change in part.changes if change.better]


def changes_of(
    before: Mapping[str, Floats], after: Mapping[str, Floats], *, less_is_better: Sequence[str] = ()
) -> tuple[FigureChange, ...]:
    """Compare figures query by query.

    Args:
        before: figure -> (query,) numbers, NaN where it is not defined for a query.
        after: the same figures of the same queries.
        less_is_better: figures that should fall.

    Returns:
        One change per figure that is defined for at least one query.
    """
    parts = []
    for figure, values in before.items():
        measured = ~(np.isnan(values) | np.isnan(after[figure]))
        if measured.any():
            old, new = values[measured], after[figure][measured]
            interval = bootstrap_interval(new - old)
            low, high = (interval.low, interval.high) if interval.n >= FEWEST else UNKNOWN
            more_is_better = figure not in less_is_better
            rose, fell = int((new > old).sum()), int((new < old).sum())
            parts.append(
                FigureChange(
                    figure,
                    interval.n,
                    float(old.mean()),
                    float(new.mean()),
                    low,
                    high,
                    more_is_better,
                    gained=rose if more_is_better else fell,
                    lost=fell if more_is_better else rose,
                )
            )
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class ComparisonHeadline:
    """Headline of a comparison."""

    outcome: Outcome  # the verdict
    part: Part | None = None  # the set that it is based on; None where nothing was measured
    change: FigureChange | None = None  # the leading figure of that set; None where nothing was measured


def headline(comparison: BeforeAfter | None) -> ComparisonHeadline:
    """Return the verdict by people judged to fit where there are enough, else by the largest set's leading figure.

    Languages, which are parts of a set, and sets of the kind `kept` do not count.
    """
    parts = comparison.parts if comparison else ()
    measured = [(part, _leading(part)) for part in parts if part.kind in _COUNT and part.changes]
    if not measured:
        return ComparisonHeadline(Outcome.TOO_FEW)
    part, change = max(measured, key=lambda row: (row[1].decidable, row[1].figure == JUDGED, row[0].n))
    return ComparisonHeadline(_outcome(part, change), part, change)


def _leading(part: Part) -> FigureChange:
    by_figure = {change.figure: change for change in part.changes}
    return next((by_figure[figure] for figure in LEADING if figure in by_figure), part.changes[0])


def _outcome(part: Part, change: FigureChange) -> Outcome:
    # The leading figure decides, or most figures where its interval contains zero. For 2.5 % of figures that did not
    # change, the whole interval is expected below zero. By Markov's inequality, this holds for at least half of a set
    # in at most one case of twenty, however the figures depend on each other.
    if not change.decidable:
        return Outcome.TOO_FEW
    half = len(part.changes) / 2 if change.figure != JUDGED else np.inf
    if change.worse or (not change.better and sum(other.worse for other in part.changes) >= half):
        return Outcome.WORSE
    if change.better or sum(other.better for other in part.changes) >= half:
        return Outcome.BETTER
    return Outcome.UNCLEAR
