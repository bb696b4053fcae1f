"""Two models on the same items: their maps laid on each other, how far each item drifted, whose neighbour it became.

Schönemann (1966), A generalized solution of the orthogonal Procrustes problem. Drift is read off the models' own
spaces, not off the pictures: what two projections do by chance is no change.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps.neighbours import Rows, nearest

NEIGHBOURS = 15


@dataclass(frozen=True, slots=True)
class Drift:
    """What changed between two models.

    Attributes:
        drift: (point,) share of each point's neighbours that were exchanged, 0 to 1.
        before, after: each point's neighbours, nearest first, (point, neighbour).
    """

    drift: NDArray[np.float64]
    before: Rows
    after: Rows

    def won(self, row: int) -> list[int]:
        """Return the neighbours that a point has now and had not, nearest first."""
        had = set(self.before[row].tolist())
        return [other for other in self.after[row].tolist() if other not in had]

    def lost(self, row: int) -> list[int]:
        """Return the neighbours that a point had and has no more, nearest first."""
        has = set(self.after[row].tolist())
        return [other for other in self.before[row].tolist() if other not in has]


def aligned(positions: FloatArray, onto: FloatArray) -> FloatArray:
    """Move, turn, mirror and scale a map so that it lies as near to another of the same items as it can.

    Args:
        positions: to be moved, (point, 2).
        onto: where the same points are in the other map.

    Raises:
        MapError: they are not of the same number of points.
    """
    _check_same(len(positions), len(onto))
    middle, other = positions.mean(axis=0), onto.mean(axis=0)
    moved, target = (positions - middle).astype(np.float64), (onto - other).astype(np.float64)
    left, sizes, right = np.linalg.svd(moved.T @ target)
    scale = sizes.sum() / max(float((moved**2).sum()), 1e-12)
    return np.asarray(scale * moved @ (left @ right) + other, dtype=np.float32)


def measure_drift(before: FloatArray, after: FloatArray, neighbours: int = NEIGHBOURS) -> Drift:
    """Compare the neighbourhoods of the same items in two models' spaces.

    Args:
        before: vectors of one model, (point, dimension).
        after: those of the other, of any dimension.
        neighbours: how many are looked at.

    Raises:
        MapError: they are not of the same number of points.
    """
    _check_same(len(before), len(after))
    had, has = nearest(before, neighbours), nearest(after, neighbours)
    stayed = (had[:, :, None] == has[:, None, :]).any(axis=2).mean(axis=1)
    return Drift(np.asarray(1 - stayed), had, has)


def most_drifted(drift: Drift, count: int) -> list[int]:
    """Return the rows that drifted most, the farthest first."""
    rows: list[int] = np.argsort(-drift.drift, kind="stable")[:count].tolist()
    return rows


def _check_same(first: int, second: int) -> None:
    if first != second:
        raise MapError(f"Two models are compared on the same items, not on {first:,} and {second:,}.")
