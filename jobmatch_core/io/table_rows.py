"""Rows of CSV and XLSX as records: header, blank and closing rows, and the number that a spreadsheet shows of each."""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.closing_rows import is_note, is_total
from jobmatch_core.io.table_limits import check_names, check_width

_ROWS_OF_UNNAMED = 100  # rows that say how many columns a table without a header has
_CLOSING = 5  # rows, of notes say, that may stand between a total and the end


class SheetRow(NamedTuple):
    """A row as it is in the file.

    Attributes:
        number: number of the row, from 1, as a spreadsheet shows it: blank rows count, and a CSV cell of several lines
            is in one row.
        line: line of the text on which it ends, which errors name; of XLSX the row's number.
        cells: its cells; none of an empty row.
    """

    number: int
    line: int
    cells: list[str]


class SizedRecord(NamedTuple):
    """A row as a record.

    Attributes:
        size: characters of the row.
        number: number of the row in its file, see `SheetRow`.
        record: its cells by column.
    """

    size: int
    number: int
    record: dict[str, Any]


def records(path: Path, rows: Iterator[SheetRow], header_row: int) -> Generator[SizedRecord]:
    """Yield the rows below a header as records, without totals and notes at the end.

    An empty row is an empty title where there is one column and the table goes on.

    Raises:
        DataFileError: the header is empty or names a column twice, or a row has more cells than it.
    """
    if header_row:
        header = _header(path, next((row.cells for row in islice(rows, header_row - 1, None)), []), header_row)
    else:
        first = list(islice(rows, _ROWS_OF_UNNAMED))
        header = [f"column {number}" for number in range(1, max((len(row.cells) for row in first), default=0) + 1)]
        rows = chain(first, rows)
    blank: list[int] = []
    for number, line, cells in _without_closing(rows):
        if not cells:
            blank += [number] if len(header) == 1 else []
            continue
        yield from (SizedRecord(0, empty, {header[0]: ""}) for empty in blank)
        yield SizedRecord(sum(map(len, cells)), number, _record(path, header, cells, line))
        blank = []


def _without_closing(rows: Iterator[SheetRow]) -> Iterator[SheetRow]:
    """Leave out totals, and notes of the date or source, after which nothing but a few rows follows."""
    held: list[SheetRow] = []
    for row in rows:
        if held or _closes(row):
            held.append(row)
            if sum(bool(each.cells) for each in held) > _CLOSING:
                yield from held
                held = []
        else:
            yield row
    yield from (row for row in held if not _closes(row))


def _closes(row: SheetRow) -> bool:
    return is_total(row.cells) or is_note(row.cells)


def _header(path: Path, cells: Sequence[str], row: int) -> list[str]:
    check_width(path, len(cells), row)
    names = [cell.strip() for cell in cells]
    if not any(names):
        problem = "the file is empty, or its first line is" if row == 1 else "this row is empty, or not there"
        raise DataFileError(path, f"{problem}; expected the names of the columns", line=row)
    header = [name or f"column {number}" for number, name in enumerate(names, 1)]
    check_names(path, header, line=row)
    return header


def _record(path: Path, header: list[str], cells: list[str], line: int) -> dict[str, Any]:
    if any(cells[len(header) :]):
        raise DataFileError(path, f"{len(cells)} fields where the header has {len(header)}", line=line)
    return dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=False))
