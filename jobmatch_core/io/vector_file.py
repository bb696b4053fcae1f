"""A file of text vectors on disk, the storage of the encoders' caches.

One SQLite file per encoder, `NAME.sqlite`, with one row per text: SHA-256 of the text, and the bytes of its vectors.
SQLite's own locks and journal let several processes share a file, and undo an incomplete write of a killed one.
No row expires; a file can be deleted at any time, and a damaged file is replaced by an empty one.
"""

import hashlib
import logging
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import make_folder

_log = logging.getLogger(__name__)
_PATIENCE_S = 60.0  # while another process writes
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_Found = TypeVar("_Found")


def text_key(text: str) -> bytes:
    """Return the key of a text's row; lone surrogates from damaged files are accepted."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorFile:
    """The stored vectors of one encoder."""

    def __init__(self, folder: Path, encoder: str) -> None:
        """Set the location; the folder is created when it is first needed.

        Args:
            folder: may be shared by several encoders and processes.
            encoder: name of the encoder, which identifies its vectors.
        """
        self.path = folder / _file_name(encoder)

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the stored rows of some keys, at most a few hundred at a time.

        Raises:
            SettingsError: the file cannot be read.
        """
        marks = ",".join("?" * len(keys))
        wanted = f"SELECT text, vector FROM embeddings WHERE text IN ({marks})"  # noqa: S608
        return self._done(lambda connection: dict(connection.execute(wanted, keys)))

    def write(self, rows: Mapping[bytes, bytes]) -> None:
        """Add rows.

        Raises:
            SettingsError: the file cannot be written.
        """
        # another process may have been faster
        added = "INSERT OR IGNORE INTO embeddings VALUES (?, ?)"
        self._done(lambda connection: connection.executemany(added, rows.items()))

    def _done(self, action: Callable[[sqlite3.Connection], _Found]) -> _Found:
        """Perform an action on the file; if the file is damaged, replace it by an empty one and try once more."""
        try:
            try:
                return self._tried(action)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                    raise
                _log.warning("The cache of vectors %s is damaged (%s) and is rebuilt.", self.path, error)
                self._remove()
                return self._tried(action)
        except (sqlite3.Error, OSError) as error:
            raise SettingsError(
                f"The cache of vectors {self.path} cannot be used ({error}). Set JOBMATCH_HOME to a folder that can be "
                "written to, on a disk with space."
            ) from error

    def _tried(self, action: Callable[[sqlite3.Connection], _Found]) -> _Found:
        """Open the file anew each time: connections may not be shared between threads."""
        make_folder(self.path.parent)
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE_S)) as connection, connection:
            connection.execute("CREATE TABLE IF NOT EXISTS embeddings (text BLOB PRIMARY KEY, vector BLOB NOT NULL)")
            return action(connection)

    def _remove(self) -> None:
        for path in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            path.unlink(missing_ok=True)


def _file_name(encoder: str) -> str:
    """Return a readable file name that is unique to an encoder."""
    digest = hashlib.sha256(encoder.encode()).hexdigest()[:16]
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', encoder).strip('-')[:60]}-{digest}.sqlite"
