"""A sample is as dense everywhere as all points are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.maps.sampling import density_sample


def heaps() -> np.ndarray:
    """Twenty thousand points: a dense heap, a thin one, a few far away."""
    random = np.random.default_rng(0)
    dense, thin = random.normal(size=(15_000, 2)), random.normal(size=(4_900, 2)) * 5 + 30
    far = random.uniform(size=(100, 2)) * 100
    return np.concatenate([dense, thin, far]).astype(np.float32)


def test_every_region_keeps_its_share() -> None:
    """Of a grid of 8 x 8 each cell, to within a few points; better than a random draw."""
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
    """In their order; all where there are no more; the same again with the same seed."""
    points = np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32)
    rows = density_sample(points, wanted, seed=seed).tolist()
    assert rows == sorted(set(rows)) == density_sample(points, wanted, seed=seed).tolist()
    assert len(rows) == min(count, wanted)
