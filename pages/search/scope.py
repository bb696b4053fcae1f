"""Scope of a search: occupations of a taxonomy, or a marketplace's freelancers or projects, with filters."""

from dataclasses import dataclass, replace

from jobmatch.services.home_services import home_services
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters
from pages.find_freelancers import filter_form
from pages.shared import market_choice, resources
from pages.shared.choices import select_segment
from pages.shared.language import N_, _
from pages.shared.market_choice import Market
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import finished, plain, select_language, title_line

_KIND_KEY, _LANGUAGE_KEY = "search_in", "search_show"
ADDRESS = {
    "in": _KIND_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": _LANGUAGE_KEY,
    "marketplace": market_choice.MARKET_KEY,
} | filter_form.ADDRESS
_KINDS = {
    SearchKind.OCCUPATIONS: N_("Occupations"),
    SearchKind.FREELANCERS: N_("Freelancers"),
    SearchKind.PROJECTS: N_("Projects"),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a search."""

    kind: SearchKind  # kind of the items
    source: str  # id of the taxonomy, or name of the marketplace
    name: str  # its name on the page
    count: int  # number of its items of this kind
    changed: str  # creation time of the source
    language: str  # language of the occupations' names
    taxonomy: Taxonomy  # taxonomy of the occupations, or of the marketplace's categories
    market: Market | None = None  # the marketplace; None for occupations
    filters: Filters = NO_FILTERS  # filters of freelancers


def choose() -> Scope:
    """Draw the title with the selectors of the scope.

    Raises:
        JobMatchError: a taxonomy or a marketplace cannot be read.
    """
    line = title_line(_("Search"))
    kind = SearchKind(
        select_segment(_("Search in"), {kind.value: _(label) for kind, label in _KINDS.items()}, _KIND_KEY)
    )
    if kind is SearchKind.OCCUPATIONS:
        with line:
            manifest = select_taxonomy(width=300)
            shown = select_language(_LANGUAGE_KEY, manifest, width=190)
        taxonomy, name = resources.taxonomy(manifest.id), f"{manifest.name} {manifest.version}"
        return Scope(kind, manifest.id, name, len(taxonomy.occupation_numbers), manifest.created, shown, taxonomy)
    with line:
        market = market_choice.open_market(market_choice.select_marketplace(kind.value), resources.match_models()[0])
    name, count = market.manifest.name, market.manifest.counts[kind.value]
    return Scope(kind, name, name, count, market.manifest.created, ENGLISH, market.taxonomy, market)


def filtered(scope: Scope) -> Scope | None:
    """Draw the filters of freelancers; return the scope with them, unchanged for other items.

    None while a typed place is not valid.
    """
    if scope.market is None or scope.kind is not SearchKind.FREELANCERS:
        return scope
    filters = filter_form.choose(scope.market)
    return None if filters is None else replace(scope, filters=filters)


def open_index(scope: Scope) -> SearchIndex[Record]:
    """Return the index of a scope; a bar shows the progress while it is built for the first time."""
    opening = home_services().searching.opening(scope.kind, scope.source)
    return finished(opening, _("Indexing {name}", name=plain(scope.name)))
