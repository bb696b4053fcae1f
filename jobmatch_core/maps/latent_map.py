"""A map: items, their vectors by a model, their positions in the plane, and its quality figures in words."""

from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import MapError
from jobmatch_core.maps.comparison import aligned
from jobmatch_core.maps.items import LANGUAGE, Items
from jobmatch_core.maps.models import cached_arrays, digest, item_vectors
from jobmatch_core.maps.neighbours import density_sample, distance_blocks, nearest_of
from jobmatch_core.maps.projection import FEWEST, Method, ProjectionSetting, project
from jobmatch_core.maps.quality import MapQuality, map_quality
from jobmatch_core.settings import Settings

MOST_POINTS = 50_000  # a browser draws them within two seconds
_PCA = ProjectionSetting(Method.PCA)


@dataclass(frozen=True, slots=True)
class LatentMap:
    """Items in a plane."""

    items: Items  # displayed items
    model: str
    vectors: FloatArray  # (item, dimension) vectors of the model, L2-normalised
    setting: ProjectionSetting
    positions: FloatArray  # (item, 2) positions of the items
    of: int  # number of items before sampling

    @property
    def sampled(self) -> bool:
        """True if the items are a sample."""
        return self.of > len(self.items)


def make_map(
    items: Items,
    model: str,
    setting: ProjectionSetting,
    settings: Settings,
    *,
    most: int = MOST_POINTS,
    progress: Progress = no_progress,
) -> LatentMap:
    """Compute a map; more than *most* items are sampled by the density of their two first components.

    Raises JobMatchError if too few items, or the model cannot be used; see `item_vectors` and `project`.
    """
    if len(items) < FEWEST:
        raise MapError(f"A map needs at least {FEWEST} points, not {len(items)}; choose more of {items.kind}.")
    return projected(
        encoded(items, model, settings, most=most, progress=progress), setting, settings, progress=progress
    )


def encoded(
    items: Items, model: str, settings: Settings, *, most: int = MOST_POINTS, progress: Progress = no_progress
) -> LatentMap:
    """Compute the map of the two first principal components; arguments as for `make_map`."""
    vectors = item_vectors(items, model, settings, progress=progress)
    flat = project(vectors, _PCA).positions
    whole = LatentMap(items, model, vectors, _PCA, flat, len(items))
    if len(items) <= most:
        return whole
    rows = density_sample(flat, most)
    return replace(whole, items=items.take(rows), vectors=vectors[rows], positions=flat[rows])


def projected(
    latent: LatentMap,
    setting: ProjectionSetting,
    settings: Settings,
    start: FloatArray | None = None,
    progress: Progress = no_progress,
) -> LatentMap:
    """Project a map's vectors with another setting, or load the cached projection; arguments as for `make_map`."""

    def make() -> dict[str, FloatArray]:
        projection = project(latent.vectors, setting, start=start, progress=progress)
        return {"positions": projection.positions, "mean": projection.mean, "axes": projection.axes}

    key = digest("projection", latent.vectors, *setting.key, "" if start is None else start)
    return replace(latent, setting=setting, positions=cached_arrays(key, make, settings)["positions"])


def followed(first: LatentMap, model: str, settings: Settings, *, progress: Progress = no_progress) -> LatentMap:
    """Compute another model's map of the same items, starting from the first one and aligned with it.

    Raises JobMatchError if the model cannot be used.
    """
    vectors = item_vectors(first.items, model, settings, progress=progress)
    start = None if first.setting.method is Method.PCA else first.positions
    other = projected(replace(first, model=model, vectors=vectors), first.setting, settings, start, progress)
    return replace(other, positions=aligned(other.positions, first.positions))


def quality_of(latent: LatentMap, *, field: str = "", progress: Progress = no_progress) -> MapQuality:
    """Measure a map, with the silhouette of a field, by default of the items' category."""
    items = latent.items
    field = field or items.category_field
    groups = items.values(field) if field else ()
    languages = items.values(LANGUAGE) if LANGUAGE in items.colours else ()
    quality = map_quality(latent.vectors, latent.positions, groups=groups, languages=languages, progress=progress)
    return replace(quality, field=field)


@dataclass(frozen=True, slots=True)
class NearItem:
    """An item's row and its cosine distance in the model's space, from 0 to 2."""

    row: int
    distance: float


def nearest_items(latent: LatentMap, row: int, k: int = 10) -> list[NearItem]:
    """Return the *k* items nearest to that of a row, nearest first, without itself."""
    _, squared = next(distance_blocks(latent.vectors, np.array([row])))
    rows = nearest_of(squared, min(k, len(latent.items) - 1))[0]
    return [NearItem(int(near), float(squared[0, near]) / 2) for near in rows]  # vectors are L2-normalised


@dataclass(frozen=True, slots=True)
class MapFigure:
    """A quality figure: its name, its formatted value, and its meaning."""

    name: str
    value: str
    meaning: str


def quality_figures(quality: MapQuality) -> list[MapFigure]:
    """Return the available figures."""
    k = quality.neighbours
    figures = [
        MapFigure(
            "trustworthiness",
            f"{quality.trustworthiness:.2f}",
            f"1 if the {k} neighbours of each point on the map are its neighbours in the model too; below 0.85, "
            "neighbourhoods on the map mean little.",
        ),
        MapFigure(
            "continuity",
            f"{quality.continuity:.2f}",
            f"1 if the {k} neighbours of each point in the model are its neighbours on the map too; low if the map "
            "separates similar items.",
        ),
        MapFigure(
            "neighbours kept",
            f"{quality.overlap:.0%}",
            f"Share of a point's {k} neighbours in the model that are among its {k} neighbours on the map.",
        ),
    ]
    if quality.silhouette is not None:
        figures.append(
            MapFigure(
                f"silhouette by {quality.field}",
                f"{quality.silhouette:+.2f}",
                f"Separation of the groups by {quality.field} on the map, from -1 to 1; 0 if they overlap. "
                f"In the model itself: {quality.space_silhouette:+.2f}.",
            )
        )
    if quality.space_mixing is not None and quality.mixing is not None:
        space, plane = quality.space_mixing, quality.mixing
        figures.append(
            MapFigure(
                "language mixing",
                f"{space.ratio:.2f}",
                f"{space.share:.0%} of a point's neighbours in the model are of another language, against "
                f"{space.chance:.0%} if languages made no difference (1.00). On the map: {plane.ratio:.2f}.",
            )
        )
    return figures


def quality_note(latent: LatentMap, quality: MapQuality) -> str:
    """Return a map's method, model, number of points and figures in one line."""
    figures = ", ".join(f"{figure.name} {figure.value}" for figure in quality_figures(quality))
    of = f" of {latent.of:,}" if latent.sampled else ""
    return f"{latent.setting.method.spelling} of {len(latent.items):,}{of} points, model {latent.model}: {figures}"
