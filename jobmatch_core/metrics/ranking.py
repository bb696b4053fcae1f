"""Ranks of each query's relevant elements, its k best elements, and the metrics computed from them.

As in trec_eval, scores are 32-bit floats and ties go to the greater id. A score of minus infinity means 'not ranked',
an infinite rank 'not found'. Queries without relevant elements count as misses (trec_eval leaves them out), except in
AUC, where they are NaN.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray

SCORE_DECIMALS = 5  # MELO's published runs
MELO_DEPTH = 100  # elements per query in MELO's published runs
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RelevantRanks:
    """The ranks of every query's relevant elements; each metric returns one number per query."""

    ranks: Floats  # (pair,) rank of each (query, relevant element), by query, best first; infinity where not ranked
    counts: NDArray[np.intp]  # (query,) number of relevant elements
    first: NDArray[np.intp]  # (query,) column of the element ranked first; -1 where none is ranked
    best: NDArray[np.intp]  # (query,) column of the best ranked relevant element; -1 where there is none
    auc: Floats  # (query,) area under the ROC curve, where ties count half; NaN without relevant or irrelevant elements

    @classmethod
    def concatenate(cls, blocks: Sequence["RelevantRanks"]) -> "RelevantRanks":
        """Join blocks of queries."""
        return cls(
            ranks=np.concatenate([block.ranks for block in blocks]),
            counts=np.concatenate([block.counts for block in blocks]),
            first=np.concatenate([block.first for block in blocks]),
            best=np.concatenate([block.best for block in blocks]),
            auc=np.concatenate([block.auc for block in blocks]),
        )

    @cached_property
    def first_ranks(self) -> Floats:
        """The rank of each query's best ranked relevant element."""
        places = np.full(len(self.counts), np.inf)
        places[self.counts > 0] = self.ranks[self._places == 1]
        return places

    def reciprocal_ranks(self) -> Floats:
        """Return 1 / first rank; the mean is MRR."""
        return 1 / self.first_ranks

    def accuracy_at(self, k: float) -> Floats:
        """Return 1 where a relevant element is among the first *k*, else 0; trec_eval's `success`."""
        return (self.first_ranks <= k).astype(np.float64)

    def recall_at(self, k: float) -> Floats:
        """Return the share of the relevant elements that are among the first *k*."""
        return self._share(self.ranks <= k)

    def average_precision(self) -> Floats:
        """Return the mean precision at each relevant element's rank; the mean over queries is MAP."""
        return self._share(self._places / self.ranks)

    def r_precision(self) -> Floats:
        """Return the precision among the first R, where R is the number of relevant elements."""
        return self._share(self.ranks <= self.counts[self._queries])

    def dcg_at(self, k: float) -> Floats:
        """Return the sum of 1 / log2(1 + rank) over the relevant elements among the first *k*."""
        return self._sum(np.where(self.ranks <= k, 1 / np.log2(1 + self.ranks), 0.0))

    def ndcg_at(self, k: float) -> Floats:
        """Return DCG divided by the ideal DCG (Järvelin and Kekäläinen 2002)."""
        ideal = self._sum(np.where(self._places <= k, 1 / np.log2(1 + self._places), 0.0))
        return self.dcg_at(k) / np.where(self.counts > 0, ideal, 1.0)

    @cached_property
    def _queries(self) -> NDArray[np.intp]:
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        starts = np.cumsum(self.counts) - self.counts
        return np.arange(len(self.ranks)) - starts[self._queries] + 1

    def _sum(self, values: Floats) -> Floats:
        sums = np.zeros(len(self.counts))
        np.add.at(sums, self._queries, values)
        return sums

    def _share(self, values: Floats | NDArray[np.bool_]) -> Floats:
        return self._sum(values.astype(np.float64)) / np.maximum(self.counts, 1)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of the scoreboard; its figure is the mean over the queries, higher is better."""

    label: str  # name on the page and in tables
    values: Callable[[RelevantRanks], Floats]  # returns one number per query; NaN for queries that do not count
    meaning: str = ""  # what the figure is, in words
    interval: bool = False  # whether a 95 % bootstrap interval is computed


METRICS = {
    "mrr": Metric("MRR", RelevantRanks.reciprocal_ranks, "mean of 1 / rank of the first correct answer", interval=True),
    "accuracy_at_1": Metric(
        "A@1", lambda ranks: ranks.accuracy_at(1), "share of queries whose first answer is correct"
    ),
    "accuracy_at_5": Metric(
        "A@5", lambda ranks: ranks.accuracy_at(5), "share of queries with a correct answer among the first 5"
    ),
    "accuracy_at_10": Metric(
        "A@10", lambda ranks: ranks.accuracy_at(10), "share of queries with a correct answer among the first 10"
    ),
    "map": Metric("MAP", RelevantRanks.average_precision, "mean average precision", interval=True),
    "recall_at_5": Metric("R@5", lambda ranks: ranks.recall_at(5), "share of the correct answers among the first 5"),
    "recall_at_10": Metric(
        "R@10", lambda ranks: ranks.recall_at(10), "share of the correct answers among the first 10"
    ),
    "r_precision": Metric("R-precision", RelevantRanks.r_precision, "precision at R, the number of correct answers"),
    "ndcg_at_10": Metric(
        "NDCG@10", lambda ranks: ranks.ndcg_at(10), "normalised discounted cumulative gain of the first 10"
    ),
    "auc": Metric("AUC", lambda ranks: ranks.auc, "area under the ROC curve"),
}


def rank_relevant(scores: FloatArray, relevant: csr_matrix, id_ranks: NDArray[np.int32]) -> RelevantRanks:
    """Return the relevant elements' ranks in a block of queries.

    Args:
        scores: (query, element), higher is better; minus infinity where an element is not ranked.
        relevant: (query, element) boolean, for the same queries.
        id_ranks: (element,) result of `rank_ids`.

    Raises ValueError if the shapes differ, or a score is not a number.
    """
    if scores.shape != relevant.shape or scores.shape[1:] != id_ranks.shape:
        raise ValueError(f"scores {scores.shape}, relevance {relevant.shape} and ids {id_ranks.shape} differ in shape")
    rows = np.asarray(scores, dtype=np.float32)
    if np.isnan(rows).any():
        raise ValueError("a system gave scores that are not numbers")
    bounds = pairwise(relevant.indptr.tolist())
    queries = [
        _rank_query(row, relevant.indices[start:end], id_ranks) for row, (start, end) in zip(rows, bounds, strict=True)
    ]
    return RelevantRanks(
        ranks=np.concatenate([query.ranks for query in queries]) if queries else np.empty(0),
        counts=np.diff(relevant.indptr).astype(np.intp),
        first=np.array([query.first for query in queries], dtype=np.intp),
        best=np.array([query.best for query in queries], dtype=np.intp),
        auc=np.array([query.auc for query in queries], dtype=np.float64),
    )


def rank_ids(ids: Sequence[str]) -> NDArray[np.int32]:
    """Return each id's place in ascending order of the ids' characters, as trec_eval compares them."""
    ranks = np.empty(len(ids), dtype=np.int32)
    ranks[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids), dtype=np.int32)
    return ranks


def within_depth(scores: FloatArray, depth: int = MELO_DEPTH) -> FloatArray:
    """Return the scores with all but each query's best *depth* set to minus infinity ('not ranked').

    MELO's own code keeps 100 elements per query before it rounds, and of equal scores those first in the file. This
    reproduces the baselines' published figures to the last digit. In AUC the other elements tie for the last place.

    Args:
        scores: (query, element), not rounded.
    """
    if scores.shape[1] <= depth:
        return scores
    last = np.partition(scores, -depth, axis=1)[:, -depth, None]
    candidates = scores >= last
    for row in np.flatnonzero(candidates.sum(axis=1) > depth):
        tied = np.flatnonzero(scores[row] == last[row])
        candidates[row, tied[depth - int((scores[row] > last[row]).sum()) :]] = False
    return np.where(candidates, scores, np.float32(-np.inf))


def rounded(scores: FloatArray) -> FloatArray:
    """Round similarities as MELO's own code does, so that equal names tie on every processor."""
    return np.round(scores, SCORE_DECIMALS)


