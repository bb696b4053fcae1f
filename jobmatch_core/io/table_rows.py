"""Rows of CSV and XLSX as records: header, blank rows, totals, and the number that a spreadsheet shows of each row."""

from collections.abc import Generator, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import check_names, check_width

_ROWS_OF_UNNAMED = 100  # rows that say how many columns a table without a header has
_BELOW_TOTAL = 5  # rows, of notes say, that may stand between a total and the end
_UNIT_LENGTH = 3  # letters of a currency or a unit beside a number
TOTALS = frozenset((
    "total", "totals", "grand total", "subtotal", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "zwischensumme",
    "somme", "total général", "ensemble", "total general", "suma", "suma total", "totale", "totale generale", "somma",
    "total geral", "soma", "totaal", "eindtotaal", "razem", "ogółem", "łącznie", "celkem", "součet", "spolu", "celkom",
    "skupaj", "vsota", "ukupno", "svega", "укупно", "összesen", "összeg", "summa", "totalt", "i alt",
    "sammanlagt", "yhteensä", "kokku", "kopā", "iš viso", "viso", "σύνολο", "общо", "всичко",
    "итого", "всего", "сумма", "усього", "всього", "разом", "toplam", "genel toplam", "المجموع", "الإجمالي", "مجموع",
    "جمع", "סה״כ", 'סה"כ', "סך הכל", "合计", "总计", "总和", "合計", "總計", "総計", "計", "합계", "총계", "कुल",
    "कुल योग", "योग", "รวม", "รวมทั้งหมด", "tổng", "tổng cộng", "jumlah", "samtals", "iomlán", "guztira",
))  # fmt: skip


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
    """Yield the rows below a header as records, without totals at the end.

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
    for number, line, cells in _without_totals(rows):
        if not cells:
            blank += [number] if len(header) == 1 else []
            continue
        yield from (SizedRecord(0, empty, {header[0]: ""}) for empty in blank)
        yield SizedRecord(sum(map(len, cells)), number, _record(path, header, cells, line))
        blank = []


def is_total(cells: Sequence[str]) -> bool:
    """Return whether a row is a total of those above it: 'Total', 'Summe' or the like, and numbers."""
    texts = [cell for cell in cells if cell.strip() and not _is_figure(cell)]
    return len(texts) == 1 and _total_word(texts[0]) in TOTALS


def _total_word(cell: str) -> str:
    """Return what a cell says before a colon or a number."""
    before = cell.casefold().partition(":")[0]
    return before.rstrip("0123456789.,()= ").strip()


def _is_figure(cell: str) -> bool:
    letters = sum(map(str.isalpha, cell))
    return letters == 0 or (letters <= _UNIT_LENGTH and any(map(str.isdecimal, cell)))


def _without_totals(rows: Iterator[SheetRow]) -> Iterator[SheetRow]:
    """Leave out totals after which nothing but a few rows follows."""
    held: list[SheetRow] = []
    for row in rows:
        if held or is_total(row.cells):
            held.append(row)
            if sum(bool(each.cells) for each in held) > _BELOW_TOTAL:
                yield from held
                held = []
        else:
            yield row
    yield from (row for row in held if not is_total(row.cells))


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
