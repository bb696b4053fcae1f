"""Page 'Crosswalks': map the codes of a list to a taxonomy, and review the mappings by keyboard."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.errors import CrosswalkError
from pages.crosswalks import code_panel, desk, start
from pages.shared import address
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import PAGE_WIDTH, error_box, errors_shown, show_deferred_error

_ADDRESS = {
    "crosswalk": start.CROSSWALK_KEY,
    "view": desk.VIEW_KEY,
    "code": code_panel.CODE_KEY,
    "taxonomy": TAXONOMY_KEY,
}


def _page() -> None:
    address.adopt(_ADDRESS)
    with errors_shown():
        show_deferred_error()
        crosswalk_id = str(st.session_state.get(start.CROSSWALK_KEY) or "")
        try:
            stored = start.opened(crosswalk_id) if crosswalk_id else None
        except CrosswalkError as error:
            error_box(error)
            stored = None
        if stored is not None:
            desk.show(stored)
        else:
            with st.container(width=PAGE_WIDTH):
                start.show()
    address.write(_ADDRESS)


_page()
