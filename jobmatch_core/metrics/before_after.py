"""Comparison of a model before and after training, measured on the same queries, with bootstrap intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.metrics.significance import bootstrap_interval

Floats = NDArray[np.float64]
FEWEST = 5  # projects, titles or pairs; fewer give no interval, because resamples of so few hardly differ
UNKNOWN = (-1.0, 1.0)  # the ends of an interval then; no bootstrap gives just these
PartKind = Literal["judgments", "benchmark", "language", "kept"]


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after.

    Attributes:
        figure: key of the figure.
        n: number of projects, titles or pairs.
        before, after: means.
        low, high: ends of the 95 % bootstrap interval of *after* minus *before*.
        more_is_better: true if higher figures are better.
    """

    figure: str
    n: int
    before: float
    after: float
    low: float
    high: float
    more_is_better: bool = True

    @property
    def known(self) -> bool:
        """True if there were enough queries for an interval."""
        return (self.low, self.high) != UNKNOWN

    @property
    def difference(self) -> float:
        """*after* minus *before*."""
        return self.after - self.before

    @property
    def better(self) -> bool:
        """True if the whole interval lies on the better side of zero."""
        return self.low > 0 if self.more_is_better else self.high < 0

    @property
    def worse(self) -> bool:
        """True if the whole interval lies on the worse side of zero."""
        return self.high < 0 if self.more_is_better else self.low > 0


@dataclass(frozen=True, slots=True)
class Part:
    """The changes on one set of queries.

    Attributes:
        kind: held-out judgments, the frozen benchmark, one language of it, or what is to be kept, not gained.
        name: name to display.
        n: number of projects, titles or pairs.
        unit: name of those in the plural.
        changes: one per figure; none where nothing could be measured.
    """

    kind: PartKind
    name: str
    n: int
    unit: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Two models, and all changes between them."""

    before: str
    after: str
    parts: tuple[Part, ...]

    @property
    def worse(self) -> list[tuple[Part, Change]]:
        """All changes for the worse by more than chance."""
        return [(part, change) for part in self.parts for change in part.changes if change.worse]

    @property
    def better(self) -> list[tuple[Part, Change]]:
        """All changes for the better by more than chance."""
        return [(part, change) for part in self.parts for change in part.changes if change.better]


def changes_of(
    before: Mapping[str, Floats], after: Mapping[str, Floats], *, less_is_better: Sequence[str] = ()
) -> tuple[Change, ...]:
    """Compare figures query by query.

    Args:
        before: figure -> (query,) numbers, NaN where it is not defined for a query.
        after: the same figures of the same queries.
        less_is_better: figures that should fall.

    Returns:
        A change per figure, without figures that are NaN for every query.
    """
    found = []
    for figure, values in before.items():
        known = ~(np.isnan(values) | np.isnan(after[figure]))
        if known.any():
            old, new = values[known], after[figure][known]
            interval = bootstrap_interval(new - old)
            low, high = (interval.low, interval.high) if interval.n >= FEWEST else UNKNOWN
            more_is_better = figure not in less_is_better
            found.append(Change(figure, interval.n, float(old.mean()), float(new.mean()), low, high, more_is_better))
    return tuple(found)
