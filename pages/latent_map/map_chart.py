"""Chart of a map: the projection, shared by all sessions, its quality, the selection, and downloads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.maps.comparison import Drift, measure_drift
from jobmatch_core.maps.figure import DrawnMap, Spelling, drawn_map
from jobmatch_core.maps.items import CLUSTER, Items
from jobmatch_core.maps.latent_map import LatentMap, encoded, followed, projected, quality_figures, quality_of
from jobmatch_core.maps.map_file import map_rows, save_map
from jobmatch_core.maps.moving_figure import moving_map
from jobmatch_core.maps.picture import Picture, Theme, View
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.maps.quality import MapQuality
from jobmatch_core.settings import Settings
from pages.latent_map import view_link
from pages.latent_map.map_choice import MapChoice, model_title, stamp_of
from pages.latent_map.view_choice import name_in_view
from pages.shared.cache import cached
from pages.shared.composed import composed
from pages.shared.downloads import download
from pages.shared.language import N_, _, language, numeral
from pages.shared.widgets import dialog, finished, plain, time_left

_MAPS = 4  # of 50,000 points, 60 MB each
_KINDS: tuple[tuple[str, str, Theme], ...] = (
    (N_("PNG, light"), "png", "light"),
    (N_("PNG, dark"), "png", "dark"),
    (N_("SVG, light"), "svg", "light"),
    (N_("SVG, dark"), "svg", "dark"),
    (N_("Page (HTML)"), "html", "light"),
    (N_("Points (CSV)"), "csv", "light"),
    (N_("Points (Parquet)"), "parquet", "light"),
)
CHART_KEY, _SKETCH_KEY = "map_chart", "map_sketch"
_ATTEMPT_KEY, _EMPTY_KEY = "map_attempt", "map_selected_nothing"
_PATIENCE_SECONDS = 0.3  # waiting time for a result, before the page continues without it
_CONFIG = {
    "scrollZoom": True,
    "displaylogo": False,
    "displayModeBar": True,
    "modeBarButtonsToRemove": ["toImage", "zoom2d", "autoScale2d"],
}


@cached(lambda key, model, items: (key, model), most=_MAPS)
def _encoding(key: str, model: str, items: Callable[[], Items]) -> "Background[LatentMap]":
    settings = Settings.from_environment()
    return Background(lambda progress: encoded(items(), model, settings, progress=progress))


@cached(lambda key, latent, setting: (key, latent.model, setting), most=_MAPS)
def _projecting(key: str, latent: LatentMap, setting: ProjectionSetting) -> "Background[LatentMap]":
    settings = Settings.from_environment()
    return Background(lambda progress: projected(latent, setting, settings, progress=progress))


@cached(lambda key, first, model: (key, first.model, first.setting, model, stamp_of(model)), most=_MAPS)
def following(key: str, first: LatentMap, model: str) -> "Background[tuple[LatentMap, Drift]]":
    """Map the same items by another model, aligned with the first map, and measure each item's drift."""
    settings = Settings.from_environment()

    def follow(progress: Progress) -> tuple[LatentMap, Drift]:
        latent = followed(first, model, settings, progress=progress)
        return latent, measure_drift(first.vectors, latent.vectors)

    return Background(follow)


@cached(
    lambda key, latent, view, theme, other: (
        key,
        latent.model,
        latent.setting,
        view,
        theme,
        other and other.model,
        language(),
    ),
    most=8,  # of 50,000 points, 20 MB each
)
def _drawing(key: str, latent: LatentMap, view: View, theme: Theme, other: LatentMap | None) -> DrawnMap:
    spelling = Spelling(name_in_view, numeral)
    if other is None:
        return drawn_map(latent, view, theme, spelling)
    return moving_map(latent, other, view, theme, (model_title(latent.model), model_title(other.model)), spelling)


