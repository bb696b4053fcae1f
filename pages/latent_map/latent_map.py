"""Page 'Latent map': a model's vectors as a map that fills the window, its quality, the selection, and analyses."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.latent_map import map_chart, map_choice, panels, selection, view_choice, view_link
from pages.shared.language import _
from pages.shared.widgets import errors_shown

_CONTROLS_WIDTH, _DRAWER_HEIGHT = 250, 320  # pixels


def _page() -> None:
    view_link.adopt()
    with st.container(key="map_desk", gap="small"):
        line = st.container(horizontal=True, vertical_alignment="center", key="map_line", gap="small")
        line.title(_("Latent map"), anchor=False, width="content")
        with st.container(horizontal=True, height="stretch", key="map_body"):
            main = st.container(height="stretch", key="map_main", gap="small")
            controls = st.container(width=_CONTROLS_WIDTH, height="stretch", key="map_controls", gap="xsmall")
        figures = st.container(key="map_figures")
        with main, errors_shown():
            _map(line, controls, figures)
    view_link.write()


def _map(line: DeltaGenerator, controls: DeltaGenerator, figures: DeltaGenerator) -> None:
    chosen = map_choice.choose(controls)
    if chosen is None:
        return
    places = map_chart.Places(line, st.container(key="map_place", height="stretch"), figures)
    latent = map_chart.latent_map(chosen, places)
    map_chart.show_title(chosen, latent, line)
    view = view_choice.choose(latent.items, controls, line)
    with controls:
        panel = panels.choose(chosen, latent)
    ids = map_chart.show(chosen, latent, view, places, panel.against)
    if ids or panel.name:
        with st.container(border=True, key="map_drawer", height=_DRAWER_HEIGHT, gap="small"):
            selection.show(chosen, latent, view, ids, panel.against)
            panels.show(panel, chosen, latent, ids)
    if not ids:
        controls.caption(_("Click a point to list its nearest neighbours. The lasso at the top of the map lists many."))


_page()
