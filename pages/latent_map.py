"""Latent map: see a model's space, whether to believe the picture, and work with what is selected."""

from pages import _entry

_entry.through_app()

import streamlit as st

from pages import _address, _map_chart, _map_choice, _map_panels, _map_selection, _map_view
from pages._widgets import PAGE_WIDTH, errors_shown

_ADDRESS = _map_choice.ADDRESS | _map_view.ADDRESS


def _page() -> None:
    _address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        chosen = _map_choice.choose()
        if chosen is not None:
            latent = _map_chart.latent_map(chosen)
            view = _map_view.choose(latent.items)
            ids = _map_chart.show(chosen, latent, view)
            _map_selection.show(chosen, latent, ids)
            _map_panels.show(chosen, latent, ids)
    _address.write(_ADDRESS)


_page()
