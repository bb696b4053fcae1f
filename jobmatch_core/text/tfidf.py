"""TF-IDF of texts whose distinct terms are counted once, with numbered terms."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array

from jobmatch_core.entities import FloatArray


def term_rarity(terms: NDArray[np.int32], n_texts: int, n_terms: int) -> FloatArray:
    """Return the inverse document frequencies of terms, shape (n_terms,): 1 for a term that no text has.

    *terms* are those of all texts, each counted once a text. Without texts all are 0.
    """
    counts = np.bincount(terms, minlength=n_terms)
    rarity: FloatArray = np.log((1 + n_texts) / (1 + counts)).astype(np.float32) / np.log(1 + max(n_texts, 1))
    return rarity


def unit_rows(counts: csr_matrix, weights: FloatArray) -> csr_matrix:
    """Return the rows of (text, term) counts with weighted terms, L2-normalised; rows without terms stay empty."""
    matrix = csr_matrix(
        (counts.data * weights[counts.indices], counts.indices, counts.indptr), shape=counts.shape, dtype=np.float32
    )
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return csr_matrix(diags_array(1 / np.maximum(norms, 1e-9)) @ matrix, dtype=np.float32)
