"""Misplaced points: near-duplicates of different groups, and points whose neighbours are all of other groups.

They point to errors in the taxonomy or the model, and are searched for in the vector space, not on the map.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.neighbours import distance_blocks, nearest_of

NEAR = 0.95  # cosine from which two points are near-duplicates
AGREED = 0.6  # share of the neighbours that must belong to one other group
_NEIGHBOURS = 10


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """Two near points of different groups; their rows, and their cosine."""

    first: int
    second: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Outlier:
    """A point among those of another group."""

    row: int  # row of the point
    group: str  # the group of most of its neighbours
    share: float  # share of its neighbours in that group, 0 to 1


def near_duplicates(
    vectors: FloatArray, groups: Sequence[str], rows: Collection[int] = (), *, concepts: Sequence[str] = ()
) -> list[NearDuplicate]:
    """Return pairs of points of different groups with a cosine of at least `NEAR`, nearest first.

    Each point is compared with its nearest few.

    Args:
        vectors: (point, dimension), L2-normalised.
        groups: (point,) group of each point; '' for none, which equals every group.
        rows: only pairs with one of these points; all if empty.
        concepts: (point,) concept of each; two of one concept are no pair. Ignored if empty.
    """
    cosines: dict[tuple[int, int], float] = {}
    for row, columns, distances in _neighbourhoods(vectors, rows, _NEIGHBOURS):
        for column, distance in zip(columns, distances, strict=True):
            cosine = 1 - distance / 2
            differ = groups[row] and groups[column] and groups[row] != groups[column]
            same = bool(concepts) and concepts[row] == concepts[column]
            if differ and not same and cosine >= NEAR:
                cosines[min(row, column), max(row, column)] = cosine
    pairs = [NearDuplicate(first, second, cosine) for (first, second), cosine in cosines.items()]
    return sorted(pairs, key=lambda pair: (-pair.cosine, pair.first, pair.second))


def outliers(
    vectors: FloatArray, groups: Sequence[str], rows: Collection[int] = (), *, neighbours: int = _NEIGHBOURS
) -> list[Outlier]:
    """Return the points with no neighbour of their own group and a share of at least `AGREED` of one other group.

    Args:
        vectors: (point, dimension), L2-normalised.
        groups: (point,) group of each point; points with '' are no outliers and not counted.
        rows: only these points; all if empty.
        neighbours: number of neighbours to check.
    """
    outliers = []
    for row, columns, _ in _neighbourhoods(vectors, rows, neighbours):
        counts = Counter(groups[column] for column in columns if groups[column])
        if not groups[row] or not counts or groups[row] in counts:
            continue
        group, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
        if count >= AGREED * len(columns):
            outliers.append(Outlier(row, group, count / len(columns)))
    return sorted(outliers, key=lambda outlier: (-outlier.share, outlier.row))


def _neighbourhoods(
    vectors: FloatArray, rows: Collection[int], neighbours: int
) -> list[tuple[int, list[int], list[float]]]:
    queries = np.array(sorted(rows), dtype=np.int64) if rows else np.arange(len(vectors))
    k = min(neighbours, len(vectors) - 1)
    nearest: list[tuple[int, list[int], list[float]]] = []
    for block, distances in distance_blocks(vectors, queries):
        columns = nearest_of(distances, k)
        near = np.take_along_axis(distances, columns, axis=1)
        nearest += zip(block.tolist(), columns.tolist(), near.tolist(), strict=True)
    return nearest
