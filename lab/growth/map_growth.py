"""Growth of maps over their points: names of the bundled taxonomy, and points near these."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.neighbours import density_sample
from jobmatch_core.maps.projection import FEWEST, SEARCHED, Method, Projection, ProjectionSetting, project
from jobmatch_core.maps.quality import map_quality
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.vectors import normalised
from lab.growth.growth_series import GrowthSetting, Series

MOST = 100_000
_NAMED = 30_000  # names of the bundled taxonomy at most; the other points lie near them
_NOISE = 0.5  # length of what a point is away from its name, which has length 1


def map_growth(setting: GrowthSetting) -> list[Series]:
    """Return what is measured; raises SettingsError where the share leaves too little."""
    steps = {
        "principal components": MapWork.components,
        "UMAP": MapWork.umap,
        "figures of quality": MapWork.quality,
        "choose half of the points": MapWork.sample,
    }
    return [Series("points", "points", setting.sizes(MOST), _points, steps)]


class MapWork:
    """Vectors and their map."""

    flat: Projection

    def __init__(self, vectors: FloatArray) -> None:
        self._vectors = vectors

    def components(self) -> None:
        """Project onto the principal components."""
        self.flat = project(self._vectors, ProjectionSetting(Method.PCA))

    def umap(self) -> None:
        """Project by UMAP."""
        project(self._vectors, ProjectionSetting(Method.UMAP))

    def quality(self) -> None:
        """Compute the figures beside the map."""
        map_quality(self._vectors, self.flat.positions)

    def sample(self) -> None:
        """Choose half of the points, as for drawing."""
        density_sample(self.flat.positions, max(len(self._vectors) // 2, 1))


@contextmanager
def _points(size: int, _: Path) -> Iterator[MapWork]:
    if size >= SEARCHED:
        few = np.random.default_rng(0).random((SEARCHED, 2), dtype=np.float32)
        project(few, ProjectionSetting(Method.UMAP))  # compiles the search, which the small warm-up does not use
    yield MapWork(_vectors_near_names(max(size, FEWEST)))


def _vectors_near_names(count: int) -> FloatArray:
    names = list(dict.fromkeys(TaxonomyStore.open().load(BUNDLED_ID).name_texts))[: min(count, _NAMED)]
    vectors = shipped_encoder().encode(names)
    noise = normalised(np.random.default_rng(0).normal(size=(count, vectors.shape[1])).astype(np.float32)) * _NOISE
    noise[: len(names)] = 0
    return normalised(vectors[np.arange(count) % len(names)] + noise)
