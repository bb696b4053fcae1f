"""Embeddings kept on disk, so that no text is encoded twice by the same encoder.

One SQLite file an encoder, `NAME.sqlite`, with a row a text: SHA-256 of the text, and its vector in single precision.
SQLite's own locks and journal let several processes share a file, and undo what a killed one left half written.
Nothing is forgotten; a file can be deleted at any time.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import SettingsError

_BLOCK = 512  # texts read, encoded and written at a time: what is lost at most when a process is killed
_PATIENCE_S = 60.0  # while another process writes


class EmbeddingCache:
    """An encoder that asks another one only for texts that it has not seen."""

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        """Wrap an encoder; the folder is made when it is first needed.

        Args:
            encoder: its name tells its vectors from those of others.
            folder: may be shared by several encoders and processes.
        """
        self._encoder = encoder
        self.path = folder / _file_name(encoder.name)

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension).

        Raises:
            SettingsError: the file cannot be read or written, or is damaged.
        """
        blocks = [self._encode_block(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        return np.concatenate(blocks) if blocks else self._encoder.encode([])

    def _encode_block(self, texts: Sequence[str]) -> FloatArray:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        vectors = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        if missing:
            fresh = dict(zip(missing, self._encoder.encode(list(missing.values())), strict=True))
            self._write(fresh)
            vectors |= fresh
        return np.stack([vectors[key] for key in keys])

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, FloatArray]:
        marks = ",".join("?" * len(keys))
        with self._connection() as connection:
            rows = connection.execute(f"SELECT text, vector FROM embeddings WHERE text IN ({marks})", keys)  # noqa: S608
            return {key: np.frombuffer(vector, dtype="<f4") for key, vector in rows}

    def _write(self, vectors: dict[bytes, FloatArray]) -> None:
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        with self._connection() as connection, connection:
            # another process may have been faster
            connection.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?)", rows)

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
                f"The cache of embeddings {self.path} cannot be used ({error}). Delete the file if it is damaged, or "
                "set JOBMATCH_HOME to a folder that can be written to, on a disk with space."
            ) from error


def _file_name(encoder: str) -> str:
    """Return a file name that no other encoder has, and that people can recognise."""
    digest = hashlib.sha256(encoder.encode()).hexdigest()[:16]
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', encoder).strip('-')[:60]}-{digest}.sqlite"
