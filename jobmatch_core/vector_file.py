"""Vectors of texts kept on disk: what the caches of encoders write.

One SQLite file an encoder, `NAME.sqlite`, with a row a text: SHA-256 of the text, and the bytes of its vectors.
SQLite's own locks and journal let several processes share a file, and undo what a killed one left half written.
Nothing is forgotten; a file can be deleted at any time.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from jobmatch_core.errors import SettingsError

_PATIENCE_S = 60.0  # while another process writes


def text_key(text: str) -> bytes:
    """Return what a text's row is found by; half characters from damaged files are texts, too."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorFile:
    """The rows of one encoder."""

    def __init__(self, folder: Path, encoder: str) -> None:
        """Say where; the folder is made when it is first needed.

        Args:
            folder: may be shared by several encoders and processes.
            encoder: its name, which tells its vectors from those of others.
        """
        self.path = folder / _file_name(encoder)

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the rows that are there, at most a few hundred keys at a time.

        Raises:
            SettingsError: the file cannot be read, or is damaged.
        """
        marks = ",".join("?" * len(keys))
        with self._connection() as connection:
            return dict(connection.execute(f"SELECT text, vector FROM embeddings WHERE text IN ({marks})", keys))  # noqa: S608

    def write(self, rows: Mapping[bytes, bytes]) -> None:
        """Add rows.

        Raises:
            SettingsError: the file cannot be written, or is damaged.
        """
        with self._connection() as connection, connection:
            # another process may have been faster
            connection.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?)", rows.items())

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Open the file anew each time: connections may not be shared between threads."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE_S)) as connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS embeddings (text BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                )
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise SettingsError(
                f"The cache of vectors {self.path} cannot be used ({error}). Delete the file if it is damaged, or "
                "set JOBMATCH_HOME to a folder that can be written to, on a disk with space."
            ) from error


def _file_name(encoder: str) -> str:
    """Return a file name that no other encoder has, and that people can recognise."""
    digest = hashlib.sha256(encoder.encode()).hexdigest()[:16]
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', encoder).strip('-')[:60]}-{digest}.sqlite"
