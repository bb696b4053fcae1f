"""Detection of a table's layout (encoding, sheet, header row, column of titles), and summaries of tables."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TypedDict

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.separators import checked_separator
from jobmatch_core.io.tables import (
    BATCH_ROWS,
    TEXT_FORMATS,
    NumberedRecord,
    Record,
    first_rows,
    read_numbered,
    read_table,
    table_columns,
    table_format,
)
from jobmatch_core.io.text_source import is_packed, opened_bytes, unpacked
from jobmatch_core.sheets.garbled_titles import GarbledTitles, garbled_titles
from jobmatch_core.sheets.header_row import ROWS_LOOKED_AT, guess_header_row
from jobmatch_core.sheets.sheet_choice import NO_SHEETS, SheetChoice, choose_sheet
from jobmatch_core.sheets.text_encoding import UTF8, fitting_encodings
from jobmatch_core.sheets.title_column import holds_text, title_column
from jobmatch_core.sheets.title_words import title_words
from jobmatch_core.taxonomy import BUNDLED_ID

ROWS_OF_TITLES = 1000  # rows for detecting the column of titles
_BYTES_OF_TEXT = 256 * 1024 * 1024  # for detecting the encoding; files of the command line may exceed the memory
_BYTES_UNPACKED = 32 * 1024 * 1024  # the same for packed files, where a small one may hold endless blanks
_NO_TEXT = {  # beginnings of files of other formats that people give the ending of a table
    b"%PDF-": "a PDF document; copy its table into a spreadsheet, and save that as CSV or XLSX",
    b"PK\x03\x04": "a workbook or an archive, no text; if it is a workbook, give it the ending .xlsx",
    b"\xd0\xcf\x11\xe0": "an old workbook (.xls) or document, no text; save it as XLSX",
}
_N_EXAMPLES = 5


class _Parts(TypedDict):
    encoding: str
    header_row: int
    sheet: str | None
    separator: str


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Layout of a table."""

    encoding: str  # text encoding of CSV and JSON lines
    header_row: int  # row with the column names, from 1; 0 without a header
    column: str | None  # column of job titles; None if no column looks like one
    sheet: str | None = None  # sheet of a workbook; None for other files
    other_sheets: tuple[str, ...] = ()  # other sheets with cells
    separator: str = ""  # character between the cells of CSV; '' to detect it

    def read(self, path: Path, batch_rows: int = BATCH_ROWS) -> Generator[list[Record]]:
        """Yield the rows of a table with this layout in batches; arguments and errors as of `read_table`."""
        return read_table(path, batch_rows=batch_rows, **self._parts)

    def read_numbered(self, path: Path, batch_rows: int = BATCH_ROWS) -> Generator[list[NumberedRecord]]:
        """Yield the rows with their numbers; otherwise as `read`."""
        return read_numbered(path, batch_rows=batch_rows, **self._parts)

    def column_names(self, path: Path) -> list[str]:
        """Return the column names of a table with this layout; raises as `table_columns`."""
        return table_columns(path, **self._parts)

    @property
    def _parts(self) -> _Parts:
        return _Parts(encoding=self.encoding, header_row=self.header_row, sheet=self.sheet, separator=self.separator)


PLAIN_LAYOUT = TableLayout(UTF8, 1, None)  # of a file that a program wrote


def guess_layout(
    path: Path,
    *,
    encoding: str | None = None,
    header_row: int | None = None,
    column: str | None = None,
    sheet: str | None = None,
    separator: str = "",
    taxonomy: str = BUNDLED_ID,
) -> TableLayout:
    """Return the layout of a table; given parts are used as they are, the rest is detected.

    Args:
        encoding: text encoding; None to detect it, as with the next three.
        header_row: row with the column names.
        column: column of job titles; the header is the row that contains it.
        sheet: sheet of a workbook.
        separator: character between the cells of CSV; '' to detect it.
        taxonomy: id of the taxonomy whose words identify titles.

    Raises:
        DataFileError: the file cannot be read, or has an unknown encoding or no such sheet.
        SettingsError: the separator cannot separate cells.
        TaxonomyError: there is no such taxonomy.
    """
    separator = checked_separator(separator)
    encoding = encoding or table_encodings(path)[0]
    sheets = table_sheets(path, sheet, taxonomy=taxonomy)
    if header_row is None:
        header_row = guess_table_header(
            path, encoding, sheet=sheets.chosen, separator=separator, taxonomy=taxonomy, column=column or ""
        )
    layout = TableLayout(encoding, header_row, column, sheets.chosen, sheets.others, separator)
    if column is not None:
        return layout
    rows = list(islice(chain.from_iterable(layout.read(path)), ROWS_OF_TITLES))
    return replace(layout, column=title_column(column_cells(rows), title_words(taxonomy)))