@dataclass(frozen=True, slots=True)
class _QueryRanks:
    ranks: Floats
    first: int
    best: int
    auc: float


def _rank_query(row: FloatArray, wanted: NDArray[np.int32], id_ranks: NDArray[np.int32]) -> _QueryRanks:
    ranked = np.flatnonzero(row > -np.inf)  # on MELO a hundred out of thousands
    scores, own = row[ranked], row[wanted]
    first = _first(ranked, scores, id_ranks)
    n_other = len(row) - len(wanted)
    if not len(wanted):
        return _QueryRanks(np.empty(0), first, -1, np.nan)
    missing = own == -np.inf
    higher = np.count_nonzero(scores > own[:, None], axis=1)
    tied = np.where(missing, len(row) - len(ranked), np.count_nonzero(scores == own[:, None], axis=1)) - 1
    ranks = 1.0 + higher
    for place in np.flatnonzero((tied > 0) & ~missing):
        rivals = ranked[scores == own[place]]
        ranks[place] += np.count_nonzero(id_ranks[rivals] > id_ranks[wanted[place]])
    ranks[missing] = np.inf
    order = np.lexsort((-id_ranks[wanted], ranks))
    # each relevant element against all below it, less the pairs of two relevant ones (Mann and Whitney 1947)
    below = (len(row) - 1 - higher - tied / 2).sum() - len(wanted) * (len(wanted) - 1) / 2
    auc = below / (len(wanted) * n_other) if n_other else np.nan
    return _QueryRanks(ranks[order], first, int(wanted[order[0]]), auc)


