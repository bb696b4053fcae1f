"""Okapi BM25 as a sparse weight matrix; same scores as the package `rank_bm25`, which MELO's published figures use.

Source: Trotman, Puurula and Burgess (2014), Improvements to BM25 and Language Models Examined, section 3.1 (ATIRE);
the floor for words in more than half of the texts is `rank_bm25.BM25Okapi`'s own.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

K1 = 1.5  # saturation of repeated words; all three as in rank_bm25
B = 0.75  # strength of the length normalisation
EPSILON = 0.25  # floor of an inverse document frequency, as a share of the mean over all words


def okapi_weights(counts: csr_matrix) -> csr_matrix:
    """Return BM25 weights, (text, word), for word counts, (text, word).

    The scores of queries are `query_counts @ weights.T`.
    """
    rows = csr_matrix(counts, dtype=np.float64)
    saturated = okapi_saturation(rows)
    return csr_matrix((saturated.data * _word_weights(rows)[rows.indices], rows.indices, rows.indptr), shape=rows.shape)


def okapi_saturation(counts: csr_matrix) -> csr_matrix:
    """Return the weights of `okapi_weights` without the inverse document frequency."""
    rows = csr_matrix(counts, dtype=np.float64)
    lengths = np.asarray(rows.sum(axis=1)).ravel()
    penalties = K1 * (1 - B + B * lengths / lengths.mean())
    saturated = rows.data * (K1 + 1) / (rows.data + np.repeat(penalties, np.diff(rows.indptr)))
    return csr_matrix((saturated, rows.indices, rows.indptr), shape=rows.shape)


def _word_weights(counts: csr_matrix) -> NDArray[np.float64]:
    n_texts = np.bincount(counts.indices, minlength=counts.shape[1])
    weights: NDArray[np.float64] = np.log(counts.shape[0] - n_texts + 0.5) - np.log(n_texts + 0.5)
    weights[weights < 0] = EPSILON * weights.mean()
    return weights
