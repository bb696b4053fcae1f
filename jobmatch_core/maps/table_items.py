"""The rows of a table with job titles as items of a map: a linked file, or any other."""

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import Record, cell_text, listed, read_table
from jobmatch_core.maps.items import CATEGORY, CONFIDENCE, FAMILY, LANGUAGE, ItemKind, Items, isco_fields
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH, language_code, language_name

MOST_ROWS = 500_000
_TITLES = ("title", "job title", "job_title", "name", "text")
_OWN_FIELDS = {FAMILY: "family", CATEGORY: "category"}
_CONFIDENCE, _ISCO, _OCCUPATION = "link_confidence", "link_isco", "link_uri"


def table_items(
    path: Path, taxonomy: Taxonomy, *, column: str = "", show: str = ENGLISH, encoding: str = "utf-8-sig"
) -> Items:
    """Read a table of titles, each a point; what `jobmatch link` added gives colours.

    An id is that of the column `id` where there is one, else the row, as `row 1`, the first after the header.

    Args:
        path: CSV, XLSX, Parquet or JSON lines.
        taxonomy: that names the ISCO groups.
        column: column of the titles; by default the first with a usual name.
        show: language of the ISCO groups' names.
        encoding: text encoding of a CSV.

    Raises:
        DataFileError: the file is damaged, has no such column, or too many rows.
    """
    batches = read_table(path, encoding=encoding)
    rows = list(islice(chain.from_iterable(batches), MOST_ROWS + 1))
    return items_of_rows(path, rows, taxonomy, column=column, show=show)


def items_of_rows(
    path: Path, rows: Sequence[Record], taxonomy: Taxonomy, *, column: str = "", show: str = ENGLISH
) -> Items:
    """Return the items of rows that were read already; *path* names them in errors and on the map.

    Raises:
        DataFileError: there are no rows with titles, too many rows, or no such column.
    """
    if len(rows) > MOST_ROWS:
        raise DataFileError(path, f"it has more than {MOST_ROWS:,} rows, the most that a map takes; split it.")
    column = column or _title_column(path, rows)
    kept = [(number, row) for number, row in enumerate(rows, start=1) if _text(row, column)]
    if not kept:
        raise DataFileError(path, f"no row has a text in the column {column!r}; name another with --column.")
    chosen = [row for _, row in kept]
    own_ids = [_text(row, "id") for row in chosen]
    ids = own_ids if all(own_ids) and len(set(own_ids)) == len(own_ids) else [f"row {number}" for number, _ in kept]
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
    fields[LANGUAGE] = tuple(_language(_text(row, LANGUAGE)) for row in rows)
    return fields


def _title_column(path: Path, rows: Sequence[Record]) -> str:
    columns = list(rows[0]) if rows else []
    found = next((name for name in columns if name.strip().lower() in _TITLES), None)
    if found is None:
        raise DataFileError(
            path,
            f"no column is called like one of titles; it has {listed(columns)}; name it with --column.",
        )
    return found


def _language(code: str) -> str:
    return language_name(language_code(code) or code)


def _text(row: Record, column: str) -> str:
    return cell_text(row.get(column)).strip()
