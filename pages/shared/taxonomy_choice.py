"""Choice of the taxonomy that a person works with: one for all pages, remembered by the browser."""

from collections.abc import Iterable

import streamlit as st

from jobmatch_core.taxonomy import Manifest
from pages.shared import browser, resources
from pages.shared.widgets import Width, plain, taxonomy_title

TAXONOMY_KEY = "taxonomy"  # id in the session's state; pages adopt it from their address and write it there
_COOKIE = "jobmatch_taxonomy"
_DEFAULT_KEY = "taxonomy_by_default"  # the id that nobody chose, which is not remembered


def select_taxonomy(*, width: Width = "stretch") -> Manifest:
    """Draw the installed taxonomies, the one with the most names first; return the selected one.

    Draw it once in a run; what is selected is selected on every page.

    Args:
        width: in pixels, or of all the place that there is.

    Raises:
        TaxonomyError: an installed one is damaged.
    """
    manifests = _installed()
    asked = st.session_state.get(TAXONOMY_KEY)
    st.session_state[TAXONOMY_KEY] = _in_use(manifests)
    if asked and asked not in manifests:
        st.warning(f"The taxonomy {plain(str(asked))} is not installed here.", icon=":material/info:")
    chosen = st.selectbox(
        "Taxonomy",
        list(manifests),
        key=TAXONOMY_KEY,
        format_func=lambda i: taxonomy_title(manifests[i]),
        on_change=_choose,
        persist_state="session",
        width=width,
    )
    by_default = chosen == st.session_state.get(_DEFAULT_KEY)
    browser.save_cookie(_COOKIE, "" if by_default else chosen)
    return manifests[chosen]


def taxonomy_in_use() -> Manifest:
    """Return the taxonomy that the person works with, without drawing anything.

    Raises:
        TaxonomyError: an installed one is damaged.
    """
    manifests = _installed()
    return manifests[_in_use(manifests)]


def _installed() -> dict[str, Manifest]:
    ranked = sorted(resources.installed(), key=lambda manifest: -manifest.counts["names"])
    return {manifest.id: manifest for manifest in ranked}


def _in_use(installed: Iterable[str]) -> str:
    known = list(installed)
    for each in (st.session_state.get(TAXONOMY_KEY), browser.read_cookie(_COOKIE)):
        if each in known:
            return str(each)
    st.session_state[_DEFAULT_KEY] = known[0]
    return known[0]


def _choose() -> None:
    st.session_state.pop(_DEFAULT_KEY, None)