def table_sheets(path: Path, sheet: str | None = None, *, taxonomy: str = BUNDLED_ID) -> SheetChoice:
    """Return the given sheet of a workbook, or the one with the titles, and the others.

    Raises:
        DataFileError: the file cannot be read or has no such sheet, or a sheet is given for another format.
        TaxonomyError: there is no such taxonomy.
    """
    if table_format(path) == "xlsx":
        with unpacked(path) as book:
            return choose_sheet(book, title_words(taxonomy), sheet)
    if sheet is not None:
        raise DataFileError(path, f"only a workbook (.xlsx) has sheets; leave out the sheet {sheet!r}")
    return NO_SHEETS


def table_encodings(path: Path) -> list[str]:
    """Return the possible encodings of a table, most plausible first; raises DataFileError if none is known."""
    if table_format(path) not in TEXT_FORMATS:
        return [UTF8]
    beginning = _beginning(path)
    for mark, what in _NO_TEXT.items():
        if beginning.startswith(mark):
            raise DataFileError(path, f"this is {what}")
    encodings = fitting_encodings(beginning)
    if not encodings:
        raise DataFileError(path, "its text encoding is unknown; save it as UTF-8 (Excel: 'CSV UTF-8')")
    return encodings


def _beginning(path: Path) -> bytes:
    # whole lines only
    with opened_bytes(path) as file:
        read = file.read(min(_BYTES_OF_TEXT, _BYTES_UNPACKED) if is_packed(path) else _BYTES_OF_TEXT)
        if not file.read(1):
            return read
    end = read.rfind(b"\n")
    big_endian = end % 2 == 1 and read[end - 1 : end] == b"\0"  # in UTF-16 the line end begins one byte earlier
    return read[: end - big_endian]


def guess_table_header(
    path: Path,
    encoding: str,
    *,
    sheet: str | None = None,
    separator: str = "",
    taxonomy: str = BUNDLED_ID,
    column: str = "",
) -> int:
    """Return the row with a table's column names; 1 for formats with named columns.

    Args:
        encoding: text encoding of CSV.
        sheet: sheet of a workbook.
        separator: character between the cells of CSV; '' to detect it.
        taxonomy: id of the taxonomy whose words identify titles.
        column: name of a column that the user gave; the first row with it is the header, unless the most likely
            header also has it.

    Raises:
        DataFileError: the file cannot be read.
        TaxonomyError: there is no such taxonomy.
    """
    if table_format(path) not in ("csv", "xlsx"):
        return 1
    rows = first_rows(path, ROWS_LOOKED_AT, encoding=encoding, sheet=sheet, separator=separator)
    guess = guess_header_row(rows, title_words(taxonomy))
    named = [number for number, cells in enumerate(rows, 1) if column and column in map(str.strip, cells)]
    return guess if not named or guess in named else named[0]


def garbled_titles_in(path: Path, layout: TableLayout, most_rows: int | None = None) -> GarbledTitles:
    """Count a table's titles with garbled characters, in its first rows or in all; raises as `read_table`."""
    rows = islice(chain.from_iterable(layout.read_numbered(path)), most_rows)
    return garbled_titles((number, _text(row, layout.column or "")) for number, row in rows)


def column_cells(rows: Sequence[Record]) -> dict[str, list[str]]:
    """Return column name -> cells as texts."""
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [_text(row, name) for row in rows] for name in names}


def _text(row: Record, column: str) -> str:
    return "" if row.get(column) is None else str(row[column])


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column of a table."""

    name: str
    examples: tuple[str, ...]  # its first five different values
    n_filled: int  # number of its filled cells
    has_text: bool  # true if it holds texts rather than numbers, dates, codes or addresses
    garbled: GarbledTitles  # its cells with garbled characters


@dataclass(frozen=True, slots=True)
class TableSummary:
    """Rows of a table with their numbers in the file, summaries of its columns, and the column of titles or None."""

    rows: Sequence[Record]
    numbers: Sequence[int]
    columns: tuple[ColumnSummary, ...]
    title_column: str | None


def summarise_table(numbered: Sequence[NumberedRecord], *, taxonomy: str = BUNDLED_ID) -> TableSummary:
    """Return the summary of numbered rows; raises TaxonomyError for an unknown taxonomy."""
    numbers, rows = [number for number, _ in numbered], [row for _, row in numbered]
    columns = column_cells(rows)
    summaries = tuple(_summary(name, cells, numbers) for name, cells in columns.items())
    return TableSummary(rows, numbers, summaries, title_column(columns, title_words(taxonomy)))


def _summary(name: str, cells: Sequence[str], numbers: Sequence[int]) -> ColumnSummary:
    filled = [cell for cell in cells if cell.strip()]
    examples = tuple(islice(dict.fromkeys(filled), _N_EXAMPLES))
    garbled = garbled_titles(zip(numbers, cells, strict=True))
    return ColumnSummary(name, examples, len(filled), holds_text(filled), garbled)
