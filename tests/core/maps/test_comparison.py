"""Procrustes, drift, and neighbours won and lost, by hand and by a loop."""

import numpy as np
import pytest
from scipy.spatial import procrustes

from jobmatch_core.errors import MapError
from jobmatch_core.maps.comparison import aligned, measure_drift, most_drifted
from tests.core.maps.conftest import made_vectors
from tests.core.maps.test_neighbours import naive
from tests.core.maps.test_quality import plane


def test_a_turned_map_is_turned_back() -> None:
    """Moved, turned, mirrored and scaled: the map itself again."""
    points = plane(20)
    turn = np.array([[0, 1], [1, 0]], dtype=np.float32)  # a mirror
    assert aligned(3 * points @ turn + 7, points) == pytest.approx(points, abs=1e-4)


def test_as_near_as_scipy_gets() -> None:
    """Its disparity is the remaining squared distance, both maps being scaled to one."""
    first, second = plane(15, 1), plane(15, 2)
    moved = aligned(second, first)
    size = float(((first - first.mean(axis=0)) ** 2).sum())
    assert float(((moved - first) ** 2).sum()) / size == pytest.approx(procrustes(first, second)[2], abs=1e-4)


def test_drift_by_a_loop() -> None:
    """Share of the neighbours that were exchanged; won and lost by name."""
    before, after = made_vectors(25, seed=1), made_vectors(25, dimension=5, seed=2)
    found = measure_drift(before, after, neighbours=4)
    for row in range(25):
        had, has = naive(before, row, 4), naive(after, row, 4)
        assert found.drift[row] == pytest.approx(1 - len(set(had) & set(has)) / 4)
        assert found.won(row) == [other for other in has if other not in had]
        assert found.lost(row) == [other for other in had if other not in has]
    first, *_ = most_drifted(found, 3)
    assert found.drift[first] == found.drift.max()


def test_one_model_does_not_drift_from_itself() -> None:
    """Nobody is won or lost."""
    same = measure_drift(made_vectors(12), made_vectors(12), neighbours=3)
    assert same.drift.max() == 0
    assert same.won(0) == same.lost(0) == []


def test_other_items_are_not_compared() -> None:
    """Said with both numbers."""
    with pytest.raises(MapError, match="not on 5 and 6"):
        measure_drift(made_vectors(5), made_vectors(6))
