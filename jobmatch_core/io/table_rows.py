"""Rows of CSV and XLSX as records: header, blank and closing rows, and the row number that a spreadsheet shows."""

import re
import tomllib
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import check_names, check_width

_ROWS_OF_UNNAMED = 100  # first rows that determine the number of columns of a table without a header
_CLOSING = 5  # maximum number of rows, such as notes, from a total to the end
_UNIT_LENGTH = 3  # letters of a currency or a unit beside a number
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember)"
)
_DATE = rf"(?:\d{{1,4}}[./年-]\s?\d|\d{{1,2}}\S{{0,3}}(?:\s\S+){{1,3}}\s\d{{4}}|{_MONTHS}\s(?:\d{{1,2}},\s)?\d{{4}}).*"
_ANY_DATE = r".*(?:\d{4}|\d[./-]\d).*"


class SheetRow(NamedTuple):
    """A row of a file."""

    # number of the row, from 1, as a spreadsheet shows it: blank rows count, and a CSV cell of several lines is in one
    # row
    number: int
    line: int  # line of the text on which it ends, for errors; the row number for XLSX
    cells: list[str]  # its cells; none for an empty row


class SizedRecord(NamedTuple):
    """A row as a record."""

    size: int  # number of characters
    number: int  # number of the row in its file, see `SheetRow`
    record: dict[str, Any]  # its cells by column


def records(path: Path, rows: Iterator[SheetRow], header_row: int) -> Generator[SizedRecord]:
    """Yield the rows below a header as records, without totals and notes at the end.

    In a table with one column, empty rows before the last filled one are empty titles.

    Raises DataFileError if the header is empty or repeats a column, or a row has more cells than the header.
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
    # leaves out totals and notes that at most a few rows follow
    held: list[SheetRow] = []
    for row in rows:
        if held or _closes(row):
            held.append(row)
            if sum(bool(candidate.cells) for candidate in held) > _CLOSING:
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
        problem = "the file or its first line is empty" if row == 1 else "this row is empty or does not exist"
        raise DataFileError(path, f"{problem}; expected the names of the columns", line=row)
    header = [name or f"column {number}" for number, name in enumerate(names, 1)]
    check_names(path, header, line=row)
    return header


def _record(path: Path, header: list[str], cells: list[str], line: int) -> dict[str, Any]:
    if any(cells[len(header) :]):
        raise DataFileError(path, f"{len(cells)} fields where the header has {len(header)}", line=line)
    return dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=False))


def is_total(cells: Sequence[str]) -> bool:
    """Return whether a row has a word for a total, such as 'Summe' or 'Gesamtzahl: 3', and beside it only numbers."""
    totals = [_says_total(cell) for cell in cells if _says_total(cell) or _is_text(cell)]
    return totals == [True]


def is_note(cells: Sequence[str]) -> bool:
    """Return whether a row only states the date or source of the table: 'Stand: 1.1.2026', 'Source: register'."""
    text = " ".join(cells).replace("：", ":")
    if sum(map(_is_text, cells)) > 1 or not (":" in text or any(map(str.isdecimal, text))):
        return False
    return _closing_words().notes.fullmatch(" ".join(text.casefold().split())) is not None


def _says_total(cell: str) -> bool:
    before, _, after = cell.casefold().replace("：", ":").partition(":")
    if after.strip() and not any(map(str.isdecimal, after)):  # `Total: cook` may be a title
        return False
    words = before.rstrip("0123456789.,()=-–— ").strip()
    return words in _closing_words().totals or f"{words} ".startswith(_closing_words().counts)


def _is_text(cell: str) -> bool:
    letters = sum(map(str.isalpha, cell))
    is_figure = letters == 0 or (letters <= _UNIT_LENGTH and any(map(str.isdecimal, cell)))
    return bool(cell.strip()) and not is_figure


class _ClosingWords(NamedTuple):
    totals: frozenset[str]
    counts: tuple[str, ...]  # each with a blank behind it
    notes: "re.Pattern[str]"


@cache
def _closing_words() -> _ClosingWords:
    words = tomllib.loads((files("jobmatch_core.io") / "closing_words.toml").read_text("utf-8"))
    dated, before_colon, sources = (
        "|".join(map(re.escape, words[key])) for key in ("dated", "before_colon", "sources")
    )
    with_colon = rf"(?:{dated}|{before_colon})\s?:{_ANY_DATE}|(?:{sources})\s?:\s?\S.*"
    notes = re.compile(rf"\W*(?:(?:{dated})\s?{_DATE}|{with_colon})")
    return _ClosingWords(frozenset(words["totals"]), tuple(f"{phrase} " for phrase in words["counts"]), notes)
