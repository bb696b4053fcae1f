"""Nearest neighbours against a loop over all pairs, and density-preserving samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps import neighbours
from jobmatch_core.maps.neighbours import density_sample, nearest, nearest_of, some_rows


def naive(vectors: FloatArray, row: int, k: int) -> list[int]:
    """Sort all other points by distance, ties by row."""
    others = [other for other in range(len(vectors)) if other != row]
    return sorted(others, key=lambda other: (float(((vectors[row] - vectors[other]) ** 2).sum()), other))[:k]


@given(st.integers(2, 30), st.integers(1, 8), st.sampled_from([2, 5]), st.integers(0, 1000))
def test_as_a_loop_has_it(count: int, k: int, dimension: int, seed: int) -> None:
    """Neighbours equal those of a loop, in the plane and in a space."""
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    found = nearest(vectors, k)
    assert found.shape == (count, min(k, count - 1))
    assert [row.tolist() for row in found] == [naive(vectors, row, k) for row in range(count)]


def test_blocks_make_no_difference(monkeypatch: object) -> None:
    """The block size does not change the result."""
    vectors = np.random.default_rng(1).normal(size=(40, 2)).astype(np.float32)
    whole = nearest(vectors, 5)
    neighbours._CELLS, before = 100, neighbours._CELLS
    try:
        assert (nearest(vectors, 5) == whole).all()
    finally:
        neighbours._CELLS = before


def test_equal_distances_go_by_place() -> None:
    """Four corners are equally near to the centre, so the first two are returned."""
    square = np.array([[0, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=np.float32)
    assert nearest(square, 2)[0].tolist() == [1, 2]


def test_more_than_there_are() -> None:
    """A large k returns all columns, nearest first."""
    assert nearest_of(np.array([[3, 1, 2]], dtype=np.float32), 9).tolist() == [[1, 2, 0]]


def test_rows_are_drawn_once_each() -> None:
    """All of a few rows; of many, a sorted sample that a seed reproduces."""
    assert some_rows(5, 10, seed=1).tolist() == [0, 1, 2, 3, 4]
    drawn = some_rows(1000, 50, seed=3).tolist()
    assert drawn == sorted(set(drawn)) == some_rows(1000, 50, seed=3).tolist()
    assert len(drawn) == 50


def heaps() -> np.ndarray:
    """Return twenty thousand points: a dense cluster, a sparse one, a few far away."""
    random = np.random.default_rng(0)
    dense, thin = random.normal(size=(15_000, 2)), random.normal(size=(4_900, 2)) * 5 + 30
    far = random.uniform(size=(100, 2)) * 100
    return np.concatenate([dense, thin, far]).astype(np.float32)


def test_every_region_keeps_its_share() -> None:
    """Each cell of an 8 x 8 grid keeps its share better than by a random draw."""
    points = heaps()
    rows = density_sample(points, 2000)

    def counts(chosen: np.ndarray) -> np.ndarray:
        cells = np.histogram2d(*points[chosen].T, bins=8, range=[[-5, 100], [-5, 100]])[0]
        return np.asarray(cells * len(points) / len(chosen))

    every = counts(np.arange(len(points)))
    drawn = np.random.default_rng(1).choice(len(points), 2000, replace=False)
    assert np.abs(counts(rows) - every).sum() < 0.5 * np.abs(counts(drawn) - every).sum()
    heap = (rows < 15_000).mean()
    assert heap == pytest.approx(0.75, abs=0.01)


@given(st.integers(1, 60), st.integers(1, 80), st.integers(0, 9))
def test_so_many_each_once(count: int, wanted: int, seed: int) -> None:
    """Sorted distinct rows; all of a few; a seed makes it reproducible."""
    points = np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32)
    rows = density_sample(points, wanted, seed=seed).tolist()
    assert rows == sorted(set(rows)) == density_sample(points, wanted, seed=seed).tolist()
    assert len(rows) == min(count, wanted)
