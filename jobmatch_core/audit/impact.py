"""Selection rates, impact ratios and exposure of two groups that differ in a cue alone.

An impact ratio is the selection rate of a group divided by that of the most selected group (New York City Local Law
144, 6 RCNY section 5-300); the four-fifths rule calls less than 0.8 adverse (29 CFR 1607.4 D).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FOUR_FIFTHS = 0.8
_RESAMPLES = 2000
_SEED = 0  # of the resamples
_LEVEL = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio with the ends of its 95 % bootstrap interval over projects."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Impact:
    """Two groups among the first *k* of many rankings."""

    k: int  # number of ranks that count as selected
    # first_rate, second_rate: share of each group that is selected, mean over rankings
    first_rate: float
    second_rate: float
    second_to_first: Ratio  # the second group's selection rate divided by the first group's
    impact_ratio: float  # the lower rate divided by the higher one
    exposure: Ratio  # the second group's exposure (`exposures`) divided by the first group's

    @property
    def adverse(self) -> bool:
        """True if the impact ratio is below four fifths."""
        return self.impact_ratio < FOUR_FIFTHS


def impact(groups: Sequence[NDArray[np.int8]], sizes: tuple[int, int], k: int) -> Impact:
    """Return selection rates and exposure.

    Args:
        groups: for each project, the group of the elements by rank: 0, 1, or -1 for those that belong to neither; one
            ranking, or several that count as one, shape (ranking, rank).
        sizes: number of members of both groups in all rankings of a project, at least one each.
        k: number of ranks that count as selected.

    Raises ValueError if there is no ranking, or an empty group.
    """
    if not groups or not min(sizes):
        raise ValueError("expected rankings, and members of both groups")
    selected = np.array([[(ranked[..., :k] == group).sum() for group in (0, 1)] for ranked in groups], dtype=np.float64)
    shown = np.array([exposures(ranked) for ranked in groups])
    rates, seen = selected / sizes, shown / sizes
    first, second = rates.mean(axis=0).tolist()
    return Impact(
        k,
        first,
        second,
        _ratio(rates),
        min(first, second) / max(first, second) if max(first, second) else 1.0,
        _ratio(seen),
    )


def exposures(ranked: NDArray[np.int8]) -> tuple[float, float]:
    """Return both groups' exposure in rankings: the sum of 1 / log2(1 + rank) (Singh and Joachims 2018)."""
    discounts = 1 / np.log2(np.arange(2, ranked.shape[-1] + 2))
    return float(((ranked == 0) @ discounts).sum()), float(((ranked == 1) @ discounts).sum())


def _ratio(values: Floats) -> Ratio:
    # ratio of the sums of two columns, with a bootstrap over the rows, which are rankings
    draws = np.random.default_rng(_SEED).integers(len(values), size=(_RESAMPLES, len(values)))
    sums = values[draws].sum(axis=1)
    ratios = _divided(sums[:, 1], sums[:, 0])
    low, high = np.quantile(ratios, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    total = values.sum(axis=0)
    return Ratio(float(_divided(total[1:], total[:1])[0]), float(low), float(high))


def _divided(above: Floats, below: Floats) -> Floats:
    # without anybody selected, both are treated alike
    return np.divide(above, below, out=np.ones_like(above), where=below > 0)
