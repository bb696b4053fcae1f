"""Comparison of two models on the same items: aligned maps, drift of each item, exchanged neighbours.

Schönemann (1966), A generalized solution of the orthogonal Procrustes problem. Drift is read off the models' own
spaces, not off the pictures: differences of two projections may be chance.
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
    """Changes of neighbourhoods between two models.

    Attributes:
        drift: (point,) share of each point's neighbours that were exchanged, 0 to 1.
        before, after: each point's neighbours, nearest first, (point, neighbour).
    """

    drift: NDArray[np.float64]
    before: Rows
    after: Rows

    def won(self, row: int) -> list[int]:
        """Return the neighbours that a point has only in the second model, nearest first."""
        had = set(self.before[row].tolist())
        return [other for other in self.after[row].tolist() if other not in had]

    def lost(self, row: int) -> list[int]:
        """Return the neighbours that a point has only in the first model, nearest first."""
        has = set(self.after[row].tolist())
        return [other for other in self.before[row].tolist() if other not in has]


def aligned(positions: FloatArray, onto: FloatArray) -> FloatArray:
    """Shift, rotate, mirror and scale a map to be as near as possible to another of the same items.

    Args:
        positions: (point, 2) positions to move.
        onto: (point, 2) positions of the same points in the other map.

    Raises:
        MapError: the numbers of points differ.
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
        before: (point, dimension) vectors of one model.
        after: (point, dimension) vectors of the other, of any dimension.
        neighbours: number of neighbours.

    Raises:
        MapError: the numbers of points differ.
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
