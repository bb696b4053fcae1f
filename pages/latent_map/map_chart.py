"""The map itself, what it is worth, and what is selected on it."""

from typing import Any

import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch_core.maps.items import CLUSTER
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.picture import Theme, View
from jobmatch_core.maps.projection import Method
from jobmatch_core.maps.quality_words import quality_figures
from pages.latent_map import map_downloads, maps
from pages.latent_map.map_choice import MapChoice, model_title
from pages.shared.widgets import finished, plain

_CHART_KEY, _ATTEMPT_KEY, _EMPTY_KEY = "map_chart", "map_attempt", "map_selected_nothing"
_PATIENCE_SECONDS = 0.3  # then the page goes on without what takes longer
_CONFIG = {"scrollZoom": True, "displaylogo": False, "modeBarButtonsToRemove": ["toImage"]}


def latent_map(chosen: MapChoice) -> LatentMap:
    """Return the map; while a slow projection is made, that by two components.

    Raises:
        JobMatchError: the items or the model cannot be used.
    """
    encoding = maps.encoding(chosen.key, chosen.model, chosen.items)
    flat = finished(encoding, f"Encoding with the model {plain(model_title(chosen.model))}")
    if chosen.setting.method is Method.PCA:
        return flat
    projecting = maps.projecting(chosen.key, flat, chosen.setting)
    if projecting.wait(_PATIENCE_SECONDS):
        return projecting.result()
    _watch(projecting, f"{chosen.setting.method.upper()} is being computed; until then, PCA is shown")
    return flat


def show(chosen: MapChoice, latent: LatentMap, view: View) -> list[str]:
    """Draw the map and what it is worth; return the ids of the selected points.

    Raises:
        MapError: there is nothing to be seen in that way.
    """
    title = f"{chosen.title}, {len(latent.items):,}{f' of {latent.of:,}' if latent.sampled else ''} points"
    with st.spinner("Drawing …", show_time=False):
        drawn = maps.picture(chosen.key, latent, view, title, theme())
    key = f"map_plot_{st.session_state.setdefault(_ATTEMPT_KEY, 0)}"
    with st.container(key=_CHART_KEY):
        event = st.plotly_chart(
            drawn.figure, key=key, on_select=lambda: _clear_if_empty(key),
            selection_mode=("lasso", "box", "points"), config=_CONFIG,
        )  # fmt: skip
    if st.session_state.get(_EMPTY_KEY):
        st.info("The area contains no points, so the selection was cleared. Draw around some points.",
                icon=":material/highlight_alt:")  # fmt: skip
    if latent.sampled:
        st.caption(
            f"{len(latent.items):,} of {latent.of:,} points are shown, a sample that preserves the share of every "
            "region; figures and neighbours refer to it."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        _quality(chosen, latent, view)
        st.space("stretch")
        map_downloads.show(chosen, latent, drawn.picture)
    return _selected(event)


def theme() -> Theme:
    """Return the theme of the page; light until the browser has reported it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def _quality(chosen: MapChoice, latent: LatentMap, view: View) -> None:
    """Draw the figures in one line, each with what it means."""
    field = view.colour if view.colour != CLUSTER else ""
    measuring = maps.measuring(chosen.key, latent, field)
    if not measuring.wait(_PATIENCE_SECONDS):
        _watch(measuring, "Measuring the quality of this map")
        return
    for figure in quality_figures(measuring.result()):
        st.markdown(f"{figure.name} **{figure.value}**", help=figure.meaning, width="content")


def _clear_if_empty(key: str) -> None:
    """Draw the chart anew, without its lasso or box, where that holds no point."""
    selection = st.session_state[key].selection
    empty = bool((selection.lasso or selection.box) and not selection.points)
    st.session_state[_EMPTY_KEY] = empty
    st.session_state[_ATTEMPT_KEY] += empty


def _selected(event: object) -> list[str]:
    points = event.selection.points if hasattr(event, "selection") else []
    return list(dict.fromkeys(str(point["customdata"][0]) for point in points if point.get("customdata")))


@st.fragment(run_every=1.0)
def _watch(work: Background[Any], label: str) -> None:
    """Show how far work is, and run the page again when it is done."""
    if work.wait(0):
        st.rerun()
    share = min(work.done / work.total, 1.0) if work.total else 0.0
    rounds = f" {work.done:,} of {work.total:,} rounds" if work.total else ""
    st.progress(share, text=f"{label} …{rounds}")
