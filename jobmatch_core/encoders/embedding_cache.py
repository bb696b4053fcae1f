"""Embeddings kept on disk, so that no text is encoded twice by the same encoder.

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
_BLOCK = 512  # texts read, encoded and written at a time: what is lost at most when a process is killed


class EmbeddingCache:
    """An encoder that asks another one only for texts that it has not seen."""

    def __init__(self, encoder: Encoder, folder: Path, *, needed: bool = True) -> None:
        """Wrap an encoder; the folder is made when it is first needed.

        Args:
            encoder: its name tells its vectors from those of others.
            folder: may be shared by several encoders and processes.
            needed: whether a file that cannot be read or written is an error; else the log is told once, and texts are
                encoded without it.
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
        _log.warning("The vectors of %s are not kept: %s", self.name, error)
        self._given_up = True