@cached(lambda key, latent, field: (key, latent.model, latent.setting, field), most=32)
def _measuring(key: str, latent: LatentMap, field: str) -> "Background[MapQuality]":
    return Background(lambda progress: quality_of(latent, field=field, progress=progress))


def _downloads(chosen: MapChoice, latent: LatentMap, picture: Picture) -> None:
    note = _(  # before the download, whose thread knows no language
        "{method} of {n_items} points, model {model}",
        method=latent.setting.method.spelling,
        n_items=numeral(len(latent.items)),
        model=model_title(latent.model),
    )
    with st.popover(_("Download"), icon=":material/download:"):
        for label, ending, theme in _KINDS:
            download(
                _(label),
                partial(_as_file, chosen.title, note, picture, ending, theme),
                f"map-{theme}.{ending}" if ending in ("png", "svg") else f"map.{ending}",
                f"map_download_{ending}_{theme}",
                icon="",
                width="stretch",
            )
    if find_spec("embedding_atlas") is not None and st.button(
        _("Open in Atlas"), key="map_atlas", icon=":material/public:"
    ):
        _atlas(latent)


def _as_file(title: str, note: str, picture: Picture, ending: str, theme: Theme) -> bytes:
    with temporary_folder() as folder:
        path = folder / f"map.{ending}"
        save_map(picture, title, path, theme=theme, note=note)
        return path.read_bytes()


@dialog(N_("Atlas"), width="large")
def _atlas(latent: LatentMap) -> None:
    st.caption(
        _(
            "Atlas fetches its database from cdn.jsdelivr.net and stays empty without the internet. The "
            "plotted data does not leave your browser."
        )
    )
    atlas = import_module("embedding_atlas.streamlit").embedding_atlas
    atlas(pd.DataFrame(map_rows(latent)), text="text", x="x", y="y")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a map are drawn: the page's line, the chart, and the line of figures below it."""

    line: DeltaGenerator
    chart: DeltaGenerator
    figures: DeltaGenerator


def latent_map(chosen: MapChoice, places: Places) -> LatentMap:
    """Return the selected map; while a slow projection is computed, the one by PCA.

    Raises:
        JobMatchError: the items or the model cannot be used.
    """
    encoding = _encoding(chosen.key, chosen.model, chosen.items)
    with places.chart:
        flat = finished(encoding, _("Encoding with the model {model}", model=plain(model_title(chosen.model))))
    if chosen.setting.method is Method.PCA:
        return flat
    projecting = _projecting(chosen.key, flat, chosen.setting)
    if projecting.wait(_PATIENCE_SECONDS):
        return projecting.result()
    with places.figures:
        _watch(
            projecting,
            _(
                "{spelling} is being computed; until then, a sketch by PCA is shown",
                spelling=chosen.setting.method.spelling,
            ),
        )
    return flat


def show_title(chosen: MapChoice, latent: LatentMap, line: DeltaGenerator) -> None:
    """Draw what the map shows, and of how many points, in the page's line."""
    of = _(" of {of}", of=numeral(latent.of)) if latent.sampled else ""
    sample = _("A sample that preserves the share of every region; figures and neighbours refer to it.")
    line.caption(
        _("{title} · {n_items}{of} points", title=plain(chosen.title), n_items=numeral(len(latent.items)), of=of),
        help=sample if latent.sampled else None,
        width="stretch",
    )


