"""Exact nearest neighbours by Euclidean distance, a block of points at a time, and density-preserving samples."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

Rows = NDArray[np.int64]
Distances = NDArray[np.float32]
_CELLS = 16_000_000  # distances in memory at a time: 64 MB
_PLANE = 3  # dimensions up to which differences are computed directly, without loss of precision for near points
_BITS = 16  # of a coordinate on the Morton curve


def distance_blocks(vectors: FloatArray, rows: Rows) -> Iterator[tuple[Rows, Distances]]:
    """Yield blocks of some rows and their squared distances to all points, (row, point); infinite to themselves."""
    size = max(1, _CELLS // max(len(vectors), 1))
    norms = np.einsum("nd,nd->n", vectors, vectors)
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        distances = _squared(vectors, norms, block)
        distances[np.arange(len(block)), block] = np.inf
        yield block, distances


def nearest_of(distances: Distances, k: int) -> Rows:
    """Return the columns of the *k* smallest distances of each row, nearest first; ties by column."""
    if k >= distances.shape[1]:
        return np.argsort(distances, axis=1, kind="stable")[:, :k]
    edges = np.partition(distances, k - 1, axis=1)[:, k - 1]
    nearest = np.empty((len(distances), k), dtype=np.int64)
    for row, edge in enumerate(edges):
        near = np.flatnonzero(distances[row] <= edge)
        nearest[row] = near[np.argsort(distances[row, near], kind="stable")[:k]]
    return nearest


def nearest(vectors: FloatArray, k: int) -> Rows:
    """Return the *k* nearest other points of each point, nearest first, (point, min(k, points - 1))."""
    k = min(k, len(vectors) - 1)
    blocks = [nearest_of(distances, k) for _, distances in distance_blocks(vectors, np.arange(len(vectors)))]
    return np.concatenate(blocks) if blocks else np.empty((0, max(k, 0)), dtype=np.int64)


def some_rows(count: int, most: int, seed: int) -> Rows:
    """Return all rows of *count*, or at most *most* of them drawn at random, in order."""
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


def density_sample(positions: FloatArray, count: int, *, seed: int = 0) -> Rows:
    """Return the rows of *count* points of (point, 2) positions, evenly spaced on a Morton curve, in order."""
    if len(positions) <= count:
        return np.arange(len(positions))
    curve = np.argsort(_morton(positions), kind="stable")
    start = np.random.default_rng(seed).random()
    steps = np.floor((np.arange(count) + start) * len(positions) / count).astype(np.int64)
    return np.sort(curve[np.minimum(steps, len(positions) - 1)])


def _morton(positions: FloatArray) -> NDArray[np.uint64]:
    low, high = positions.min(axis=0), positions.max(axis=0)
    scaled = (positions - low) / np.maximum(high - low, 1e-12) * (2**_BITS - 1)
    across, up = scaled.astype(np.uint64).T
    place = np.zeros(len(positions), dtype=np.uint64)
    for bit in range(_BITS):
        shift = np.uint64(bit)
        place |= ((across >> shift) & np.uint64(1)) << np.uint64(2 * bit)
        place |= ((up >> shift) & np.uint64(1)) << np.uint64(2 * bit + 1)
    return place
