"""Items of stored things by name."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.errors import MapError
from jobmatch_core.judgment_tallies import VotedPair
from jobmatch_core.maps.items import ItemKind, Items
from jobmatch_core.maps.market_items import freelancer_items, label_items, project_items
from jobmatch_core.maps.occupation_items import occupation_items
from jobmatch_core.maps.table_items import table_items
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.text.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class ItemChoice:
    """A choice of items.

    Attributes:
        what: `occupations`, `freelancers`, `projects`, `labels`, or the path of a table.
        taxonomy: id of the taxonomy of occupations and ISCO groups; by default the one with most names.
        languages: languages of occupations' names; all where empty.
        all_names: all names of an occupation, not one per language.
        marketplace: name of the marketplace of freelancers, projects and labels.
        column, encoding: column and text encoding of a table.
    """

    what: str
    taxonomy: str = ""
    languages: tuple[str, ...] = ()
    all_names: bool = False
    marketplace: str = "demo"
    column: str = ""
    encoding: str = "utf-8-sig"


def stored_items(choice: ItemChoice, settings: Settings, judged: Iterable[VotedPair] = ()) -> Items:
    """Read the chosen items.

    Args:
        choice: chosen items.
        settings: their locations.
        judged: judged pairs of the marketplace, which labels are resolved from.

    Raises:
        JobMatchError: they do not exist, or are damaged; the message gives a remedy.
    """
    taxonomies, markets = TaxonomyStore.open(settings), MarketplaceStore.open(settings)
    if choice.what in (ItemKind.FREELANCERS, ItemKind.PROJECTS):
        market = markets.load(choice.marketplace)
        taxonomy = taxonomies.load(markets.manifest(market.name).origin.get("taxonomy", BUNDLED_ID))
        return (freelancer_items if choice.what == ItemKind.FREELANCERS else project_items)(market, taxonomy)
    if choice.what == ItemKind.LABELS:
        return label_items(judged, choice.marketplace, settings)
    installed = sorted(taxonomies.installed(), key=lambda manifest: (-manifest.counts["names"], manifest.id))
    taxonomy = taxonomies.load(choice.taxonomy or installed[0].id)
    if choice.what == ItemKind.OCCUPATIONS:
        return occupation_items(taxonomy, choice.languages, preferred=not choice.all_names, show=ENGLISH)
    path = Path(choice.what)
    if not path.is_file():
        kinds = "occupations, freelancers, projects or labels"
        raise MapError(f"A map is of {kinds}, or of a table with titles; there is no file {choice.what!r}.")
    return table_items(path, taxonomy, column=choice.column, encoding=choice.encoding)
