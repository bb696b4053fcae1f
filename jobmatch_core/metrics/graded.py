"""Metrics of a search: rankings by graded judgments, and translations found among others.

Gains are the grades themselves, as in trec_eval and scikit-learn (Järvelin and Kekäläinen 2002). Of documents with
equal scores the first comes first. A query without a relevant document has no part in a mean: its figures are NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray

Floats = NDArray[np.float64]
DEPTH = 10  # the deepest figure


@dataclass(frozen=True)
class GradedRanks:
    """The grades that a system ranks first, and those that are best of all.

    Attributes:
        found: (query, rank) grades of the documents ranked first, up to `DEPTH`; 0 where fewer are ranked.
        ideal: (query, rank) the highest grades, in descending order.
    """

    found: Floats
    ideal: Floats

    def dcg_at(self, k: int) -> Floats:
        """Return the sum of grade / log2(1 + rank) over the first *k* documents."""
        return np.where(self.ideal[:, 0] > 0, _discounted(self.found, k), np.nan)

    def ndcg_at(self, k: int) -> Floats:
        """Return DCG as a share of what the best of all rankings would have."""
        return self.dcg_at(k) / np.where(self.ideal[:, 0] > 0, _discounted(self.ideal, k), 1.0)


GRADED: dict[str, Callable[[GradedRanks], Floats]] = {
    "dcg_at_1": lambda ranks: ranks.dcg_at(1),
    "dcg_at_5": lambda ranks: ranks.dcg_at(5),
    "dcg_at_10": lambda ranks: ranks.dcg_at(10),
    "ndcg_at_10": lambda ranks: ranks.ndcg_at(10),
}


def rank_graded(scores: FloatArray, grades: csr_matrix) -> GradedRanks:
    """Rank every query's documents.

    Args:
        scores: (query, document), higher is better; minus infinity where a document is not ranked.
        grades: (query, document) grade of each judged document, above 0 for a relevant one.

    Raises:
        ValueError: the shapes differ, or a score is not a number.
    """
    if scores.shape != grades.shape:
        raise ValueError(f"scores {scores.shape} and grades {grades.shape} differ in shape")
    if np.isnan(scores).any():
        raise ValueError("a system gave scores that are not numbers")
    found, ideal = np.zeros((2, len(scores), DEPTH))
    for query, row in enumerate(scores):
        own = grades[query].toarray().ravel()
        best = np.argsort(-row, kind="stable")[:DEPTH]
        found[query, : len(best)] = np.where(row[best] > -np.inf, own[best], 0.0)
        ideal[query, : len(best)] = np.sort(own)[::-1][:DEPTH]
    return GradedRanks(found, ideal)


def translation_hits(scores: FloatArray) -> Floats:
    """Return for each sentence how often its translation is the best one, in both directions.

    Args:
        scores: (sentence, translation) square; row and column of the same number belong together.

    Returns:
        (sentence,) mean of both directions; a translation that ties with n - 1 others for the best is found once in n
        times. The mean over the sentences is the bitext accuracy.
    """
    own = scores.diagonal()
    directions = [np.where(own == best, 1 / ties, 0.0) for best, ties in map(_best, (scores, scores.T))]
    hits: Floats = np.mean(directions, axis=0)
    return hits


def _best(scores: FloatArray) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return the best score of each row, and how often it is there."""
    best = scores.max(axis=1)
    return best, np.count_nonzero(scores == best[:, None], axis=1)


def _discounted(grades: Floats, k: int) -> Floats:
    sums: Floats = grades[:, :k] @ (1 / np.log2(2 + np.arange(min(k, grades.shape[1]))))
    return sums
