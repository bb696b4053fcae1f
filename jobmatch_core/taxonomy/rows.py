"""Rows of CSV files, read strictly: every error names the file and line; duplicate rows of a concept count once."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import RowLines, check_width
from jobmatch_core.io.text_files import check_regular
from jobmatch_core.io.text_source import byte_lines, undecodable_line

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
        required: columns that must be in its header.
        may_end_early: whether records may omit empty fields at their end, as in ESCO's skills hierarchy.

    Raises DataFileError if the file is unreadable, a zip, empty, not UTF-8, or has NUL bytes; a column is missing or
    repeated; or a record is cut short.
    """
    try:
        check_regular(path)
        with path.open("rb") as start:
            if start.read(4) == _ZIP_MAGIC:
                raise DataFileError(path, "this is a zip archive; unpack it and give the folder that comes out")
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _records(path, file, required, may_end_early)
    except UnicodeDecodeError as error:
        with path.open("rb") as file:
            line = undecodable_line(byte_lines(file), "utf-8")
        raise DataFileError(
            path, "this is not UTF-8 text; save the file as 'CSV UTF-8' and try again", line=line
        ) from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


def split_names(cell: str) -> list[str]:
    """Split a cell of several names, separated by line breaks or `|`."""
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
                raise DataFileError(
                    path,
                    f"{len(values)} fields where the header has {len(header)}; is the line cut short or a quote "
                    "missing?",
                    line=reader.line_num,
                )
            if "\0" in "".join(values):
                raise DataFileError(path, "there are NUL bytes here; the file is damaged", line=reader.line_num)
            yield Row(reader.line_num, dict(zip(header, values, strict=True)))
    except csv.Error as error:
        raise DataFileError(
            path, f"the CSV is broken here ({error}); is the file cut short?", line=reader.line_num
        ) from error


def _header(path: Path, reader: Iterator[list[str]], required: Sequence[str]) -> list[str]:
    header = [column.strip() for column in next(reader, [])]
    if not header:
        raise DataFileError(path, f"the file is empty; expected a header with {', '.join(required)}", line=1)
    check_width(path, len(header), line=1)
    missing = [column for column in required if column not in header]
    if len(missing) == len(required):  # probably another file: do not quote its content
        raise DataFileError(
            path,
            f"all columns are missing: {', '.join(repr(column) for column in required)}; is this another file, or are "
            "its cells not separated by commas?",
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


@dataclass(frozen=True, slots=True)
class RepeatedRow:
    """A duplicate row that was left out; `agrees` tells whether its content equals that of the row that counts."""

    file: str
    line: int
    uri: str
    name: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class UniqueRows:
    """One row per concept, in the order of the file, and the rows left out."""

    rows: tuple[Row, ...]
    repeated: tuple[RepeatedRow, ...]


def unique_rows(path: Path, rows: Iterable[Row], compared: Sequence[str]) -> UniqueRows:
    """Return one row per `conceptUri`: of rows that differ, as in ESCO 1.2.1, the one with the newest `modifiedDate`.

    Args:
        path: the file, for error messages.
        rows: records of the file.
        compared: columns in which rows may differ.

    Raises DataFileError if a URI is empty, there are no rows, or rows differ and `modifiedDate` does not show which is
    newer.
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
    """Return a row's `modifiedDate`, or None if it is missing or not an ISO 8601 date."""
    try:
        date = datetime.fromisoformat(row["modifiedDate"])
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def repetition_notes(repeated: Sequence[RepeatedRow]) -> tuple[str, ...]:
    """Return at most one note on the rows left out for each reason."""
    reasons = {True: "the same content, so each counts once", False: "different content, so the newest row counts"}
    return tuple(
        f"{_concepts(rows)} more than once in the files with {reason}. Rows left out: {_places(rows)}."
        for agrees, reason in reasons.items()
        if (rows := [row for row in repeated if row.agrees is agrees])
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


def _concepts(rows: Sequence[RepeatedRow]) -> str:
    count = len({row.uri for row in rows})
    return "1 concept occurs" if count == 1 else f"{count:,} concepts occur"


def _places(rows: Sequence[RepeatedRow]) -> str:
    first_rows = {row.uri: row for row in reversed(rows)}.values()
    places = [f"{row.name} ({row.file}, line {row.line})" for row in list(first_rows)[::-1][:_LISTED]]
    if len(rows) > len(places):
        places.append(f"and {len(rows) - len(places):,} more")
    return ", ".join(places)