def show(chosen: MapChoice, latent: LatentMap, view: View, places: Places, against: str) -> list[str]:
    """Draw the map and its quality; return the ids of the selected points.

    Args:
        chosen: The selected map.
        latent: The map to draw.
        view: The selected view.
        places: Where its parts are drawn.
        against: Name of a model, to whose map of the same points the map moves; or ''.

    Raises:
        MapError: the view shows no points.
        JobMatchError: the other model cannot be used.
    """
    is_sketch = latent.setting.method is not chosen.setting.method
    other = None if is_sketch or not against else _other_map(chosen, latent, against, places.figures)
    with places.chart, st.spinner(_("Drawing …"), show_time=False):
        drawn = _drawing(chosen.key, latent, view, theme(), other)
    key = f"map_plot_{st.session_state.setdefault(_ATTEMPT_KEY, 0)}"
    with places.chart.container(key=_SKETCH_KEY if is_sketch else CHART_KEY, height="stretch"):
        event = st.plotly_chart(
            drawn.figure,
            key=key,
            height="stretch",
            on_select=lambda: _clear_if_empty(key),
            selection_mode=("lasso", "box", "points"),
            config=_CONFIG,
        )
    if st.session_state.pop(_EMPTY_KEY, False):
        st.toast(_("The area contains no points, so the selection was cleared."), icon=":material/highlight_alt:")
    with places.line:
        with st.popover(_("Share view"), icon=":material/share:"):
            st.caption(_("This link opens the same view, without the selection."))
            st.code(view_link.link(), language=None, wrap_lines=True)
        if not is_sketch:
            _downloads(chosen, latent, drawn.picture)
    if not is_sketch:  # figures describe the chosen method only
        with places.figures:
            for shown in (latent, *([other] if other else [])):
                _quality(chosen, shown, view)
    return _selected(event)


def unselect() -> None:
    """Clear the selection; the chart is drawn anew."""
    st.session_state[_ATTEMPT_KEY] += 1


def other_map(chosen: MapChoice, latent: LatentMap, against: str) -> LatentMap | None:
    """Return the same points' map by another model; None while there is none."""
    work = following(chosen.key, latent, against) if against else None
    return work.result()[0] if work and work.wait(0) else None


def _other_map(chosen: MapChoice, latent: LatentMap, against: str, place: DeltaGenerator) -> LatentMap | None:
    work = following(chosen.key, latent, against)
    if work.wait(_PATIENCE_SECONDS):
        return work.result()[0]
    with place:
        _watch(work, _("Mapping the same points with the model {model}", model=plain(model_title(against))))
    return None


def _selected(event: object) -> list[str]:
    points = event.selection.points if hasattr(event, "selection") else []
    return list(dict.fromkeys(str(point["customdata"][0]) for point in points if point.get("customdata")))


def theme() -> Theme:
    """Return the theme of the page; light until the browser has reported it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def _quality(chosen: MapChoice, latent: LatentMap, view: View) -> None:
    field = view.colour if view.colour != CLUSTER else ""
    measuring = _measuring(chosen.key, latent, field)
    if not measuring.wait(_PATIENCE_SECONDS):
        _watch(
            measuring,
            _("Measuring the quality of the map of {model}", model=plain(model_title(latent.model))),
        )
        return
    with st.container(horizontal=True, gap="small"):
        drawn_by = _(
            "{method}, {model}:",
            method=latent.setting.method.spelling,
            model=plain(model_title(latent.model)),
        )
        st.caption(drawn_by, width="content")
        for figure in quality_figures(measuring.result()):
            st.caption(
                f"{composed(figure.name)} **{composed(figure.value)}**", help=composed(figure.meaning), width="content"
            )


def _clear_if_empty(key: str) -> None:
    # a new key draws the chart without its lasso or box
    selection = st.session_state[key].selection
    empty = bool((selection.lasso or selection.box) and not selection.points)
    st.session_state[_EMPTY_KEY] = empty
    st.session_state[_ATTEMPT_KEY] += empty


@st.fragment(run_every=1.0)
def _watch(work: Background[Any], label: str) -> None:
    if work.wait(0):
        st.rerun()
    share = min(work.done / work.total, 1.0) if work.total else 0.0
    rounds = _("{done} of {total}", done=numeral(work.done), total=numeral(work.total)) if work.total else ""
    left = time_left(work.done, work.total, work.reported - work.begun) if 0 < work.done < work.total else ""
    st.progress(share, text=f"{label} … {' · '.join(filter(None, (rounds, left)))}".rstrip())
