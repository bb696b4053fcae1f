"""Page 'Link titles': link one job title, or a list of them, to occupations."""

from pages.shared import entry

entry.load_libraries()

from collections.abc import Callable
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.linking import Linker
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.taxonomy import Manifest
from pages.link_titles import many_titles, one_title
from pages.shared import address, demo_note, link_settings, tour
from pages.shared.annotator import annotator_popover
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, translated
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import PAGE_WIDTH, errors_shown, open_linker, open_own_linker, select_language, title_line

_ADDRESS = {
    "title": one_title.TITLE_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": "show",
    "view": "view",
} | many_titles.ADDRESS
_VIEWS = {"one": N_("One title"), "many": N_("Many titles")}


def _page() -> None:
    address.adopt(_ADDRESS)
    if st.session_state.get("view") == "many" and many_titles.is_open():
        with st.container(key="desk", gap="xsmall"), errors_shown():
            _list()
    else:
        with st.container(width=PAGE_WIDTH), errors_shown():
            _input()
    address.write(_ADDRESS)


def _input() -> None:
    with title_line(_("Link job titles to occupations")):
        manifest = select_taxonomy(width=300)
        show = select_language("show", manifest, width=190)
        with st.popover(_("Settings"), icon=":material/tune:"):
            languages, top, groups = link_settings.choose(manifest)
            settings = st.container()
    if (demo := demo_note.demo()) is not None:
        demo_note.suggestions(demo)
    else:
        tour.show()
    with st.container(horizontal=True, vertical_alignment="center"):
        view = select_segment(_("View"), translated(_VIEWS), "view")
        st.space("stretch")
        annotator_popover(always=False)  # the name is asked for with the first verdict
    options = ListOptions(manifest.id, languages, show, top, groups)
    linker, options = _opened(open_own_linker, manifest, options, settings)
    if view == "one":
        one_title.show(linker, options)
    else:
        many_titles.show_input(manifest, options)


def _list() -> None:
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="xsmall"):
        select_segment(_("View"), translated(_VIEWS), "view")
        line = st.container(width="stretch")
        with st.popover(_("Settings"), icon=":material/tune:"):
            manifest = select_taxonomy()
            show = select_language("show", manifest)
            settings = st.container()
        annotator_popover(always=False)  # the name is asked for with the first verdict
        actions = st.container(horizontal=True, width="content", gap="xsmall")
    options = ListOptions(manifest.id, show=show, groups=many_titles.has_groups(manifest.id))
    # without accepted titles, which each decision would load again
    many_titles.show(*_opened(open_linker, manifest, options, settings), line, actions)


def _opened(
    opening: Callable[..., Linker], manifest: Manifest, options: ListOptions, settings: DeltaGenerator
) -> tuple[Linker, ListOptions]:
    linker = opening(manifest, groups=options.groups)
    with settings:
        return linker, replace(options, precision=link_settings.target_precision(linker))


_page()
