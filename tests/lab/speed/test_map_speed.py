"""The figures of `python -m lab bench map`: that they are there and fit together. How large they are is not tested."""

import sys
from dataclasses import asdict

import numpy as np
import pytest

from jobmatch_core.maps import projection
from jobmatch_core.maps.projection import Projection, ProjectionSetting, project
from lab.speed import map_speed
from lab.speed.map_speed import measure_map_speed


@pytest.fixture(autouse=True)
def no_umap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put random positions in place of UMAP, whose compilation takes a minute."""

    class Umap:
        def fit_transform(self, vectors: np.ndarray) -> np.ndarray:
            return vectors[:, :2]

    def projected(vectors: np.ndarray, setting: ProjectionSetting) -> Projection:
        return project(vectors, ProjectionSetting(projection.Method.PCA))

    monkeypatch.setitem(sys.modules, "umap", type("umap", (), {"UMAP": Umap}))
    monkeypatch.setattr(map_speed, "project", projected)


def test_all_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is above zero; points behind the last name lie near the first ones again."""
    monkeypatch.setattr(map_speed, "N_DRAWN", 100)
    monkeypatch.setattr(map_speed, "_NAMED", 90)
    told: list[tuple[int, int]] = []
    speed = measure_map_speed(150, progress=lambda *step: told.append(step))
    assert [name for name, value in asdict(speed).items() if not value > 0] == []
    assert (speed.points, speed.drawn) == (150, 100)
    assert told == [(step, 5) for step in range(6)]
    names, vectors = map_speed.points_near_names(150)
    assert names[90:] == names[:60]
    cosines = np.einsum("ij,ij->i", vectors[90:], vectors[:60])
    assert cosines == pytest.approx(0.89, abs=0.1)
