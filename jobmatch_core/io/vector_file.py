"""Text vectors on disk, the storage of the encoders' caches.

Each encoder has an SQLite file with one row per text: SHA-256 of the text, and the bytes of its vectors. Several
processes may share a file. Rows never expire; a file can be deleted at any time, and a damaged one is replaced by an
empty one.
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
_TIMEOUT_S = 60.0  # of waiting while another process writes
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_Result = TypeVar("_Result")


def text_key(text: str) -> bytes:
    """Return the key of a text's row; accepts lone surrogates, which damaged files may hold."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorFile:
    """The stored vectors of one encoder."""

    def __init__(self, folder: Path, encoder: str) -> None:
        """Set the folder, which several encoders and processes may share; it is created when it is first needed."""
        digest = hashlib.sha256(encoder.encode()).hexdigest()[:16]
        # a readable name, with a digest that makes it unique
        self.path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', encoder).strip('-')[:60]}-{digest}.sqlite"

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the stored rows of at most a few hundred keys; raises SettingsError if the file cannot be used."""
        marks = ",".join("?" * len(keys))
        wanted = f"SELECT text, vector FROM embeddings WHERE text IN ({marks})"  # noqa: S608
        return self._run(lambda connection: dict(connection.execute(wanted, keys)))

    def write(self, rows: Mapping[bytes, bytes]) -> None:
        """Add rows; raises SettingsError if the file cannot be used."""
        # another process may have been faster
        added = "INSERT OR IGNORE INTO embeddings VALUES (?, ?)"
        self._run(lambda connection: connection.executemany(added, rows.items()))

    def _run(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        try:
            try:
                return self._try(action)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                    raise
                _log.warning("The cache of vectors %s is damaged (%s) and is rebuilt.", self.path, error)
                self._remove()
                return self._try(action)
        except (sqlite3.Error, OSError) as error:
            raise SettingsError(
                f"The cache of vectors {self.path} cannot be used ({error}). Set JOBMATCH_HOME to a folder that can be "
                "written to, on a disk with space."
            ) from error

    def _try(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        # opened anew each time, because threads may not share connections
        make_folder(self.path.parent)
        with closing(sqlite3.connect(self.path, timeout=_TIMEOUT_S)) as connection, connection:
            connection.execute("CREATE TABLE IF NOT EXISTS embeddings (text BLOB PRIMARY KEY, vector BLOB NOT NULL)")
            return action(connection)

    def _remove(self) -> None:
        for path in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            path.unlink(missing_ok=True)