def _first(ranked: NDArray[np.intp], scores: FloatArray, id_ranks: NDArray[np.int32]) -> int:
    if not len(ranked):
        return -1
    tied = ranked[scores == scores.max()]
    return int(tied[id_ranks[tied].argmax()])


def ranks_of(ranked: Sequence[Sequence[str]], right: Sequence[str]) -> Floats:
    """Return the rank of each title's correct occupation; infinity if it is not ranked."""
    return np.array(
        [
            candidates.index(gold) + 1 if gold in candidates else np.inf
            for candidates, gold in zip(ranked, right, strict=True)
        ],
        dtype=np.float64,
    )


def mean_reciprocal_rank(ranks: Floats) -> float:
    """Return the mean of 1 / rank."""
    return float((1 / ranks).mean())


def recall_at(ranks: Floats, k: int) -> float:
    """Return the share of titles whose correct occupation is among the first *k*; accuracy for k = 1."""
    return float((ranks <= k).mean())


def retrieve(scores: FloatArray, k: int, id_ranks: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the columns of each query's best elements, best first, shape (query, min(k, elements)).

    Args:
        scores: (query, element), higher is better.
        id_ranks: (element,) result of `rank_ids`.

    Raises ValueError if the shapes differ, a score is not a number, or k or the number of elements is 0.
    """
    if scores.shape[1:] != id_ranks.shape or k < 1 or not len(id_ranks):
        raise ValueError(f"the {k} best of scores {scores.shape} and ids {id_ranks.shape} cannot be found")
    rows = np.asarray(scores, dtype=np.float32)
    if np.isnan(rows).any():
        raise ValueError("a system gave scores that are not numbers")
    depth = min(k, rows.shape[1])
    best = [_best(row, depth, id_ranks) for row in rows]
    return np.stack(best) if best else np.empty((0, depth), dtype=np.intp)


def mean_gains(gains: FloatArray, retrieved: NDArray[np.intp]) -> Floats:
    """Return the mean gain, (query, element), of what `retrieve` found, (query, k): shape (query,)."""
    means: Floats = np.take_along_axis(gains, retrieved, axis=1).mean(axis=1, dtype=np.float64)
    return means


def graded_ndcg(gains: FloatArray, retrieved: NDArray[np.intp]) -> Floats:
    """Return each query's DCG divided by its ideal DCG; NaN where every gain is 0.

    Gains are linear, as in trec_eval (Järvelin and Kekäläinen 2002, section 2.2).

    Args:
        gains: (query, element), at least 0.
        retrieved: (query, k) result of `retrieve`, best first.
    """
    depth = retrieved.shape[1]
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    best = -np.sort(-gains, axis=1)[:, :depth]
    ideal = best @ discounts
    dcg = np.take_along_axis(gains, retrieved, axis=1) @ discounts
    shares: Floats = np.divide(dcg, ideal, out=np.full(len(gains), np.nan), where=ideal > 0)
    return shares


def _best(row: FloatArray, depth: int, id_ranks: NDArray[np.int32]) -> NDArray[np.intp]:
    # a partition is faster than sorting all elements
    last = np.partition(row, -depth)[-depth]
    candidates = np.flatnonzero(row >= last)
    order = np.lexsort((-id_ranks[candidates], -row[candidates]))
    return candidates[order[:depth]]
