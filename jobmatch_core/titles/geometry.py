"""Alignment and uniformity of title vectors, for both of which lower is better.

Paper: Wang & Isola (2020), Understanding contrastive representation learning through alignment and uniformity on the
hypersphere; used by Deniz et al. (2024), Figure 5, on pairs of an English title and its translation.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

ALPHA = 2.0  # both as in Wang & Isola
T = 2.0


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """A point of Figure 5: alignment and uniformity of the titles of one language with their translations.

    Attributes:
        languages: languages of the first and the second title of each pair.
        pairs: number of pairs.
        alignment, uniformity: the two measures, lower is better.
    """

    languages: tuple[str, str]
    pairs: int
    alignment: float
    uniformity: float


def alignment(first: FloatArray, second: FloatArray) -> float:
    """Return the mean of |x - y|^2 over pairs of unit vectors, shapes (pair, dimension)."""
    return float(np.mean(np.linalg.norm(first - second, axis=1) ** ALPHA))


def uniformity(vectors: FloatArray) -> float:
    """Return log of the mean of exp(-2 |x - y|^2) over all pairs of different rows, shape (vector, dimension).

    0 if all vectors are equal; the more evenly they cover the sphere, the lower.
    """
    squares: NDArray[np.float64] = (2 - 2 * (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]).astype(float)
    return float(np.log(np.mean(np.exp(-T * squares)))) if len(squares) else 0.0


def pair_geometry(languages: tuple[str, str], first: FloatArray, second: FloatArray) -> PairGeometry:
    """Measure pairs of unit vectors, shapes (pair, dimension).

    Uniformity is the mean of both sides', as in Wang & Isola's code; the paper does not specify it.
    """
    return PairGeometry(languages, len(first), alignment(first, second), (uniformity(first) + uniformity(second)) / 2)
