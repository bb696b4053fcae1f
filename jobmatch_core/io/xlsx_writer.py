"""Rows as an Excel workbook to work with: the header stays in view, and every column has a filter."""

from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import xlsx_cell
from jobmatch_core.io.table_limits import XLSX_MAX_ROWS

_MEASURED = 100  # rows that decide how wide the columns are
_NARROWEST, _WIDEST = 8, 50  # characters
_FILTER_BUTTON = 3  # characters that it covers in the header

Record = dict[str, Any]
Cell = str | float | None


def write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    """Write rows under the columns of the first one; return how many there were.

    Raises:
        DataFileError: there are more rows than a sheet holds.
    """
    book = Workbook(write_only=True)
    first = next(rows, None)
    header = list(first) if first else []
    lines = ([xlsx_cell(row.get(name)) for name in header] for row in chain([first] if first else [], rows))
    with closing(book.create_sheet("jobmatch")) as sheet:
        count = _write_lines(path, sheet, [xlsx_cell(name) for name in header], lines)
    book.save(path)
    return count


def _write_lines(path: Path, sheet: WriteOnlyWorksheet, header: list[Cell], lines: Iterator[list[Cell]]) -> int:
    measured = list(islice(lines, _MEASURED))
    # a sheet that is streamed can be set up only before its first row
    sheet.freeze_panes = "A2"
    for number, cells in enumerate(zip(header, *measured, strict=True), 1):
        sheet.column_dimensions[get_column_letter(number)].width = _width(*cells)
    if header:
        sheet.append(header)
    count = 0
    for count, line in enumerate(chain(measured, lines), 1):
        if count >= XLSX_MAX_ROWS:
            raise DataFileError(path, f"an XLSX sheet holds {XLSX_MAX_ROWS:,} rows; write .csv or .parquet instead")
        sheet.append(line)
    if header:
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{count + 1}"
    return count


def _width(name: Cell, *cells: Cell) -> int:
    """Return a column's width in characters."""
    longest = max((len(str(cell)) for cell in cells if cell is not None), default=0)
    return min(max(len(str(name)) + _FILTER_BUTTON, longest + 1, _NARROWEST), _WIDEST)
