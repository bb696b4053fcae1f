"""Metrics by human judgments: DCG of graded rankings, AUC of judged pairs, and bitext accuracy of translations.

Gains are linear, as in trec_eval (Järvelin and Kekäläinen 2002). Ties keep the documents' order. Figures of queries
without a relevant document are NaN.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.stats import rankdata

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.comparisons import FEWEST, LEVEL, UNKNOWN, FigureChange, Interval

Floats = NDArray[np.float64]
DEPTH = 10  # the deepest figure
AUC = "auc"
_RESAMPLES = 1000
_SEED = 0  # of the resamples


@dataclass(frozen=True)
class GradedRanks:
    """Grades in a system's order and in the ideal order."""

    ranked: Floats  # (query, rank) grades of the documents ranked first, up to `DEPTH`; 0 where fewer are ranked
    ideal: Floats  # (query, rank) the highest grades, in descending order

    def dcg_at(self, k: int) -> Floats:
        """Return the sum of grade / log2(1 + rank) over the first *k* documents."""
        return np.where(self.ideal[:, 0] > 0, _discounted(self.ranked, k), np.nan)

    def ndcg_at(self, k: int) -> Floats:
        """Return DCG divided by the ideal DCG."""
        return self.dcg_at(k) / np.where(self.ideal[:, 0] > 0, _discounted(self.ideal, k), 1.0)


@dataclass(frozen=True, slots=True)
class GradedMetric:
    """A metric of graded rankings: its name in tables, and a function that returns one number per query."""

    label: str
    values: Callable[[GradedRanks], Floats]


GRADED = {
    "dcg_at_1": GradedMetric("DCG@1", lambda ranks: ranks.dcg_at(1)),
    "dcg_at_5": GradedMetric("DCG@5", lambda ranks: ranks.dcg_at(5)),
    "dcg_at_10": GradedMetric("DCG@10", lambda ranks: ranks.dcg_at(10)),
    "ndcg_at_10": GradedMetric("NDCG@10", lambda ranks: ranks.ndcg_at(10)),
}


def rank_graded(scores: FloatArray, grades: csr_matrix) -> GradedRanks:
    """Rank every query's documents.

    Args:
        scores: (query, document), higher is better; minus infinity where a document is not ranked.
        grades: (query, document) grade of each judged document, above 0 for a relevant one.

    Raises ValueError if the shapes differ, or a score is not a number.
    """
    if scores.shape != grades.shape:
        raise ValueError(f"scores {scores.shape} and grades {grades.shape} differ in shape")
    if np.isnan(scores).any():
        raise ValueError("a system gave scores that are not numbers")
    ranked, ideal = np.zeros((2, len(scores), DEPTH))
    for query, row in enumerate(scores):
        own = grades[query].toarray().ravel()
        best = np.argsort(-row, kind="stable")[:DEPTH]
        ranked[query, : len(best)] = np.where(row[best] > -np.inf, own[best], 0.0)
        ideal[query, : len(best)] = np.sort(own)[::-1][:DEPTH]
    return GradedRanks(ranked, ideal)


def translation_hits(scores: FloatArray) -> Floats:
    """Return whether each sentence's translation ranks first, (sentence,); their mean is the bitext accuracy.

    Args:
        scores: (sentence, translation) square matrix with the correct translations on the diagonal.

    Returns:
        Mean of both directions; 1/n where n translations tie for the first rank.
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


@dataclass(frozen=True)
class JudgedPairs:
    """Judged pairs, one row each."""

    projects: NDArray[np.intp]  # (pair,) row of the project, or number of the title
    freelancers: NDArray[np.intp]  # (pair,) row of the freelancer
    positive: NDArray[np.bool_]  # (pair,) true if the pair was judged positive

    def __len__(self) -> int:
        return len(self.positive)


def auc(scores: Floats, positive: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve (Hanley and McNeil 1982); NaN without a positive or without a negative."""
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if not n_positive or not n_negative:
        return float("nan")
    ranks = rankdata(scores)
    return float((ranks[positive].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))


def auc_interval(queries: Sequence[str], scores: Floats, positive: NDArray[np.bool_]) -> Interval:
    """Return the AUC of judged pairs with its 95 % bootstrap interval; NaN without a positive or without a negative.

    Whole queries are resampled, as projects are by `auc_change`.

    Args:
        queries: query of each pair.
        scores: (pair,) higher is better.
        positive: (pair,) true where the pair is a match.
    """
    area = auc(scores, positive)
    if np.isnan(area):
        return Interval(len(scores), area, area, area)
    generator = np.random.default_rng(_SEED)
    owners = np.unique(np.asarray(queries), return_inverse=True)[1]
    order = np.argsort(owners, kind="stable")
    sizes = np.bincount(owners)
    starts = np.cumsum(sizes) - sizes
    drawn_figures = []
    for _ in range(_RESAMPLES):
        drawn = generator.integers(len(sizes), size=len(sizes))
        counts = sizes[drawn]
        rows = order[np.arange(counts.sum()) + np.repeat(starts[drawn] - (np.cumsum(counts) - counts), counts)]
        drawn_figures.append(auc(scores[rows], positive[rows]))
    low, high = np.nanquantile(drawn_figures, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(len(scores), area, float(low), float(high))


def auc_change(pairs: JudgedPairs, before: Floats, after: Floats) -> FigureChange | None:
    """Compare two models' scores of the same pairs.

    Whole projects are resampled, the same ones for both models (cluster bootstrap, Field and Welsh 2007).

    Args:
        pairs: judged pairs.
        before: (pair,) scores of the first model, higher is better.
        after: (pair,) scores of the second model.

    Returns:
        The change, or None without a positive or without a negative.
    """
    old, new = auc(before, pairs.positive), auc(after, pairs.positive)
    if np.isnan(old):
        return None
    generator = np.random.default_rng(_SEED)
    numbers, owners = np.unique(pairs.projects, return_inverse=True)
    project_rows = [np.flatnonzero(owners == number) for number in range(len(numbers))]
    differences = []
    for _ in range(_RESAMPLES):
        rows = np.concatenate([project_rows[drawn] for drawn in generator.integers(len(numbers), size=len(numbers))])
        positive = pairs.positive[rows]
        differences.append(auc(after[rows], positive) - auc(before[rows], positive))
    defined = np.array([difference for difference in differences if not np.isnan(difference)])
    low, high = UNKNOWN
    if len(numbers) >= FEWEST and len(defined) > _RESAMPLES // 2:
        low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return FigureChange(AUC, len(pairs), old, new, float(low), float(high))
