"""Page 'Taxonomies': the installed taxonomies, their occupations, and the import of others."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared import address, resources, sign_in
from pages.shared.choices import select_segment
from pages.shared.language import N_, _
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import PAGE_WIDTH, errors_shown
from pages.taxonomies import browser, import_form, installed, versions

_ADDRESS = {
    "section": "section",
    "taxonomy": TAXONOMY_KEY,
    "group": browser.GROUP_KEY,
    "occupation": browser.OCCUPATION_KEY,
    "from": versions.BEFORE_KEY,
    "to": versions.AFTER_KEY,
}
_SECTIONS = {"installed": N_("Installed"), "browse": N_("Browse"), "versions": N_("Versions"), "import": N_("Import")}
_DRAW = {"installed": installed.show, "browse": browser.show, "versions": versions.show, "import": import_form.show}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        st.title(_("Taxonomies"), anchor=False)
        sections = {key: _(label) for key, label in _SECTIONS.items() if key != "import" or sign_in.may("administer")}
        section = select_segment(
            _("Section"), sections, "section", default="browse" if _opens_browser() else "installed"
        )
        _DRAW[section]()
    address.write(_ADDRESS)


def _opens_browser() -> bool:
    # the browser also reports a missing taxonomy
    installed_ids = {manifest.id for manifest in resources.installed()}
    taxonomy_id = st.query_params.get("taxonomy", BUNDLED_ID)
    return "occupation" in st.query_params or "group" in st.query_params or taxonomy_id not in installed_ids


_page()
