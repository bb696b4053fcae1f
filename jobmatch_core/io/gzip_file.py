"""Reading of gzip files, with a limit on the unpacked size."""

import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import most_unpacked
from jobmatch_core.io.text_files import check_regular


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
