"""Chart of a map: the projection, shared by all sessions, its quality, the selection, and downloads."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pandas as pd
import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.maps.comparison import Drift, measure_drift
from jobmatch_core.maps.figure import DrawnMap, drawn_map
from jobmatch_core.maps.items import CLUSTER, Items
from jobmatch_core.maps.latent_map import LatentMap, encoded, followed, projected, quality_figures, quality_of
from jobmatch_core.maps.map_file import map_rows, save_map
from jobmatch_core.maps.picture import Picture, Theme, View
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.maps.quality import MapQuality
from jobmatch_core.settings import Settings
from pages.latent_map.map_choice import MapChoice, model_title, stamp_of
from pages.shared.cache import cached
from pages.shared.widgets import finished, plain

_MAPS = 4  # of 50,000 points, 60 MB each
_KINDS: tuple[tuple[str, str, Theme, str], ...] = (
    ("PNG, light", "png", "light", "image/png"),
    ("PNG, dark", "png", "dark", "image/png"),
    ("SVG, light", "svg", "light", "image/svg+xml"),
    ("SVG, dark", "svg", "dark", "image/svg+xml"),
    ("Page (HTML)", "html", "light", "text/html"),
    ("Points (CSV)", "csv", "light", "text/csv"),
    ("Points (Parquet)", "parquet", "light", "application/vnd.apache.parquet"),
)
_CHART_KEY, _SKETCH_KEY = "map_chart", "map_sketch"
_ATTEMPT_KEY, _EMPTY_KEY = "map_attempt", "map_selected_nothing"
_PATIENCE_SECONDS = 0.3  # waiting time for a result, before the page continues without it
_CONFIG = {"scrollZoom": True, "displaylogo": False, "modeBarButtonsToRemove": ["toImage"]}


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
    lambda key, latent, view, title, theme: (key, latent.model, latent.setting, view, title, theme),
    most=8,  # of 50,000 points, 20 MB each
)
def _drawing(key: str, latent: LatentMap, view: View, title: str, theme: Theme) -> DrawnMap:
    return drawn_map(latent, view, title, theme)


@cached(lambda key, latent, field: (key, latent.model, latent.setting, field), most=32)
def _measuring(key: str, latent: LatentMap, field: str) -> "Background[MapQuality]":
    return Background(lambda progress: quality_of(latent, field=field, progress=progress))


def _downloads(chosen: MapChoice, latent: LatentMap, picture: Picture) -> None:
    with st.popover("Download", icon=":material/download:"):
        for label, ending, theme, mime in _KINDS:
            name = f"map-{theme}.{ending}" if ending in ("png", "svg") else f"map.{ending}"
            st.download_button(
                label,
                data=partial(_as_file, chosen.title, picture, ending, theme),
                file_name=name,
                mime=mime,
                key=f"map_download_{ending}_{theme}",
                on_click="ignore",
                width="stretch",
            )
    if find_spec("embedding_atlas") is not None and st.button(
        "Open in Atlas", key="map_atlas", icon=":material/public:"
    ):
        _atlas(latent)


def _as_file(title: str, picture: Picture, ending: str, theme: Theme) -> bytes:
    latent = picture.latent
    note = f"{latent.setting.method.spelling} of {len(latent.items):,} points, model {model_title(latent.model)}"
    with temporary_folder() as folder:
        path = folder / f"map.{ending}"
        save_map(picture, title, path, theme=theme, note=note)
        return path.read_bytes()


@st.dialog("Atlas", width="large")
def _atlas(latent: LatentMap) -> None:
    st.caption(
        "Atlas fetches its database from cdn.jsdelivr.net and stays empty without the internet. The plotted data "
        "does not leave your browser."
    )
    atlas = import_module("embedding_atlas.streamlit").embedding_atlas
    atlas(pd.DataFrame(map_rows(latent)), text="text", x="x", y="y")


def latent_map(chosen: MapChoice) -> LatentMap:
    """Return the selected map; while a slow projection is computed, the one by PCA.

    Raises:
        JobMatchError: the items or the model cannot be used.
    """
    encoding = _encoding(chosen.key, chosen.model, chosen.items)
    flat = finished(encoding, f"Encoding with the model {plain(model_title(chosen.model))}")
    if chosen.setting.method is Method.PCA:
        return flat
    projecting = _projecting(chosen.key, flat, chosen.setting)
    if projecting.wait(_PATIENCE_SECONDS):
        return projecting.result()
    _watch(projecting, f"{chosen.setting.method.spelling} is being computed; until then, a sketch by PCA is shown")
    return flat


def show(chosen: MapChoice, latent: LatentMap, view: View) -> list[str]:
    """Draw the map and its quality; return the ids of the selected points.

    Raises:
        MapError: the view shows no points.
    """
    title = f"{chosen.title}, {len(latent.items):,}{f' of {latent.of:,}' if latent.sampled else ''} points"
    is_sketch = latent.setting.method is not chosen.setting.method
    with st.spinner("Drawing …", show_time=False):
        drawn = _drawing(chosen.key, latent, view, title, theme())
    key = f"map_plot_{st.session_state.setdefault(_ATTEMPT_KEY, 0)}"
    with st.container(key=_SKETCH_KEY if is_sketch else _CHART_KEY):
        event = st.plotly_chart(
            drawn.figure,
            key=key,
            on_select=lambda: _clear_if_empty(key),
            selection_mode=("lasso", "box", "points"),
            config=_CONFIG,
        )
    if st.session_state.get(_EMPTY_KEY):
        st.info(
            "The area contains no points, so the selection was cleared. Draw around some points.",
            icon=":material/highlight_alt:",
        )
    if latent.sampled:
        st.caption(
            f"{len(latent.items):,} of {latent.of:,} points are shown, a sample that preserves the share of every "
            "region; figures and neighbours refer to it."
        )
    if not is_sketch:  # figures and files describe the chosen method only
        with st.container(horizontal=True, vertical_alignment="center"):
            _quality(chosen, latent, view)
            st.space("stretch")
            _downloads(chosen, latent, drawn.picture)
    return _selected(event)


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
        _watch(measuring, "Measuring the quality of this map")
        return
    for figure in quality_figures(measuring.result()):
        st.markdown(f"{figure.name} **{figure.value}**", help=figure.meaning, width="content")


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
    rounds = f" {work.done:,} of {work.total:,} rounds" if work.total else ""
    st.progress(share, text=f"{label} …{rounds}")
