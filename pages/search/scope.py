"""Scope of a search: occupations of a taxonomy, or a marketplace's freelancers or projects, with filters."""

from dataclasses import dataclass, replace

import streamlit as st

from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters
from pages.find_freelancers import filter_form
from pages.shared import market_choice, resources
from pages.shared.market_choice import Market
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import finished, plain, select_language, title_line

KIND_KEY, LANGUAGE_KEY = "search_in", "search_show"
ADDRESS = {
    "in": KIND_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": LANGUAGE_KEY,
    "marketplace": market_choice.MARKET_KEY,
} | filter_form.ADDRESS
_KINDS = {
    SearchKind.OCCUPATIONS: "Occupations",
    SearchKind.FREELANCERS: "Freelancers",
    SearchKind.PROJECTS: "Projects",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a search.

    Attributes:
        kind: sort of the items.
        source: id of the taxonomy, or name of the marketplace.
        changed: when the source was made, which changes with it.
        language: language to show occupations in.
        taxonomy: of the occupations, or of the marketplace's categories.
        market: the marketplace, None for occupations.
        filters: conditions on freelancers.
    """

    kind: SearchKind
    source: str
    changed: str
    language: str
    taxonomy: Taxonomy
    market: Market | None = None
    filters: Filters = NO_FILTERS

    @property
    def name(self) -> str:
        """The items in words, such as 'freelancers'."""
        return self.kind.value


def choose() -> Scope:
    """Draw the title and, beside it, the selectors of the scope.

    Raises:
        JobMatchError: a taxonomy or a marketplace cannot be read.
    """
    line = title_line("Search")
    kind = _kind()
    if kind is SearchKind.OCCUPATIONS:
        with line:
            manifest = select_taxonomy(width=300)
            shown = select_language(LANGUAGE_KEY, manifest, width=190)
        return Scope(kind, manifest.id, manifest.created, shown, resources.taxonomy(manifest.id))
    with line:
        market = market_choice.open_market(market_choice.select_marketplace(kind.value), resources.match_models()[0])
    return Scope(kind, market.manifest.name, market.manifest.created, ENGLISH, market.taxonomy, market)


def filtered(scope: Scope) -> Scope:
    """Draw the filters if freelancers are searched; return the scope with them.

    Raises:
        MatchingError: a place is none.
    """
    if scope.market is None or scope.kind is not SearchKind.FREELANCERS:
        return scope
    return replace(scope, filters=filter_form.choose(scope.market))


def opened(scope: Scope) -> SearchIndex[Record]:
    """Return the index of a scope; it is built once, with a progress bar."""
    opening = resources.opening_search(scope.kind, scope.source, scope.changed)
    return finished(opening, f"Indexing {plain(scope.source)}")


def _kind() -> SearchKind:
    if st.session_state.get(KIND_KEY) not in list(_KINDS):
        st.session_state[KIND_KEY] = SearchKind.OCCUPATIONS.value
    chosen = st.segmented_control(
        "Search in",
        [kind.value for kind in _KINDS],
        key=KIND_KEY,
        required=True,
        persist_state="session",
        format_func=lambda value: _KINDS[SearchKind(value)],
        label_visibility="collapsed",
    )
    return SearchKind(str(chosen))
