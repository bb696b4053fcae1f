"""Sentence encoders: any sentence-transformers model, by name or by folder, behind the `Encoder` seam."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.errors import LinkingError


def load_encoder(name_or_folder: str) -> Encoder:
    """Load a sentence-transformers model.

    Args:
        name_or_folder: a folder that holds one, or a model hub's name for one (downloaded once).

    Raises:
        LinkingError: it cannot be loaded from here.
    """
    return SentenceEncoder(name_or_folder)


class SentenceEncoder:
    """A sentence-transformers model that gives L2-normalised vectors."""

    def __init__(self, name_or_folder: str) -> None:
        """Load the model; torch is imported only now, because it takes seconds."""
        from sentence_transformers import SentenceTransformer

        try:
            self._model = SentenceTransformer(name_or_folder, trust_remote_code=False)
        except (OSError, ValueError) as error:
            raise LinkingError(
                f"The encoder {name_or_folder!r} could not be loaded: it is neither a folder with a "
                "sentence-transformers model nor a model that can be downloaded from here."
            ) from error
        self._name = Path(name_or_folder).name

    @property
    def name(self) -> str:
        """The model's name without its folder."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension)."""
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)
