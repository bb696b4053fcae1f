"""Page 'Latent map': a model's vectors as a map, its quality, the selected points, and analyses."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from pages.latent_map import map_chart, map_choice, panels, selection
from pages.shared import address
from pages.shared.widgets import PAGE_WIDTH, errors_shown

_ADDRESS = map_choice.ADDRESS | map_choice.VIEW_ADDRESS


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        chosen = map_choice.choose()
        if chosen is not None:
            latent = map_chart.latent_map(chosen)
            view = map_choice.choose_view(latent.items)
            ids = map_chart.show(chosen, latent, view)
            selection.show(chosen, latent, ids)
            panels.show(chosen, latent, ids)
    address.write(_ADDRESS)


_page()
