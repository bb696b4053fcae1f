"""Faithfulness of attention: the shift of a posting's vector without a sentence, and its correlation with attention.

Attention weights need not explain what a model does (Jain & Wallace 2019), so they are compared here with what happens
when a sentence is left out. Pure functions; the model comes in as a callable, such as `DescriptionModel.aggregate`.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import rankdata

from jobmatch_core.entities import FloatArray
from jobmatch_core.vectors import normalised

Aggregate = Callable[[Sequence[FloatArray]], FloatArray]  # postings of (sentence, dimension) -> (posting, dimension)
_LEAST = 2  # sentences that can be ranked


def leave_one_out_shifts(aggregate: Aggregate, sentences: FloatArray) -> FloatArray:
    """Return the shift of a posting's vector when each of its sentences is left out.

    Args:
        aggregate: makes one vector of a posting's sentence vectors, of many postings at once.
        sentences: (sentence, dimension).

    Returns:
        1 - cosine of the vectors with and without it, from 0 to 2, shape (sentence,); 1 where one of them is zero.
    """
    shorter = [np.delete(sentences, place, axis=0) for place in range(len(sentences))]
    vectors = normalised(aggregate([sentences, *shorter]))
    return np.asarray(1 - vectors[1:] @ vectors[0], dtype=np.float32)


def rank_correlation(left: FloatArray, right: FloatArray) -> float | None:
    """Return Spearman's rank correlation, ties having the mean of their ranks.

    Args:
        left: one number a sentence, such as its share of attention.
        right: another number per sentence, such as the shift without it.

    Returns:
        From -1 to 1; None where there is nothing to rank: fewer than two sentences, or the same number for all.

    Raises:
        ValueError: there are not as many of one as of the other.
    """
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"expected as many of one as of the other, but got the shapes {left.shape} and {right.shape}")
    if len(left) < _LEAST or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(rankdata(left), rankdata(right))[0, 1])
