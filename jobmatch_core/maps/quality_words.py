"""Descriptions of a map's quality figures."""

from dataclasses import dataclass

from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.quality import MapQuality


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its name, its formatted value, and its meaning."""

    name: str
    value: str
    meaning: str


def quality_figures(quality: MapQuality) -> list[Figure]:
    """Return the available figures."""
    k = quality.neighbours
    figures = [
        Figure(
            "trustworthiness", f"{quality.trustworthiness:.2f}",
            f"1 where the {k} neighbours of a point on the map are its neighbours in the model too; below 0.85 do not "
            "read much into what lies side by side.",
        ),
        Figure(
            "continuity", f"{quality.continuity:.2f}",
            f"1 where the {k} neighbours of a point in the model are its neighbours on the map too; low where the map "
            "tears apart what belongs together.",
        ),
        Figure(
            "neighbours kept", f"{quality.overlap:.0%}",
            f"How many of a point's {k} neighbours in the model are among its {k} neighbours on the map.",
        ),
    ]  # fmt: skip
    if quality.silhouette is not None:
        figures.append(
            Figure(
                "silhouette", f"{quality.silhouette:+.2f}",
                "How clearly the groups are apart on the map, from -1 to 1; 0 where they overlap. In the model itself: "
                f"{quality.space_silhouette:+.2f}.",
            )
        )  # fmt: skip
    if quality.space_mixing is not None and quality.mixing is not None:
        space, plane = quality.space_mixing, quality.mixing
        figures.append(
            Figure(
                "language mixing", f"{space.ratio:.2f}",
                f"{space.share:.0%} of a point's neighbours in the model are of another language; if languages made no "
                f"difference it would be {space.chance:.0%}, which is 1.00. On the map: {plane.ratio:.2f}.",
            )
        )  # fmt: skip
    return figures


def quality_note(latent: LatentMap, quality: MapQuality) -> str:
    """Return a map's method, model, points and figures in one line."""
    figures = ", ".join(f"{figure.name} {figure.value}" for figure in quality_figures(quality))
    of = f" of {latent.of:,}" if latent.sampled else ""
    return f"{latent.setting.method.upper()} of {len(latent.items):,}{of} points, model {latent.model}: {figures}"
