"""Size limits of tables, above the size of honest files and below the size that exhausts a machine.

`docs/cli.md` says the same in words. Rows have no limit: files are streamed. Gzip files are unpacked up to a limit.
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
LARGEST_ROW = 16 * _MEGABYTE  # characters, and so the most of a line and of a cell: whole advertisements are one cell
LARGEST_BATCH = 32 * _MEGABYTE  # characters of the rows that are in memory together
_LEAST_UNPACKED = 64 * _MEGABYTE  # bytes, that a file may unpack to, however small it is
_PACKED_TIMES = 100  # how much smaller a larger file may be packed; real ones come to some twenty

csv.field_size_limit(LARGEST_ROW)


def most_unpacked(packed: int) -> int:
    """Return the bytes that so many packed ones may unpack to."""
    return max(_LEAST_UNPACKED, _PACKED_TIMES * packed)


def check_width(path: Path, count: int, line: int | None = None) -> None:
    """Refuse a table with so many columns, or a row with so many cells.

    Raises:
        DataFileError: there are more than `MOST_COLUMNS`.
    """
    if count > MOST_COLUMNS:
        problem = f"there are {count:,} columns, and a table may have {MOST_COLUMNS:,}; keep those that are needed"
        raise DataFileError(path, problem, line=line)


def check_names(path: Path, names: Sequence[str], line: int | None = None) -> None:
    """Refuse a table with too many columns, or with two of one name.

    Raises:
        DataFileError: it has.
    """
    check_width(path, len(names), line)
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataFileError(path, f"the column {twice[0]!r} occurs twice; give each its own name", line=line)


def too_large_row(path: Path, line: int | None = None) -> DataFileError:
    """Return the error of a row that is larger than `LARGEST_ROW`."""
    problem = f"a row is over {LARGEST_ROW // _MEGABYTE} MB; shorten it, and look for quotes that are not closed"
    return DataFileError(path, problem, line=line)


class RowLines:
    """The lines of a text file, for `csv.reader` or one by one, none of them ever read further than a row may be."""

    def __init__(self, path: Path, file: TextIO) -> None:
        """Read a file that is open; *path* is what errors call it."""
        self._path, self._file = path, file
        self._number = self._size = 0

    def __iter__(self) -> Iterator[str]:
        """Return itself."""
        return self

    def __next__(self) -> str:
        """Return the next line.

        Raises:
            DataFileError: the lines since the last `end_row` are larger than a row may be.
        """
        line = self._file.readline(LARGEST_ROW + 1)
        if not line:
            raise StopIteration
        self._number += 1
        self._size += len(line)
        if self._size > LARGEST_ROW:
            raise too_large_row(self._path, self._number)
        return line

    def end_row(self) -> None:
        """Record that the lines so far are complete rows."""
        self._size = 0


def single_lines(path: Path, file: TextIO) -> Iterator[str]:
    """Yield the lines of a text file, each a row.

    Raises:
        DataFileError: one is larger than a row may be.
    """
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
    """Stream of the unpacked bytes, up to the limit."""

    def __init__(self, path: Path, unpacked: gzip.GzipFile) -> None:
        self._path, self._unpacked = path, unpacked
        self._left = most_unpacked(path.stat().st_size)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the base class accepts any writable buffer
        """Read some bytes; raises DataFileError beyond the limit."""
        count = self._unpacked.readinto(buffer)
        self._left -= count
        if self._left < 0:
            problem = "it unpacks to far more than a table does; unpack it and check its content"
            raise DataFileError(self._path, problem)
        return count
