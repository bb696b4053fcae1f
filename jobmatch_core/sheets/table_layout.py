"""Detection of a table's layout, and its summary.

The layout is its encoding, the row of its header, the column of its titles; the summary its rows, five values of each
column, and the column with the titles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from statistics import median

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.separators import checked_separator
from jobmatch_core.io.tables import TEXT_FORMATS, Record, first_rows, read_table, table_format
from jobmatch_core.io.text_source import opened_bytes
from jobmatch_core.sheets.text_encoding import UTF8, fitting_encodings
from jobmatch_core.sheets.title_column import (
    TITLE,
    CellKind,
    cell_kind,
    column_words,
    holds_text,
    is_column_name,
    names_occupation,
    title_column,
    usual_kind,
)
from jobmatch_core.text.folding import fold

_ROWS_OF_TITLES = 1000  # rows used to detect the column of titles
_BYTES_OF_TEXT = 256 * 1024 * 1024  # used to detect the encoding; files for the command line may exceed the memory
NO_HEADER = 0
ROWS_LOOKED_AT = 60
_FULL = 0.6  # share of a usual row's cells from which a row is no heading
_KNOWN = 0.5  # share of a row's cells that are names of columns, from which it is a header
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Layout of a table.

    Attributes:
        encoding: text encoding of CSV and JSON lines.
        header_row: row with the columns' names, from 1; 0 without one.
        column: column of job titles; None if no column looks like one.
        separator: character between the cells of CSV; '' to detect it.
    """

    encoding: str
    header_row: int
    column: str | None
    separator: str = ""


def guess_layout(
    path: Path,
    *,
    encoding: str | None = None,
    header_row: int | None = None,
    column: str | None = None,
    separator: str = "",
) -> TableLayout:
    """Return the layout of a table; given parts are used as they are, and the rest is guessed.

    Raises:
        DataFileError: the file cannot be read, or has an unknown encoding.
        SettingsError: the separator is none.
    """
    separator = checked_separator(separator)
    encoding = encoding or table_encodings(path)[0]
    if header_row is None:
        header_row = guess_table_header(path, encoding, separator)
    if column is None:
        batches = read_table(path, encoding=encoding, header_row=header_row, separator=separator)
        with_titles = chain.from_iterable(batches)
        column = title_column(columns_of(list(islice(with_titles, _ROWS_OF_TITLES))))
    return TableLayout(encoding, header_row, column, separator)


def table_encodings(path: Path) -> list[str]:
    """Return the possible encodings of a table, most plausible first; formats with a fixed encoding have one.

    Raises:
        DataFileError: no known encoding fits, or there is no such file.
    """
    if table_format(path) not in TEXT_FORMATS:
        return [UTF8]
    encodings = fitting_encodings(_beginning(path))
    if not encodings:
        raise DataFileError(path, "its text encoding is not known; save it as UTF-8 (Excel: 'CSV UTF-8')")
    return encodings


def _beginning(path: Path) -> bytes:
    """Return the whole lines within a file's first `_BYTES_OF_TEXT`, all of it where it is no longer."""
    with opened_bytes(path) as file:
        read = file.read(_BYTES_OF_TEXT)
        if not file.read(1):
            return read
    end = read.rfind(b"\n")
    big_endian = end % 2 == 1 and read[end - 1 : end] == b"\0"  # UTF-16, whose line end begins one byte sooner
    return read[: end - big_endian]


def guess_table_header(path: Path, encoding: str, separator: str = "") -> int:
    """Return the row with a table's column names; the first one for formats with named columns.

    Raises:
        DataFileError: the file cannot be read.
    """
    if table_format(path) not in ("csv", "xlsx"):
        return 1
    return guess_header_row(first_rows(path, ROWS_LOOKED_AT, encoding=encoding, separator=separator))


def columns_of(rows: Sequence[Record]) -> dict[str, list[str]]:
    """Return the cells of each column as texts."""
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: ["" if row.get(name) is None else str(row[name]) for row in rows] for name in names}


def guess_header_row(rows: Rows) -> int:
    """Return the number of the row with the columns' names, from 1, or `NO_HEADER`.

    Args:
        rows: the first rows of a table, cells as text, empty rows included. A heading above the header may be there:
            a title, a date, empty rows.
    """
    filled = [[cell for cell in row if cell.strip()] for row in rows[:ROWS_LOOKED_AT]]
    usual = median([len(cells) for cells in filled if cells] or [0])
    full = [number for number, cells in enumerate(filled, 1) if cells and len(cells) >= _FULL * usual]
    for number, cells in enumerate(filled, 1):
        if number in full and sum(map(is_column_name, cells)) >= _KNOWN * len(cells):
            return number
        if len(cells) == 1 and fold(cells[0]) in column_words(TITLE):
            return number  # above titles with commas, say, which look like several columns
    if not full or usual < 2:
        return NO_HEADER  # of one column without a known name, the first cell is a title like all others
    return full[0] if _names_columns(rows[full[0] - 1], rows[full[0] : ROWS_LOOKED_AT]) else NO_HEADER


def _names_columns(row: Sequence[str], below: Rows) -> bool:
    """Return whether a row contains the names of the columns below it."""
    cells = [cell for cell in row if cell.strip()]
    texts = [cell for cell in cells if cell_kind(cell) is CellKind.TEXT]
    if len(texts) < _FULL * len(cells) or len({fold(cell) for cell in cells}) < len(cells):
        return False
    columns = [[other[place] for other in below if place < len(other)] for place in range(len(row))]
    pairs = [(cell, column) for cell, column in zip(row, columns, strict=True) if cell.strip()]
    kinds = sum(_differs(cell, column) for cell, column in pairs)
    repeated = sum(cell in column for cell, column in pairs)
    return kinds > repeated or (kinds == repeated == 0 and not any(map(names_occupation, texts)))


def _differs(cell: str, column: Sequence[str]) -> bool:
    """Return whether a text differs in kind from the cells below it."""
    below = usual_kind(column)
    return cell_kind(cell) is CellKind.TEXT and below not in (CellKind.TEXT, CellKind.EMPTY)


_N_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column of a table.

    Attributes:
        name: name of the column.
        examples: its first five different values.
        n_filled: number of its cells that are not empty.
        has_text: true if it holds texts, and not numbers, dates, codes or addresses.
    """

    name: str
    examples: tuple[str, ...]
    n_filled: int
    has_text: bool


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table that was read.

    Attributes:
        rows: all rows.
        columns: summaries in the order of the table.
        title_column: name of the column that looks like job titles; None without one.
    """

    rows: Sequence[Record]
    columns: tuple[ColumnSummary, ...]
    title_column: str | None


def summarise_table(rows: Sequence[Record]) -> TableSummary:
    """Return the summary of a table."""
    columns = columns_of(rows)
    return TableSummary(rows, tuple(_summary(name, cells) for name, cells in columns.items()), title_column(columns))


def _summary(name: str, cells: Sequence[str]) -> ColumnSummary:
    filled = [cell for cell in cells if cell.strip()]
    return ColumnSummary(name, tuple(islice(dict.fromkeys(filled), _N_EXAMPLES)), len(filled), holds_text(filled))
