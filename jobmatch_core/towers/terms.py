"""The terms of documents, such as skills or words, as sparse matrices."""

from collections.abc import Collection, Sequence

import numpy as np
from scipy.sparse import csr_matrix


def term_matrices(first: Sequence[Collection[str]], second: Sequence[Collection[str]]) -> tuple[csr_matrix, csr_matrix]:
    """Return two lists of documents as (document, term) float matrices over the terms of both.

    Args:
        first: terms of each document; a repeated term is counted as often.
        second: terms of each document of the other list.
    """
    numbers = {term: number for number, term in enumerate(sorted({t for each in (*first, *second) for t in each}))}
    return _counts(first, numbers), _counts(second, numbers)


def _counts(documents: Sequence[Collection[str]], numbers: dict[str, int]) -> csr_matrix:
    columns = np.array([numbers[term] for terms in documents for term in terms], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum([len(terms) for terms in documents], dtype=np.int64)])
    matrix = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(documents), len(numbers)))
    matrix.sum_duplicates()
    return matrix
