"""Arithmetic on vectors that several rooms need."""

import numpy as np

from jobmatch_core.entities import FloatArray


def normalised(vectors: FloatArray) -> FloatArray:
    """Return the rows at length one; zeros stay."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, np.float32(1e-9)), dtype=np.float32)
