"""Size limits of tables: above the size of honest files, and below the size that exhausts a machine.

The number of rows has no limit, because files are streamed. `docs/cli.md` describes the limits.
"""

import csv
import gzip
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.text_files import check_regular

_MEGABYTE = 1 << 20
MOST_COLUMNS = 2000
XLSX_MAX_ROWS = 1_048_576
LARGEST_ROW = 16 * _MEGABYTE  # characters of a row, a line or a cell: whole job postings are one cell
LARGEST_BATCH = 32 * _MEGABYTE  # characters of the rows in memory
_LEAST_UNPACKED = 64 * _MEGABYTE  # bytes; the limit of small compressed files
_PACKED_TIMES = 100  # maximum compression ratio of larger files; real tables reach about 20

csv.field_size_limit(LARGEST_ROW)


def most_unpacked(packed: int) -> int:
    """Return the maximum unpacked size of a compressed file, in bytes; *packed* is its compressed size."""
    return max(_LEAST_UNPACKED, _PACKED_TIMES * packed)


def check_width(path: Path, count: int, line: int | None = None) -> None:
    """Raise DataFileError if a table has more than `MOST_COLUMNS` columns, or a row more cells."""
    if count > MOST_COLUMNS:
        problem = f"there are {count:,} columns, but a table may have at most {MOST_COLUMNS:,}; remove some"
        raise DataFileError(path, problem, line=line)


def check_names(path: Path, names: Sequence[str], line: int | None = None) -> None:
    """Raise DataFileError if a table has too many columns, or two with the same name."""
    check_width(path, len(names), line)
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataFileError(path, f"the column {twice[0]!r} occurs twice; give each its own name", line=line)


def too_large_row(path: Path, line: int | None = None) -> DataFileError:
    """Return the error for a row that is larger than `LARGEST_ROW`."""
    problem = f"a row is over {LARGEST_ROW // _MEGABYTE} MB; shorten it, and check for unclosed quotes"
    return DataFileError(path, problem, line=line)


class RowLines:
    """The lines of a text file, for `csv.reader` or one by one; never reads more of a row than `LARGEST_ROW`."""

    def __init__(self, path: Path, file: TextIO) -> None:
        """Read an opened file; *path* is its name in errors."""
        self._path, self._file = path, file
        self._number = self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        # raises DataFileError if the lines since the last `end_row` are larger than a row may be
        line = self._file.readline(LARGEST_ROW + 1)
        if not line:
            raise StopIteration
        self._number += 1
        self._size += len(line)
        if self._size > LARGEST_ROW:
            raise too_large_row(self._path, self._number)
        return line

    def end_row(self) -> None:
        """Mark the end of a row; the size of the next one is counted from here."""
        self._size = 0


def single_lines(path: Path, file: TextIO) -> Iterator[str]:
    """Yield the lines of a text file with one row per line; raises DataFileError for a line over `LARGEST_ROW`."""
    lines = RowLines(path, file)
    for line in lines:
        lines.end_row()
        yield line


@contextmanager
def unpacking(path: Path) -> Iterator[BinaryIO]:
    """Open a gzip file; reading raises the errors of `gzip.open`, and DataFileError beyond the size limit."""
    check_regular(path)
    with gzip.open(path) as unpacked, io.BufferedReader(_Bounded(path, unpacked)) as stream:
        yield cast(BinaryIO, stream)


class _Bounded(io.RawIOBase):
    def __init__(self, path: Path, unpacked: gzip.GzipFile) -> None:
        self._path, self._unpacked = path, unpacked
        self._left = most_unpacked(path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the base class accepts any writable buffer
        count = self._unpacked.readinto(buffer)
        self._left -= count
        if self._left < 0:
            problem = "it unpacks to more than the limit for tables; unpack it and check its content"
            raise DataFileError(self._path, problem)
        return count
