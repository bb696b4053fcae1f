"""A model before and after a training, measured on the same things: what rose, what fell, and what may be chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.metrics.significance import bootstrap_interval

Floats = NDArray[np.float64]
FEWEST = 5  # projects, titles or pairs below which nothing is said of chance: resamples of so few are hardly different
UNKNOWN = (-1.0, 1.0)  # the ends of an interval then; no bootstrap gives just these
PartKind = Literal["judgments", "benchmark", "language"]


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after.

    Attributes:
        figure: its key.
        n: of how many projects, titles or pairs.
        before, after: means.
        low, high: the ends of the 95 % bootstrap interval of *after* less *before*.
        more_is_better: whether a higher figure is a better one.
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
        """Whether there are enough of them to say what may be chance."""
        return (self.low, self.high) != UNKNOWN

    @property
    def difference(self) -> float:
        """What was gained, or lost."""
        return self.after - self.before

    @property
    def better(self) -> bool:
        """Whether it is better, and by more than chance: the whole interval is."""
        return self.low > 0 if self.more_is_better else self.high < 0

    @property
    def worse(self) -> bool:
        """Whether it is worse, and by more than chance."""
        return self.high < 0 if self.more_is_better else self.low > 0


@dataclass(frozen=True, slots=True)
class Part:
    """What was measured on the same things.

    Attributes:
        kind: what for: judgments that were put aside, the frozen benchmark, or one language of it.
        name: for people.
        n: how many projects, titles or pairs.
        unit: what those are, in the plural.
        changes: a figure each; none where nothing could be measured.
    """

    kind: PartKind
    name: str
    n: int
    unit: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Two models, and all that was measured of both."""

    before: str
    after: str
    parts: tuple[Part, ...]

    @property
    def worse(self) -> list[tuple[Part, Change]]:
        """All that fell by more than chance."""
        return [(part, change) for part in self.parts for change in part.changes if change.worse]

    @property
    def better(self) -> list[tuple[Part, Change]]:
        """All that rose by more than chance."""
        return [(part, change) for part in self.parts for change in part.changes if change.better]


def changes_of(
    before: Mapping[str, Floats], after: Mapping[str, Floats], *, less_is_better: Sequence[str] = ()
) -> tuple[Change, ...]:
    """Compare figures project by project, or title by title.

    Args:
        before: figure -> (project,) numbers, NaN where a project says nothing of it.
        after: the same figures of the same projects.
        less_is_better: figures that should fall.

    Returns:
        A change a figure, without those that no project says anything of.
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
