"""A map: items, the vectors of a model, and where they lie in the plane."""

from dataclasses import dataclass, replace

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import MapError
from jobmatch_core.maps.comparison import aligned
from jobmatch_core.maps.items import LANGUAGE, Items
from jobmatch_core.maps.kept_arrays import digest, kept
from jobmatch_core.maps.models import item_vectors
from jobmatch_core.maps.projection import FEWEST, Method, Projection, ProjectionSetting, project
from jobmatch_core.maps.quality import MapQuality, map_quality
from jobmatch_core.maps.sampling import density_sample
from jobmatch_core.settings import Settings

MOST_POINTS = 50_000  # that a browser draws within two seconds
_PCA = ProjectionSetting(Method.PCA)


@dataclass(frozen=True, slots=True)
class LatentMap:
    """Items in a plane.

    Attributes:
        items: what is on it.
        model: the word of the model.
        vectors: the model's, (item, dimension), L2-normalised.
        setting: how they were projected.
        projection: where they lie.
        of: how many items there were before some were drawn for all; as many as *items* where all are shown.
    """

    items: Items
    model: str
    vectors: FloatArray
    setting: ProjectionSetting
    projection: Projection
    of: int

    @property
    def positions(self) -> FloatArray:
        """Where the items lie, (item, 2)."""
        return self.projection.positions

    @property
    def sampled(self) -> bool:
        """Whether some stand for all."""
        return self.of > len(self.items)


def make_map(
    items: Items,
    model: str,
    setting: ProjectionSetting,
    settings: Settings,
    *,
    most: int = MOST_POINTS,
    start: FloatArray | None = None,
    progress: Progress = no_progress,
) -> LatentMap:
    """Make a map.

    Args:
        items: what is to be on it.
        model: the word of one, as `models` has them.
        setting: how to project.
        settings: where things are kept.
        most: points; of more items so many are drawn, as dense everywhere as all are by their two first components.
        start: positions to begin at, see `project`.
        progress: of encoding, then of projecting.

    Raises:
        JobMatchError: there are too few items, or the model cannot be used; as `item_vectors` and `project`.
    """
    if len(items) < FEWEST:
        raise MapError(f"A map needs at least {FEWEST} points, not {len(items)}; choose more of {items.kind}.")
    return projected(encoded(items, model, settings, most=most, progress=progress), setting, settings, start, progress)


def encoded(
    items: Items, model: str, settings: Settings, *, most: int = MOST_POINTS, progress: Progress = no_progress
) -> LatentMap:
    """Make the map by the two first principal components, which takes no longer than encoding; arguments as above."""
    vectors = item_vectors(items, model, settings, progress=progress)
    flat = project(vectors, _PCA)
    whole = LatentMap(items, model, vectors, _PCA, flat, len(items))
    if len(items) <= most:
        return whole
    rows = density_sample(flat.positions, most)
    return replace(
        whole, items=items.take(rows), vectors=vectors[rows], projection=replace(flat, positions=flat.positions[rows])
    )


def projected(
    latent: LatentMap,
    setting: ProjectionSetting,
    settings: Settings,
    start: FloatArray | None = None,
    progress: Progress = no_progress,
) -> LatentMap:
    """Project a map's vectors in another way, or take what is kept of that; arguments as above."""

    def make() -> dict[str, FloatArray]:
        made = project(latent.vectors, setting, start=start, progress=progress)
        return {"positions": made.positions, "mean": made.mean, "axes": made.axes}

    key = digest("projection", latent.vectors, *setting.key, "" if start is None else start)
    return replace(latent, setting=setting, projection=Projection(**kept(key, make, settings)))


def followed(first: LatentMap, model: str, settings: Settings, *, progress: Progress = no_progress) -> LatentMap:
    """Make another model's map of the same items, beginning at the first one's and laid on it.

    Args:
        first: the map that it is compared with.
        model: the word of the other model.
        settings: where things are kept.
        progress: of encoding, then of projecting.

    Raises:
        JobMatchError: the model cannot be used.
    """
    vectors = item_vectors(first.items, model, settings, progress=progress)
    start = None if first.setting.method is Method.PCA else first.positions
    other = projected(replace(first, model=model, vectors=vectors), first.setting, settings, start, progress)
    nothing = other.projection.axes[:0]  # axes of before it was turned place nothing
    turned = Projection(aligned(other.positions, first.positions), other.projection.mean[:0], nothing)
    return replace(other, projection=turned)


def quality_of(latent: LatentMap, *, field: str = "", progress: Progress = no_progress) -> MapQuality:
    """Measure a map, its silhouette by a field, or by the items' category where none is given."""
    items = latent.items
    groups = items.values(field or items.category_field) if field or items.category_field else ()
    languages = items.values(LANGUAGE) if LANGUAGE in items.colours else ()
    return map_quality(latent.vectors, latent.positions, groups=groups, languages=languages, progress=progress)
