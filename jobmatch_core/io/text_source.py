"""Files of users, opened with their encoding and, if packed by gzip, unpacked while they are read."""

import codecs
import io
import shutil
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from gzip import BadGzipFile
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import LARGEST_ROW, unpacking
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.io.text_files import check_regular

PACKED = ".gz"


def is_packed(path: Path) -> bool:
    """Return whether a file is packed by gzip, as its ending says."""
    return path.suffix.lower() == PACKED


def unpacked_name(path: Path) -> Path:
    """Return a file's name without the ending of gzip."""
    return Path(path.stem if is_packed(path) else path.name)


@contextmanager
def translated_read_errors(path: Path) -> Iterator[None]:
    """Raise DataFileError in place of OSError and the errors of gzip."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataFileError(path, "there is no such file") from error
    except (BadGzipFile, EOFError, zlib.error) as error:
        raise DataFileError(path, f"this is not a gzip file, or it is damaged ({error})") from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


@contextmanager
def translated_damage(path: Path, kind: str) -> Iterator[None]:
    """Raise DataFileError for any error of a library that reads a damaged file; *kind* is, say, `a Parquet file`."""
    try:
        yield
    except (DataFileError, MemoryError):
        raise
    except Exception as error:
        raise DataFileError(path, f"this is not {kind}, or it is damaged ({error})") from error


@contextmanager
def opened_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file, unpacked if packed; raises DataFileError if it is unreadable, or unpacks to too much."""
    with translated_read_errors(path):
        check_regular(path)
        with unpacking(path) if is_packed(path) else path.open("rb") as stream:
            yield stream


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a file as it is, or unpacked in a temporary folder; raises as `opened_bytes`."""
    if not is_packed(path):
        yield path
        return
    with temporary_folder() as folder:
        copy = folder / unpacked_name(path)
        with opened_bytes(path) as stream, copy.open("wb") as file:
            shutil.copyfileobj(stream, file)
        yield copy


@contextmanager
def opened_text(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a text without its byte order mark; raises as `opened_bytes`, and for a wrong or unknown encoding."""
    try:
        if "\0" in encoding or not encoding.isascii():  # Python raises ValueError for these
            raise LookupError(encoding)
        encoding = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
        with opened_bytes(path) as stream, io.TextIOWrapper(stream, encoding, newline="") as file:
            yield file
    except LookupError as error:
        raise DataFileError(path, f"there is no text encoding {encoding!r}; try utf-8 or cp1252") from error
    except UnicodeError as error:
        name = encoding.upper().removesuffix("-SIG")
        problem = f"this is not {name} text; save it as UTF-8 (Excel: 'CSV UTF-8'), or name its encoding (as cp1252)"
        with opened_bytes(path) as stream:
            # NULs mean UTF-16 or no text at all, so that no single line is at fault
            lines = takewhile(lambda line: b"\0" not in line, byte_lines(stream))
            raise DataFileError(path, problem, line=undecodable_line(lines, encoding)) from error


def byte_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of an opened file, in pieces of at most `LARGEST_ROW` bytes."""
    return iter(partial(stream.readline, LARGEST_ROW), b"")


def undecodable_line(lines: Iterable[bytes], encoding: str) -> int | None:
    """Return the number of the first line that is not in an encoding, from 1; None if all are.

    Text is decoded far ahead of the row that is read, so that the line of an error needs a search of its own.
    """
    for number, line in enumerate(lines, 1):
        try:
            line.decode(encoding)
        except UnicodeDecodeError:
            return number
    return None
