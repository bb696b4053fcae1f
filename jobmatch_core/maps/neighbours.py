"""Exact nearest neighbours by Euclidean distance, a block of points at a time; of unit vectors also by cosine."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

Rows = NDArray[np.int64]
Distances = NDArray[np.float32]
_CELLS = 16_000_000  # distances in memory at a time: 64 MB
_PLANE = 3  # dimensions up to which differences are taken directly, which keeps near points apart


def distance_blocks(vectors: FloatArray, rows: Rows) -> Iterator[tuple[Rows, Distances]]:
    """Yield some of the points and their squared distances to all, shape (row, point); that to themselves is infinite.

    Args:
        vectors: (point, dimension) vectors.
        rows: rows of the points.
    """
    size = max(1, _CELLS // max(len(vectors), 1))
    norms = np.einsum("nd,nd->n", vectors, vectors)
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        distances = _squared(vectors, norms, block)
        distances[np.arange(len(block)), block] = np.inf
        yield block, distances


def nearest_of(distances: Distances, k: int) -> Rows:
    """Return the columns of the *k* smallest distances of each row, nearest first; of equal ones the first column."""
    if k >= distances.shape[1]:
        return np.argsort(distances, axis=1, kind="stable")[:, :k]
    edges = np.partition(distances, k - 1, axis=1)[:, k - 1]
    found = np.empty((len(distances), k), dtype=np.int64)
    for row, edge in enumerate(edges):
        near = np.flatnonzero(distances[row] <= edge)
        found[row] = near[np.argsort(distances[row, near], kind="stable")[:k]]
    return found


def nearest(vectors: FloatArray, k: int, rows: Rows | None = None) -> Rows:
    """Return the *k* nearest other points of each, nearest first, shape (row, min(k, points - 1)).

    Args:
        vectors: (point, dimension) vectors.
        k: number of neighbours.
        rows: rows of the points; all by default.
    """
    rows = np.arange(len(vectors)) if rows is None else rows
    k = min(k, len(vectors) - 1)
    blocks = [nearest_of(distances, k) for _, distances in distance_blocks(vectors, rows)]
    return np.concatenate(blocks) if blocks else np.empty((0, max(k, 0)), dtype=np.int64)


def some_rows(count: int, most: int, seed: int) -> Rows:
    """Return all rows of *count*, or so many of them drawn at random, in their order."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, most, replace=False))


def _squared(vectors: FloatArray, norms: FloatArray, rows: Rows) -> Distances:
    if vectors.shape[1] <= _PLANE:
        summed = np.zeros((len(rows), len(vectors)), dtype=np.float32)
        for axis in vectors.T:
            summed += (axis[rows, None] - axis[None, :]) ** 2
        return summed
    squared = norms[rows, None] + norms[None, :] - 2 * (vectors[rows] @ vectors.T)
    return np.maximum(squared, 0, dtype=np.float32)
