"""Page 'Link titles': link one job title, or a list of them, to occupations."""

from pages.shared import entry

entry.load_libraries()

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.linking.review import ListOptions
from jobmatch_core.taxonomy import Manifest
from pages.link_titles import many_titles, one_title
from pages.shared import address, link_settings
from pages.shared.annotator import annotator_popover
from pages.shared.choices import select_segment
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import PAGE_WIDTH, errors_shown, open_own_linker, select_language, title_line

_ADDRESS = {
    "title": one_title.TITLE_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": "show",
    "view": "view",
} | many_titles.ADDRESS
_VIEWS = {"one": "One title", "many": "Many titles"}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        manifest, options, settings = _top_line()
        with st.container(horizontal=True, vertical_alignment="center"):
            view = select_segment("View", _VIEWS, "view")
            st.space("stretch")
            annotator_popover()
        linker = open_own_linker(manifest, groups=options.groups)
        with settings:
            options = replace(options, precision=link_settings.target_precision(linker))
        if view == "one":
            one_title.show(linker, options)
        else:
            many_titles.show(linker, options)
    address.write(_ADDRESS)


def _top_line() -> tuple[Manifest, ListOptions, DeltaGenerator]:
    with title_line("Link job titles to occupations"):
        manifest = select_taxonomy(width=300)
        show = select_language("show", manifest, width=190)
        with st.popover("Settings", icon=":material/tune:"):
            languages, top, groups = link_settings.choose(manifest)
            place = st.container()
    return manifest, ListOptions(manifest.id, languages, show, top, groups), place


_page()
