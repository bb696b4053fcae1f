"""Duration of maps, compared in the same run with plain calls of UMAP.

Points are names of the bundled taxonomy by the shipped encoder, and further points near these, so that no other data
is needed.
"""

from dataclasses import dataclass

import numpy as np

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.maps.figure import drawn_map
from jobmatch_core.maps.items import LANGUAGE, ItemKind, Items
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.neighbours import density_sample
from jobmatch_core.maps.picture import View
from jobmatch_core.maps.projection import FEWEST, Method, ProjectionSetting, project
from jobmatch_core.maps.quality import map_quality
from jobmatch_core.metrics.gauges import peak_memory_mb, timed
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.vectors import normalised

N_POINTS, N_DRAWN = 100_000, 50_000
_NAMED = 30_000  # names of the bundled taxonomy at most; the other points lie near them
_NOISE = 0.5  # length of what a point is away from its name, which has length 1
_WARM_UP = 200  # points that UMAP gets first: compiling it is not what is timed
_STEPS = 5


@dataclass(frozen=True, slots=True)
class MapSpeed:
    """Seconds and megabytes of one run."""

    # points, dimension: numbers of points and of dimensions
    points: int
    dimension: int
    pca_s: float  # two principal components
    umap_s: float  # our UMAP: seeded, begun at the components
    quality_s: float  # the figures beside the map
    drawn: int  # number of drawn points
    sample_s: float  # choosing these
    figure_s: float  # the figure with contours and labels, as text for the browser
    rss_mb: float  # highest resident memory up to there
    plain_umap_s: float  # `umap.UMAP().fit_transform`, with its own start and all cores; it gives another map each time
    plain_ratio: float  # plain_umap_s / umap_s


def measure_map_speed(n_points: int = N_POINTS, *, progress: Progress = no_progress) -> MapSpeed:
    """Map points and compare.

    Args:
        n_points: number of points, at least `FEWEST`.
    """
    from umap import UMAP  # type: ignore[import-untyped]  # which takes seconds, for numba

    names, vectors = points_near_names(max(n_points, FEWEST))
    umap = ProjectionSetting(Method.UMAP)
    project(vectors[:_WARM_UP], umap)
    progress(0, _STEPS)
    pca_s, flat = timed(lambda: project(vectors, ProjectionSetting(Method.PCA)))
    progress(1, _STEPS)
    umap_s, placed = timed(lambda: project(vectors, umap))
    progress(2, _STEPS)
    quality_s, _ = timed(lambda: map_quality(vectors, placed.positions))
    sample_s, rows = timed(lambda: density_sample(flat.positions, N_DRAWN))
    progress(3, _STEPS)
    ids, groups = tuple(map(str, rows.tolist())), tuple(names[row][:1] for row in rows.tolist())
    items = Items(ItemKind.OCCUPATIONS, BUNDLED_ID, ids, tuple(names[row] for row in rows), {LANGUAGE: groups})
    latent = LatentMap(items, TITLES, vectors[rows], ProjectionSetting(Method.PCA), flat.positions[rows], len(names))
    figure_s, _ = timed(lambda: drawn_map(latent, View(LANGUAGE), "light").figure.to_json())
    rss_mb = peak_memory_mb()
    progress(4, _STEPS)
    plain_umap_s, _ = timed(lambda: UMAP().fit_transform(vectors))
    progress(5, _STEPS)
    return MapSpeed(
        points=len(vectors),
        dimension=vectors.shape[1],
        pca_s=pca_s,
        umap_s=umap_s,
        quality_s=quality_s,
        drawn=len(rows),
        sample_s=sample_s,
        figure_s=figure_s,
        rss_mb=rss_mb,
        plain_umap_s=plain_umap_s,
        plain_ratio=plain_umap_s / umap_s,
    )


def points_near_names(count: int) -> tuple[list[str], FloatArray]:
    """Return so many texts and vectors, those behind the last name lying near the first ones again."""
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    names = list(dict.fromkeys(taxonomy.name_texts))[: min(count, _NAMED)]
    vectors = shipped_encoder().encode(names)
    random = np.random.default_rng(0)
    rows = np.arange(count) % len(names)
    noise = normalised(random.normal(size=(count, vectors.shape[1])).astype(np.float32)) * _NOISE
    noise[: len(names)] = 0
    return [names[row] for row in rows.tolist()], normalised(vectors[rows] + noise)
