"""The taxonomies that titles can be linked to: what is installed, what can be added, and what is in them."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared import address, resources, sign_in
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import PAGE_WIDTH, errors_shown
from pages.taxonomies import browser, import_form, installed

_ADDRESS = {
    "section": "section",
    "taxonomy": TAXONOMY_KEY,
    "group": browser.GROUP_KEY,
    "occupation": browser.OCCUPATION_KEY,
}
_SECTIONS = {"installed": "Installed", "browse": "Browse", "import": "Import"}
_DRAW = {"installed": installed.show, "browse": browser.show, "import": import_form.show}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        st.title("Taxonomies", anchor=False)
        sections = [each for each in _SECTIONS if each != "import" or sign_in.may("administer")]
        if st.session_state.get("section") not in sections:
            st.session_state["section"] = "browse" if _asks_to_browse() else "installed"
        section = str(
            st.segmented_control(
                "Section",
                sections,
                key="section",
                format_func=_SECTIONS.__getitem__,
                required=True,
                label_visibility="collapsed",
                persist_state="session",
            )
        )
        _DRAW[section]()
    address.write(_ADDRESS)


def _asks_to_browse() -> bool:
    # the browser reports a missing taxonomy
    asked = st.query_params
    known = {manifest.id for manifest in resources.installed()}
    return "occupation" in asked or "group" in asked or asked.get("taxonomy", BUNDLED_ID) not in known


_page()
