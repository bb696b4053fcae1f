"""Whitening of occupations' vectors by how the names of one occupation differ.

What sets names of one occupation apart, such as `engineer` or `technician`, says little about which occupation is
meant, so that these directions count less, as in within-class covariance normalisation.

Source: Hatch, Kajarekar & Stolcke (2006), Within-class covariance normalization for SVM-based speaker recognition.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray

_BLOCK = 65536  # names read at once, so that memory-mapped integers are not copied whole


def whitening(names: NDArray[np.number[Any]], concepts: NDArray[np.int32], unit: float = 1.0) -> FloatArray:
    """Return the matrix to multiply vectors by, shape (dimension, dimension), symmetric.

    It is the inverse square root of the scatter of names about the mean of their concept. One name more in every
    direction is added to it, so that few names leave vectors nearly as they are.

    Args:
        names: vectors of one length, shape (name, dimension).
        concepts: (name,) concept number of each name.
        unit: the length of the vectors.
    """
    _, classes, counts = np.unique(concepts, return_inverse=True, return_counts=True)
    members = csr_matrix((np.ones(len(classes), np.float32), (classes, np.arange(len(classes)))))
    sums = np.zeros((len(counts), names.shape[1]))
    products = np.eye(names.shape[1])
    for start in range(0, len(names), _BLOCK):
        block = slice(start, start + _BLOCK)
        vectors = np.asarray(names[block], dtype=np.float32) / np.float32(unit)
        sums += members[:, block] @ vectors
        products += vectors.T @ vectors
    of_means = sums / np.sqrt(counts)[:, np.newaxis]
    scatters, directions = np.linalg.eigh(products - of_means.T @ of_means)
    return np.asarray((directions / np.sqrt(scatters)) @ directions.T, dtype=np.float32)
