"""Okapi BM25 as one sparse matrix of weights, equal to the package `rank_bm25`, which MELO's published figures use.

Source: Trotman, Puurula and Burgess (2014), Improvements to BM25 and Language Models Examined, section 3.1 (ATIRE);
the floor for words in more than half of the texts is `rank_bm25.BM25Okapi`'s own.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

K1 = 1.5  # how fast repeating a word stops to count; this and the following as in rank_bm25
B = 0.75  # how much long texts are marked down
EPSILON = 0.25  # floor of a word's weight, as a share of the mean over all words


def okapi_weights(counts: csr_matrix) -> csr_matrix:
    """Weigh the words of a corpus, so that a query's scores are `query counts @ weights.T`.

    Args:
        counts: (text, word) how often each word stands in each text.

    Returns:
        (text, word) weights, with the same entries.
    """
    rows = csr_matrix(counts, dtype=np.float64)
    saturated = okapi_saturation(rows)
    return csr_matrix((saturated.data * _word_weights(rows)[rows.indices], rows.indices, rows.indptr), shape=rows.shape)


def okapi_saturation(counts: csr_matrix) -> csr_matrix:
    """Return the part of the weights that does not depend on how rare a word is; see `okapi_weights`."""
    rows = csr_matrix(counts, dtype=np.float64)
    lengths = np.asarray(rows.sum(axis=1)).ravel()
    penalties = K1 * (1 - B + B * lengths / lengths.mean())
    saturated = rows.data * (K1 + 1) / (rows.data + np.repeat(penalties, np.diff(rows.indptr)))
    return csr_matrix((saturated, rows.indices, rows.indptr), shape=rows.shape)


def _word_weights(counts: csr_matrix) -> NDArray[np.float64]:
    """Return each word's inverse document frequency; where negative, a share of the mean over all words."""
    found_in = np.bincount(counts.indices, minlength=counts.shape[1])
    weights: NDArray[np.float64] = np.log(counts.shape[0] - found_in + 0.5) - np.log(found_in + 0.5)
    weights[weights < 0] = EPSILON * weights.mean()
    return weights
