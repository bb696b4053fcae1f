"""Items of a map from stored sources by name: a taxonomy's occupation names, marketplaces, labels, tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from jobmatch_core.errors import DataFileError, MapError
from jobmatch_core.io.tables import Record, cell_text, listed
from jobmatch_core.judgment_tallies import VotedPair
from jobmatch_core.maps.items import CATEGORY, CONFIDENCE, FAMILY, LANGUAGE, ItemKind, Items, isco_fields
from jobmatch_core.maps.market_items import freelancer_items, label_items, project_items
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import TableLayout, guess_layout
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH, language_code, language_name
from jobmatch_core.titles.occupation_names import OccupationNames

MOST_ROWS = 500_000
_OWN_FIELDS = {FAMILY: "family", CATEGORY: "category"}
_CONFIDENCE, _ISCO, _OCCUPATION = "link_confidence", "link_isco", "link_uri"


def occupation_items(
    taxonomy: Taxonomy, languages: Sequence[str] = (), *, preferred: bool = True, show: str = ENGLISH
) -> Items:
    """Return the names of occupations, one point each; only the preferred ones by default.

    An id is the occupation's URI with the name's language and, from the second name on, its number:
    `http://…/1234@de#2`.

    Raises TaxonomyError if there is no name in one of the languages.
    """
    names = OccupationNames.of(taxonomy, languages)
    if preferred:
        names = names.keep(names.preferred)
    uris = [names.uris[concept] for concept in names.concepts.tolist()]
    codes = [names.isco[concept] for concept in names.concepts.tolist()]
    spoken = names.languages.tolist()
    fields = {LANGUAGE: tuple(map(language_name, spoken))} | isco_fields(codes, taxonomy, show)
    ids = _ids(uris, spoken)
    return Items(ItemKind.OCCUPATIONS, taxonomy.id, ids, tuple(names.texts), fields, concepts=tuple(uris))


def _ids(uris: Sequence[str], languages: Sequence[str]) -> tuple[str, ...]:
    seen: Counter[str] = Counter()
    ids = []
    for uri, language in zip(uris, languages, strict=True):
        stem = f"{uri}@{language}"
        seen[stem] += 1
        ids.append(stem if seen[stem] == 1 else f"{stem}#{seen[stem]}")
    return tuple(ids)


def table_items(path: Path, taxonomy: Taxonomy, layout: TableLayout) -> Items:
    """Read a table of titles, each a point; the columns that `jobmatch link` adds give colours.

    An id is that of the column `id`, or else the row of the file, as `row 2`.

    Raises DataFileError if the file is damaged, has no such column, no titles, or too many rows.
    """
    numbered = list(islice(chain.from_iterable(layout.read_numbered(path)), MOST_ROWS + 1))
    numbers, rows = [number for number, _ in numbered], [row for _, row in numbered]
    if layout.column is None:
        columns = listed(list(rows[0]) if rows else [])
        raise DataFileError(path, f"no column looks like job titles; it has {columns}; name one with --column.")
    return items_of_rows(path, rows, taxonomy, column=layout.column, numbers=numbers)


def items_of_rows(
    path: Path,
    rows: Sequence[Record],
    taxonomy: Taxonomy,
    *,
    column: str,
    show: str = ENGLISH,
    numbers: Sequence[int] = (),
) -> Items:
    """Return the items of rows that are already read; *path* and *numbers* name them in errors and on the map.

    Raises DataFileError if no rows with titles, too many rows, or no such column.
    """
    if len(rows) > MOST_ROWS:
        raise DataFileError(path, f"it has more than {MOST_ROWS:,} rows, the maximum of a map; split it.")
    usable = [
        (number, row)
        for number, row in zip(numbers or range(1, len(rows) + 1), rows, strict=True)
        if _text(row, column)
    ]
    if not usable:
        raise DataFileError(path, f"no row has a text in the column {column!r}; name another with --column.")
    chosen = [row for _, row in usable]
    own_ids = [_text(row, "id") for row in chosen]
    ids = own_ids if all(own_ids) and len(set(own_ids)) == len(own_ids) else [f"row {number}" for number, _ in usable]
    return Items(
        ItemKind.TITLES,
        path.name,
        tuple(ids),
        tuple(_text(row, column) for row in chosen),
        _fields(chosen, taxonomy, show),
        concepts=tuple(_text(row, _OCCUPATION) for row in chosen),
    )


def _fields(rows: Sequence[Record], taxonomy: Taxonomy, show: str) -> dict[str, tuple[str, ...]]:
    codes = [_text(row, _ISCO) for row in rows]
    fields = isco_fields([code if code.isdecimal() else "" for code in codes], taxonomy, show)
    fields |= {name: tuple(_text(row, column) for row in rows) for name, column in _OWN_FIELDS.items()}
    fields[CONFIDENCE] = tuple(_text(row, _CONFIDENCE) for row in rows)
    languages = (_text(row, LANGUAGE) for row in rows)
    fields[LANGUAGE] = tuple(language_name(language_code(code) or code) for code in languages)
    return fields


def _text(row: Record, column: str) -> str:
    return cell_text(row.get(column)).strip()


@dataclass(frozen=True, slots=True)
class ItemChoice:
    """A choice of items."""

    what: str  # `occupations`, `freelancers`, `projects`, `labels`, or the path of a table
    taxonomy: str = ""  # id of the taxonomy of occupations and ISCO groups; by default the one with most names
    languages: tuple[str, ...] = ()  # languages of occupations' names; all if empty
    all_names: bool = False  # all names of an occupation, not one per language
    marketplace: str = "demo"  # name of the marketplace of freelancers, projects and labels
    layout: TableLayout | None = None  # layout of a table; detected by default


def stored_items(choice: ItemChoice, settings: Settings, judged: Iterable[VotedPair] = ()) -> Items:
    """Read the chosen items; raises JobMatchError if they do not exist, or are damaged; the message gives a remedy."""
    taxonomies, markets = TaxonomyStore.open(settings), MarketplaceStore.open(settings)
    if choice.what in (ItemKind.FREELANCERS, ItemKind.PROJECTS):
        market = markets.load(choice.marketplace)
        taxonomy = taxonomies.load(markets.manifest(market.name).taxonomy)
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
        raise MapError(f"A map shows {kinds}, or a table of titles; there is no file {choice.what!r}.")
    return table_items(path, taxonomy, choice.layout or guess_layout(path))
