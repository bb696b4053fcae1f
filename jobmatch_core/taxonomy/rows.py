"""Rows of CSV files: read strictly, every fault named with its file and line; of repeated ones, one counts.

Several rows of one concept, as in ESCO 1.2.1, that agree in all compared columns count once. Where they differ, the one
with the newest `modifiedDate` counts.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import LARGEST_ROW, RowLines, check_width
from jobmatch_core.io.text_files import check_regular

_ZIP_MAGIC = b"PK\x03\x04"
_LISTED = 5  # examples in a note


@dataclass(frozen=True, slots=True)
class Row:
    """One record and the line on which it ends."""

    line: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return a column's text, stripped; empty where the file has no such column."""
        return self.values.get(column, "").strip()


def read_rows(path: Path, required: Sequence[str], *, may_end_early: bool = False) -> Iterator[Row]:
    """Yield the records of a UTF-8 CSV file with a header.

    Args:
        path: the file.
        required: columns that must be in its header.
        may_end_early: records may leave out empty fields at their end, as those of ESCO's skills hierarchy do.

    Raises:
        DataFileError: it is unreadable, a zip, empty, not UTF-8, or has NULs; it lacks a column or has one
            twice; or a record is cut short.
    """
    try:
        check_regular(path)
        _refuse_zip(path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _records(path, file, required, may_end_early)
    except UnicodeDecodeError as error:
        raise DataFileError(
            path, "this is not UTF-8 text; save the file as 'CSV UTF-8' and try again", line=_undecodable_line(path)
        ) from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


def split_names(cell: str) -> list[str]:
    """Split a cell of several names, which stand one a line or with `|` between them."""
    return [name.strip() for part in cell.splitlines() for name in part.split("|") if name.strip()]


def _records(path: Path, file: TextIO, required: Sequence[str], may_end_early: bool) -> Iterator[Row]:
    lines = RowLines(path, file)
    reader = csv.reader(lines, strict=True)
    try:
        header = _header(path, reader, required)
        for values in reader:
            lines.end_row()
            if not values:
                continue
            if may_end_early:
                values += [""] * (len(header) - len(values))
            if len(values) != len(header):
                raise DataFileError(path, _cut_short(len(values), len(header)), line=reader.line_num)
            if "\0" in "".join(values):
                raise DataFileError(path, "there are NUL bytes here; the file is damaged", line=reader.line_num)
            yield Row(reader.line_num, dict(zip(header, values, strict=True)))
    except csv.Error as error:
        raise DataFileError(
            path, f"the CSV is broken here ({error}); is the file cut short?", line=reader.line_num
        ) from error


def _undecodable_line(path: Path) -> int | None:
    """Look for the line by itself: text is decoded far ahead of the record that is read."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, LARGEST_ROW), b""), start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return None


def _refuse_zip(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(4) == _ZIP_MAGIC:
            raise DataFileError(path, "this is a zip archive; unpack it and give the folder that comes out")


def _header(path: Path, reader: Iterator[list[str]], required: Sequence[str]) -> list[str]:
    header = [column.strip() for column in next(reader, [])]
    if not header:
        raise DataFileError(path, f"the file is empty; expected a header with {', '.join(required)}", line=1)
    check_width(path, len(header), line=1)
    missing = [column for column in required if column not in header]
    if len(missing) == len(required):  # some other file, of which nothing is shown
        raise DataFileError(
            path,
            f"the columns are missing, all of them: {', '.join(repr(column) for column in required)}; is it another "
            "file, or are its cells not separated by commas?",
            line=1,
        )
    if missing:
        raise DataFileError(
            path,
            f"the column {', '.join(repr(column) for column in missing)} is missing; found {', '.join(header[:12])}",
            line=1,
        )
    for position, column in enumerate(header):
        if column and column in header[:position]:  # spreadsheets leave several columns without a name
            raise DataFileError(path, f"the column {column!r} is there twice", line=1)
    return header


def _cut_short(found: int, expected: int) -> str:
    return f"{found} fields where the header has {expected}; is the line cut short or a quote missing?"


@dataclass(frozen=True, slots=True)
class RepeatedRow:
    """A row that was left out because another row of the same concept counts."""

    file: str
    line: int
    uri: str
    name: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class UniqueRows:
    """One row for each concept, in the order of the file, and the rows left out."""

    rows: tuple[Row, ...]
    repeated: tuple[RepeatedRow, ...]


def unique_rows(path: Path, rows: Iterable[Row], compared: Sequence[str]) -> UniqueRows:
    """Return one row for each `conceptUri`.

    Args:
        path: the file, for error messages.
        rows: records of the file.
        compared: columns in which repeated rows may contradict each other.

    Raises:
        DataFileError: a URI is empty, there are no rows, or rows contradict each other and `modifiedDate` does not
            show which is newer.
    """
    unique: dict[str, Row] = {}
    repeated: list[RepeatedRow] = []
    for row in rows:
        uri = row["conceptUri"]
        if not uri:
            raise DataFileError(path, "conceptUri is empty; every concept needs its URI", line=row.line)
        if (other := unique.get(uri)) is None:
            unique[uri] = row
            continue
        agrees = all(row[column] == other[column] for column in compared)
        if not agrees and _newer(path, row, other):
            unique[uri], row = row, other
        repeated.append(RepeatedRow(path.name, row.line, uri, unique[uri]["preferredLabel"] or uri, agrees))
    if not unique:
        raise DataFileError(path, "the file has a header but no rows", line=1)
    return UniqueRows(tuple(unique.values()), tuple(repeated))


def modified(row: Row) -> datetime | None:
    """Return a row's `modifiedDate`; None where it has none that is an ISO 8601 date."""
    try:
        date = datetime.fromisoformat(row["modifiedDate"])
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def repetition_notes(repeated: Sequence[RepeatedRow]) -> tuple[str, ...]:
    """Report the concepts with rows that were left out, at most one note for each reason."""
    reasons = {True: "the same content, so each counts once", False: "different content, so the newest row counts"}
    return tuple(
        f"{_concepts(found)} in the files more than once with {reason}. Rows left out: {_places(found)}."
        for agrees, reason in reasons.items()
        if (found := [each for each in repeated if each.agrees is agrees])
    )


def _newer(path: Path, row: Row, other: Row) -> bool:
    dates = modified(row), modified(other)
    if dates[0] is None or dates[1] is None or dates[0] == dates[1]:
        raise DataFileError(
            path,
            f"{row['conceptUri']} occurs twice (first on line {other.line}) with different content, and modifiedDate "
            "does not show which row is newer; remove one of them",
            line=row.line,
        )
    return dates[0] > dates[1]


def _concepts(found: Sequence[RepeatedRow]) -> str:
    count = len({each.uri for each in found})
    return "1 concept stands" if count == 1 else f"{count:,} concepts stand"


def _places(found: Sequence[RepeatedRow]) -> str:
    """Name the first row of each of the first concepts."""
    first = {each.uri: each for each in reversed(found)}.values()
    places = [f"{each.name} ({each.file}, line {each.line})" for each in list(first)[::-1][:_LISTED]]
    if len(found) > len(places):
        places.append(f"and {len(found) - len(places):,} more")
    return ", ".join(places)
