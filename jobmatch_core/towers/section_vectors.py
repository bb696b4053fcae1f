"""One vector per section of each document, by any sentence encoder (Jouanneau et al. 2024, section 4.1)."""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.towers.documents import Document

_BLOCK = 1024  # texts between two progress reports


def section_vectors(documents: Sequence[Document], encoder: Encoder, *, progress: Progress = no_progress) -> FloatArray:
    """Return the vectors of all sections, shape (document, section, dimension), sections as in `SECTIONS`.

    Each distinct text is encoded once, so that names of families and categories cost nothing.

    Args:
        documents: documents of one kind, at least one.
        encoder: encoder of the sections; it also encodes empty ones.
        progress: called with distinct texts done and in total.

    Raises:
        ValueError: there is no document, or they are of two kinds.
    """
    if len({each.kind for each in documents}) != 1:
        raise ValueError("expected documents of one kind, at least one")
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(text, len(numbers)) for text in each.texts] for each in documents]
    texts = list(numbers)
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        blocks.append(encoder.encode(texts[start : start + _BLOCK]))
        progress(min(start + _BLOCK, len(texts)), len(texts))
    vectors: FloatArray = np.concatenate(blocks)[np.array(rows)]
    return vectors
