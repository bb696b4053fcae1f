"""Projections: seeds, initial positions, and items without a map."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from jobmatch_core.errors import MapError
from jobmatch_core.maps import projection
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.projection import Method, ProjectionSetting, project
from jobmatch_core.maps.quality import map_quality
from tests.core.maps.conftest import made_vectors


def test_pca_as_scikit_learn_has_it() -> None:
    """Up to the sign of an axis."""
    vectors = made_vectors(50)
    found = project(vectors, ProjectionSetting(Method.PCA))
    expected = PCA(2).fit_transform(vectors)
    assert np.abs(found.positions) == pytest.approx(np.abs(expected), abs=1e-4)


@pytest.mark.long
def test_umap_keeps_groups_together(latent: LatentMap) -> None:
    """A seed makes it reproducible; progress is reported to the end."""
    told: list[tuple[int, int]] = []
    setting = ProjectionSetting(Method.UMAP, neighbours=8)
    found = project(latent.vectors, setting, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 1
    assert (project(latent.vectors, setting).positions == found.positions).all()
    quality = map_quality(latent.vectors, found.positions, groups=latent.items.values("category"))
    assert quality.silhouette is not None
    assert quality.silhouette > 0.5


def test_tsne_keeps_groups_together(latent: LatentMap) -> None:
    """The perplexity is lowered for few points; a seed makes it reproducible."""
    setting = ProjectionSetting(Method.TSNE, perplexity=10)
    found = project(latent.vectors, setting)
    assert (project(latent.vectors, setting).positions == found.positions).all()
    quality = map_quality(latent.vectors, found.positions, groups=latent.items.values("category"))
    assert quality.silhouette is not None
    assert quality.silhouette > 0.5


def test_too_few_or_all_the_same() -> None:
    """The messages say what to do."""
    with pytest.raises(MapError, match="at least 4"):
        project(made_vectors(3), ProjectionSetting())
    with pytest.raises(MapError, match="cannot tell the points apart"):
        project(np.ones((9, 4), dtype=np.float32) / 2, ProjectionSetting(Method.TSNE))


@pytest.mark.parametrize("wrong", [{"neighbours": 1}, {"min_dist": 1.5}, {"perplexity": 0.0}])
def test_settings_that_cannot_be(wrong: dict[str, float]) -> None:
    """The error comes at once, not after minutes."""
    with pytest.raises(MapError, match="2 or more neighbours"):
        ProjectionSetting(**wrong)  # type: ignore[arg-type]


def test_only_what_matters_makes_another_map() -> None:
    """PCA ignores the seed, UMAP the perplexity."""
    assert ProjectionSetting(Method.PCA, seed=1).key == ProjectionSetting(Method.PCA, seed=2).key
    assert ProjectionSetting(perplexity=5).key == ProjectionSetting().key
    assert ProjectionSetting(neighbours=5).key != ProjectionSetting().key


def test_few_points_are_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """UMAP gets the distances of few points and the vectors of many."""
    vectors, given = made_vectors(20), {}

    class Umap:
        def __init__(self, metric: str, **_: object) -> None:
            self.metric = metric

        def fit_transform(self, what: np.ndarray) -> np.ndarray:
            given[self.metric] = what
            return what[:, :2]

    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=Umap))
    for most in (len(vectors) + 1, len(vectors)):
        monkeypatch.setattr(projection, "SEARCHED", most)
        project(vectors, ProjectionSetting(Method.UMAP))
    naive = [[np.linalg.norm(one - other) for other in vectors] for one in vectors]
    assert given["precomputed"] == pytest.approx(np.array(naive), abs=1e-5)
    assert given["euclidean"] is vectors
