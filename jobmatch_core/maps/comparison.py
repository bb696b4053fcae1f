"""Comparison of two models on the same items (aligned maps, drift, exchanged neighbours), and of languages.

Alignment and uniformity by language pair are the scatter plot of Deniz et al. (2024), Figure 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps.neighbours import Rows, nearest
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.occupation_names import PairGeometry, pair_geometry

_MOST = 2000  # pairs of a language, since uniformity compares every two of them
NEIGHBOURS = 15


def language_pairs(
    vectors: FloatArray, concepts: Sequence[str], languages: Sequence[str], *, most: int = _MOST
) -> list[PairGeometry]:
    """Measure the geometry of each language's pairs with English, by language.

    Args:
        vectors: (item, dimension), L2-normalised; the first item of a concept and language counts.
        concepts: (item,) concept of each, or ''.
        languages: (item,) language code of each.
        most: maximum number of pairs of a language, drawn at random.
    """
    rows: dict[str, dict[str, int]] = {}
    for row, (concept, language) in enumerate(zip(concepts, languages, strict=True)):
        if concept:
            rows.setdefault(language, {}).setdefault(concept, row)
    anchors = rows.pop(ENGLISH, {})
    geometries = []
    for language, by_concept in sorted(rows.items()):
        shared = sorted(set(anchors) & set(by_concept))
        if len(shared) > most:
            drawn = np.random.default_rng(0).choice(len(shared), most, replace=False)
            shared = [shared[number] for number in sorted(drawn)]
        if len(shared) > 1:
            first, second = ([side[concept] for concept in shared] for side in (anchors, by_concept))
            geometries.append(pair_geometry((ENGLISH, language), vectors[first], vectors[second]))
    return geometries


@dataclass(frozen=True, slots=True)
class Drift:
    """Changes of neighbourhoods between two models."""

    drift: NDArray[np.float64]  # (point,) share of each point's neighbours that were exchanged, 0 to 1
    # before, after: (point, neighbour) rows of the neighbours, nearest first
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
    """Shift, rotate, mirror and scale a map, (point, 2), to fit another of the same items (orthogonal Procrustes).

    It is scaled to the other's spread, since the scale of least squares shrinks a map that agrees little to a spot.

    Raises MapError if the numbers of points differ.
    """
    _check_same(len(positions), len(onto))
    middle, other = positions.mean(axis=0), onto.mean(axis=0)
    moved, target = (positions - middle).astype(np.float64), (onto - other).astype(np.float64)
    left, _, right = np.linalg.svd(moved.T @ target)
    scale = float(np.sqrt((target**2).sum() / max(float((moved**2).sum()), 1e-12)))
    return np.asarray(scale * moved @ (left @ right) + other, dtype=np.float32)


def measure_drift(before: FloatArray, after: FloatArray, neighbours: int = NEIGHBOURS) -> Drift:
    """Compare the neighbourhoods of the same items in two models' spaces, each (point, dimension).

    Raises MapError if the numbers of points differ.
    """
    _check_same(len(before), len(after))
    had, has = nearest(before, neighbours), nearest(after, neighbours)
    stayed = (had[:, :, None] == has[:, None, :]).any(axis=2).mean(axis=1)
    return Drift(np.asarray(1 - stayed), had, has)


def most_drifted(drift: Drift, count: int) -> list[int]:
    """Return the rows with the largest drift, largest first."""
    rows: list[int] = np.argsort(-drift.drift, kind="stable")[:count].tolist()
    return rows


def _check_same(first: int, second: int) -> None:
    if first != second:
        raise MapError(f"Two models must be compared on the same items, not on {first:,} and {second:,}.")
