"""Arithmetic on vectors."""

from collections.abc import Callable, Sequence

import numpy as np

from jobmatch_core.entities import FloatArray, Progress

_BLOCK = 1024  # texts between two progress reports


def normalised(vectors: FloatArray) -> FloatArray:
    """Return the rows scaled to length one; zero rows stay zero."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, np.float32(1e-9)), dtype=np.float32)


def in_blocks(
    encode: Callable[[Sequence[str]], FloatArray], texts: Sequence[str], progress: Progress, *, size: int = _BLOCK
) -> FloatArray:
    """Return the vectors of many texts, (text, dimension).

    Args:
        encode: returns the vectors of a block of texts, (text, dimension).
    """
    blocks = []
    progress(0, len(texts))
    for start in range(0, len(texts), size):
        blocks.append(encode(texts[start : start + size]))
        progress(min(start + size, len(texts)), len(texts))
    return np.concatenate(blocks) if blocks else encode([])
