"""Embeddings kept on disk, so that no text is encoded twice by the same encoder.

A row of the `VectorFile` is a text's vector in single precision.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.vector_file import VectorFile, text_key

_BLOCK = 512  # texts read, encoded and written at a time: what is lost at most when a process is killed


class EmbeddingCache:
    """An encoder that asks another one only for texts that it has not seen."""

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        """Wrap an encoder; the folder is made when it is first needed.

        Args:
            encoder: its name tells its vectors from those of others.
            folder: may be shared by several encoders and processes.
        """
        self._encoder = encoder
        self._file = VectorFile(folder, encoder.name)

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
        keys = [text_key(text) for text in texts]
        rows = self._file.read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            vectors = self._encoder.encode(list(missing.values())).astype("<f4")
            fresh = {key: vector.tobytes() for key, vector in zip(missing, vectors, strict=True)}
            self._file.write(fresh)
            rows |= fresh
        return np.stack([np.frombuffer(rows[key], dtype="<f4") for key in keys])
