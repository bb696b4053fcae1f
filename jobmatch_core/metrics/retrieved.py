"""The k best elements of each query, and metrics of them for graded relevance.

Elements are ranked as in `ranking`: higher score first, of equal scores the greater id first. Relevance there is yes or
no; here it is a gain of at least 0.
"""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.ranking import Floats


def retrieve(scores: FloatArray, k: int, id_ranks: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the columns of each query's best elements, best first, shape (query, min(k, elements)).

    Args:
        scores: (query, element), higher is better.
        k: number of elements to retrieve.
        id_ranks: (element,) result of `ranking.rank_ids`.

    Raises:
        ValueError: the shapes differ, a score is not a number, or k or the number of elements is 0.
    """
    if scores.shape[1:] != id_ranks.shape or k < 1 or not len(id_ranks):
        raise ValueError(f"the {k} best of scores {scores.shape} and ids {id_ranks.shape} cannot be found")
    rows = np.asarray(scores, dtype=np.float32)
    if np.isnan(rows).any():
        raise ValueError("a system gave scores that are not numbers")
    depth = min(k, rows.shape[1])
    found = [_best(row, depth, id_ranks) for row in rows]
    return np.stack(found) if found else np.empty((0, depth), dtype=np.intp)


def mean_gains(gains: FloatArray, retrieved: NDArray[np.intp]) -> Floats:
    """Return the mean gain of each query's retrieved elements, shape (query,).

    Args:
        gains: (query, element).
        retrieved: (query, k) result of `retrieve`.
    """
    means: Floats = np.take_along_axis(gains, retrieved, axis=1).mean(axis=1, dtype=np.float64)
    return means


def graded_ndcg(gains: FloatArray, retrieved: NDArray[np.intp]) -> Floats:
    """Return each query's DCG as a share of the best possible one; NaN where every gain is 0.

    A gain counts as it is and not as a power of two, as in trec_eval (Järvelin and Kekäläinen 2002, section 2.2).

    Args:
        gains: (query, element), at least 0.
        retrieved: (query, k) result of `retrieve`, best first.
    """
    depth = retrieved.shape[1]
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    best = -np.sort(-gains, axis=1)[:, :depth]
    ideal = best @ discounts
    found = np.take_along_axis(gains, retrieved, axis=1) @ discounts
    shares: Floats = np.divide(found, ideal, out=np.full(len(gains), np.nan), where=ideal > 0)
    return shares


def _best(row: FloatArray, depth: int, id_ranks: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return one query's best columns: a partition spares sorting all of them."""
    last = np.partition(row, -depth)[-depth]
    candidates = np.flatnonzero(row >= last)
    order = np.lexsort((-id_ranks[candidates], -row[candidates]))
    return candidates[order[:depth]]
