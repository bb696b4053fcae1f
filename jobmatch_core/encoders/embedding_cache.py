"""A cache of embeddings on disk, so that no encoder encodes a text twice.

A row of the `VectorFile` is a text's vector in single precision.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.vector_file import VectorFile, text_key

_log = logging.getLogger(__name__)
_BLOCK = 512  # texts read, encoded and written at a time; at most so many are lost when a process is killed


class EmbeddingCache:
    """An encoder with a cache: it calls another encoder only for texts that are not in the file."""

    def __init__(self, encoder: Encoder, folder: Path, *, needed: bool = True) -> None:
        """Wrap an encoder; the folder is created when it is first needed.

        Args:
            encoder: the encoder; its name identifies its vectors in the folder.
            folder: may be shared by several encoders and processes.
            needed: raise an error if the file cannot be read or written; else log one warning and encode texts without
                the cache.
        """
        self._encoder = encoder
        self._file = VectorFile(folder, encoder.name)
        self._needed = needed
        self._given_up = False

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension).

        Raises:
            SettingsError: the file cannot be read or written, or is damaged, and is needed.
        """
        blocks = [self._encode_block(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        return np.concatenate(blocks) if blocks else self._encoder.encode([])

    def _encode_block(self, texts: Sequence[str]) -> FloatArray:
        keys = [text_key(text) for text in texts]
        rows = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            vectors = self._encoder.encode(list(missing.values())).astype("<f4")
            fresh = {key: vector.tobytes() for key, vector in zip(missing, vectors, strict=True)}
            self._write(fresh)
            rows |= fresh
        return np.stack([np.frombuffer(rows[key], dtype="<f4") for key in keys])

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        if self._given_up:
            return {}
        try:
            return self._file.read(keys)
        except SettingsError as error:
            self._give_up(error)
            return {}

    def _write(self, rows: Mapping[bytes, bytes]) -> None:
        if self._given_up:
            return
        try:
            self._file.write(rows)
        except SettingsError as error:
            self._give_up(error)

    def _give_up(self, error: SettingsError) -> None:
        if self._needed:
            raise error
        _log.warning("The vectors of %s are not stored: %s", self.name, error)
        self._given_up = True
