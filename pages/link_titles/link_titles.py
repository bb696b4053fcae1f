"""Page 'Link titles': link one job title, or a list of them, to occupations."""

from pages.shared import entry

entry.load_libraries()

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.text.locales import language_name
from pages.link_titles import many_titles, one_title
from pages.shared import address
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
            options = replace(options, precision=_target_precision(linker))
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
            languages, top, groups = _settings(manifest)
            place = st.container()
    return manifest, ListOptions(manifest.id, languages, show, top, groups), place


def _target_precision(linker: Linker) -> float:
    if not linker.calibration.curve:  # weights fitted by an older version
        return PRECISION
    precision = st.slider(
        "Target precision",
        0.80,
        0.98,
        PRECISION,
        0.01,
        key="precision",
        persist_state="session",
        help="Share of correct links on held-out titles; a higher value links fewer titles.",
    )
    coverage = linker.calibration.at_precision(precision).coverage
    st.caption(f"Links about {coverage:.0%} of titles like the held-out ones.")
    return precision


def _settings(manifest: Manifest) -> tuple[tuple[str, ...], int, bool]:
    options = sorted(manifest.languages, key=language_name)
    chosen = st.session_state.get("match_languages", [])
    st.session_state["match_languages"] = [code for code in chosen if code in options]
    languages = st.multiselect(
        "Match only names in these languages",
        options,
        key="match_languages",
        format_func=language_name,
        placeholder="All languages",
        persist_state="session",
        help="If empty, a title is compared with the names in all languages, which usually works best.",
    )
    top = st.slider("Occupations shown per title", 1, 20, 5, key="top", persist_state="session")
    groups = st.toggle(
        "Also link to ISCO groups",
        key="groups",
        persist_state="session",
        help="For titles that stand for a whole group, such as 'Finance managers, other'.",
    )
    return tuple(languages), top, groups


_page()
