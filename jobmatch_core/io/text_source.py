"""Text files that users bring: opened with their encoding, and unpacked while they are read if gzip has packed them."""

import codecs
import io
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile
from pathlib import Path
from typing import BinaryIO, TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import LARGEST_ROW, unpacking
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.io.text_files import check_regular

PACKED = ".gz"


def is_packed(path: Path) -> bool:
    """Return whether a file is packed by gzip, by its ending."""
    return path.suffix.lower() == PACKED


def unpacked_name(path: Path) -> Path:
    """Return a file's name without the ending of gzip."""
    return Path(path.stem if is_packed(path) else path.name)


@contextmanager
def translated_read_errors(path: Path) -> Iterator[None]:
    """Raise DataFileError in place of an OSError: there is no such file, or it cannot be read."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataFileError(path, "there is no such file") from error
    except (BadGzipFile, EOFError, zlib.error) as error:
        raise DataFileError(path, f"this is no file that gzip has packed, or it is damaged ({error})") from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


@contextmanager
def opened_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file, unpacked if it is packed.

    Raises:
        DataFileError: it cannot be read, is damaged, or unpacks to more than `most_unpacked`.
    """
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
    """Open a text file without its byte order mark, line ends as they are.

    Raises:
        DataFileError: as `opened_bytes`; or the encoding is unknown, or the bytes are not in it.
    """
    try:
        if "\0" in encoding or not encoding.isascii():  # which are ValueErrors to Python, like many others
            raise LookupError(encoding)
        encoding = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
        with opened_bytes(path) as stream, io.TextIOWrapper(stream, encoding, newline="") as file:
            yield file
    except LookupError as error:
        raise DataFileError(path, f"there is no text encoding {encoding!r}; try utf-8 or cp1252") from error
    except UnicodeError as error:
        raise _wrong_encoding(path, encoding) from error


def _wrong_encoding(path: Path, encoding: str) -> DataFileError:
    name = encoding.upper().removesuffix("-SIG")
    problem = f"this is not {name} text; save it as UTF-8 (Excel: 'CSV UTF-8'), or name its encoding (as cp1252)"
    return DataFileError(path, problem, line=_undecodable_line(path, encoding))


def _undecodable_line(path: Path, encoding: str) -> int | None:
    """Look for the line by itself, because text is decoded far ahead of the row that is read."""
    with opened_bytes(path) as stream:
        number = 0
        while line := stream.readline(LARGEST_ROW):
            number += 1
            if b"\0" in line:  # UTF-16, or no text at all
                return None
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return number
    return None
