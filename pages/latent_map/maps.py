"""Encoded and projected maps, their pictures and quality, shared by all sessions."""

from collections.abc import Callable

from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from jobmatch_core.maps.comparison import Drift, measure_drift
from jobmatch_core.maps.figure import DrawnMap, drawn_map
from jobmatch_core.maps.items import Items
from jobmatch_core.maps.latent_map import LatentMap, encoded, followed, projected, quality_of
from jobmatch_core.maps.picture import Theme, View
from jobmatch_core.maps.projection import ProjectionSetting
from jobmatch_core.maps.quality import MapQuality
from jobmatch_core.settings import Settings
from pages.shared.cache import cached

_MAPS = 4  # of 50,000 points, 60 MB each


@cached(lambda key, model, items: (key, model), most=_MAPS)
def encoding(key: str, model: str, items: Callable[[], Items]) -> "Background[LatentMap]":
    """Encode items and place them by their first two principal components; *key* identifies the items."""
    settings = Settings.from_environment()
    return Background(lambda progress: encoded(items(), model, settings, progress=progress))


@cached(lambda key, latent, setting: (key, latent.model, setting), most=_MAPS)
def projecting(key: str, latent: LatentMap, setting: ProjectionSetting) -> "Background[LatentMap]":
    """Project an encoded map by another method, or read the stored projection."""
    settings = Settings.from_environment()
    return Background(lambda progress: projected(latent, setting, settings, progress=progress))


@cached(lambda key, first, model: (key, first.model, first.setting, model), most=_MAPS)
def following(key: str, first: LatentMap, model: str) -> "Background[tuple[LatentMap, Drift]]":
    """Map the same items by another model, aligned with the first map, and measure each item's drift."""
    settings = Settings.from_environment()

    def follow(progress: Progress) -> tuple[LatentMap, Drift]:
        latent = followed(first, model, settings, progress=progress)
        return latent, measure_drift(first.vectors, latent.vectors)

    return Background(follow)


@cached(
    lambda key, latent, view, title, theme: (key, latent.model, latent.setting, view, title, theme),
    most=8,  # of 50,000 points, 20 MB each
)
def picture(key: str, latent: LatentMap, view: View, title: str, theme: Theme) -> DrawnMap:
    """Draw a map's picture."""
    return drawn_map(latent, view, title, theme)


@cached(lambda key, latent, field: (key, latent.model, latent.setting, field), most=32)
def measuring(key: str, latent: LatentMap, field: str) -> "Background[MapQuality]":
    """Measure how faithful a map is; *field* is the name of its groups."""
    return Background(lambda progress: quality_of(latent, field=field, progress=progress))
