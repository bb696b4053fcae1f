"""Strict reading of CSV files: every fault is named with its file and line."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import LARGEST_ROW, RowLines, check_width
from jobmatch_core.io.text_files import check_regular

_ZIP_MAGIC = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Row:
    """One record and the line on which it ends."""

    line: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return a column's text, stripped; empty where the file has no such column."""
        return self.values.get(column, "").strip()


def read_rows(path: Path, required: Sequence[str]) -> Iterator[Row]:
    """Yield the records of a UTF-8 CSV file with a header.

    Args:
        path: the file.
        required: columns that must be in its header.

    Raises:
        DataFileError: it is unreadable, a zip, empty, not UTF-8, or has NULs; it lacks a column or has one
            twice; or a record is cut short.
    """
    try:
        check_regular(path)
        _refuse_zip(path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _records(path, file, required)
    except UnicodeDecodeError as error:
        raise DataFileError(
            path, "this is not UTF-8 text; save the file as 'CSV UTF-8' and try again", line=_undecodable_line(path)
        ) from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


def split_names(cell: str) -> list[str]:
    """Split a cell of several names, which stand one a line or with `|` between them."""
    return [name.strip() for part in cell.splitlines() for name in part.split("|") if name.strip()]


def _records(path: Path, file: TextIO, required: Sequence[str]) -> Iterator[Row]:
    lines = RowLines(path, file)
    reader = csv.reader(lines, strict=True)
    try:
        header = _header(path, reader, required)
        for values in reader:
            lines.end_row()
            if not values:
                continue
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
