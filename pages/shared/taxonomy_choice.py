"""Choice of the taxonomy: one for all pages, remembered by the browser."""

from collections.abc import Iterable, Set

import streamlit as st

from jobmatch_core.taxonomy import Manifest
from pages.shared import browser, resources
from pages.shared.choices import Width
from pages.shared.language import _
from pages.shared.widgets import plain, taxonomy_name, taxonomy_title

TAXONOMY_KEY = "taxonomy"  # id in the session's state; pages adopt it from their address and write it there
_COOKIE = "jobmatch_taxonomy"
_DEFAULT_KEY = "taxonomy_by_default"  # the id used without a choice, which the browser does not remember


def select_taxonomy(*, width: Width = "stretch") -> Manifest:
    """Draw the installed taxonomies, most names first; return the selected one. Call it once in a run.

    Raises:
        TaxonomyError: an installed taxonomy is damaged.
    """
    manifests = _installed()
    selected = st.session_state.get(TAXONOMY_KEY)
    st.session_state[TAXONOMY_KEY] = _in_use(manifests)
    if selected and selected not in manifests:
        st.warning(
            _("The taxonomy {selected} is not installed here.", selected=plain(str(selected))), icon=":material/info:"
        )
    chosen = st.selectbox(
        _("Taxonomy"),
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
    """Return the selected taxonomy without drawing anything.

    Raises:
        TaxonomyError: an installed taxonomy is damaged.
    """
    manifests = _installed()
    return manifests[_in_use(manifests)]


def name_of(taxonomy_id: str) -> str:
    """Return a taxonomy's name and version, such as 'ESCO 1.0.3'; its id if it is not installed."""
    return next((taxonomy_name(each) for each in resources.installed() if each.id == taxonomy_id), taxonomy_id)


def with_languages(manifest: Manifest, languages: Set[str]) -> Manifest | None:
    """Return an installed taxonomy with names in these languages and those of another one, and as many occupations.

    None without one.
    """
    wanted, n_occupations = languages | set(manifest.languages), manifest.counts["occupations"]
    return next(
        (
            other
            for other in _installed().values()
            if wanted <= set(other.languages) and other.counts["occupations"] >= n_occupations
        ),
        None,
    )


def _installed() -> dict[str, Manifest]:
    ranked = sorted(resources.installed(), key=lambda manifest: -manifest.counts["names"])
    return {manifest.id: manifest for manifest in ranked}


def _in_use(installed: Iterable[str]) -> str:
    ids = list(installed)
    for taxonomy_id in (st.session_state.get(TAXONOMY_KEY), browser.read_cookie(_COOKIE)):
        if taxonomy_id in ids:
            return str(taxonomy_id)
    st.session_state[_DEFAULT_KEY] = ids[0]
    return ids[0]


def _choose() -> None:
    st.session_state.pop(_DEFAULT_KEY, None)
