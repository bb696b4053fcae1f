"""A second stage for searches: the found items in the order of all that is known of them, cross-fitted on own queries.

The weights of the features are those of a conditional logit (McFadden 1974), fitted on the graded queries of four folds
and measured on the fifth. A feature is an entry of `FEATURES`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import RankedSet
from jobmatch_core.metrics.comparisons import FigureChange, changes_of
from jobmatch_core.metrics.judgment_metrics import rank_graded
from jobmatch_core.ranking.choices import Choice, Term, fit_weights, spread
from jobmatch_core.ranking.cross_fitting import RANKER_FOLDS, fold_numbers
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_index import QueryScores, SearchIndex
from jobmatch_core.search.search_items import OccupationCard, SearchItem
from jobmatch_core.search.word_index import QueryWord, WordIndex
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

NDCG = "ndcg_at_10"
_POOL = 400  # items of a query, the best by reciprocal rank
_RIDGE = 0.03
_UNLISTED = -1e6  # score of an item outside the pool

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class FoundItems:
    """The items that a search found, and what it knows of them.

    Attributes:
        scores: scores of all items.
        duties: words of the query that the duties of an item's unit group have.
        groups: (item,) numbers of the unit group or category.
        rows: (found,) rows of the found items, best first.
    """

    scores: QueryScores
    duties: Sequence[QueryWord]
    groups: Rows
    rows: Rows


def _words(words: Callable[[FoundItems], Sequence[QueryWord]]) -> Callable[[FoundItems], Floats]:
    def share_of_the_highest(found: FoundItems) -> Floats:
        total = np.sum([word.scores for word in words(found)], axis=0) if words(found) else np.zeros(len(found.groups))
        return np.asarray(total[found.rows] / max(total.max(initial=0.0), 1e-9))

    return share_of_the_highest


def words_found(found: FoundItems) -> Floats:
    """Return the share of the query's words that the item's texts or its structured fields have."""
    shares = [
        np.mean([word.scores[found.rows] > 0 for word in words], axis=0)
        for words in (found.scores.words, found.scores.facts)
        if words
    ]
    return np.asarray(np.max(shares, axis=0) if shares else np.zeros(len(found.rows)))


def best_of_group(found: FoundItems) -> Floats:
    """Return the highest sum of reciprocal ranks in the item's group."""
    best = np.zeros(found.groups.max() + 1)
    np.maximum.at(best, found.groups, found.scores.fused)
    return np.asarray(best[found.groups[found.rows]])


def mean_of_group(found: FoundItems) -> Floats:
    """Return the mean sum of reciprocal ranks in the item's group."""
    means = np.bincount(found.groups, found.scores.fused) / np.maximum(np.bincount(found.groups), 1)
    return np.asarray(means[found.groups[found.rows]])


FEATURES: dict[str, Callable[[FoundItems], Floats]] = {
    "reciprocal ranks": lambda found: found.scores.fused[found.rows],
    "words": _words(lambda found: found.scores.words),
    "words of structured fields": _words(lambda found: found.scores.facts),
    "words of duties": _words(lambda found: found.duties),
    "share of the words found": words_found,
    "nearest text": lambda found: np.maximum(found.scores.own[found.rows], 0.0).astype(np.float64),
    "nearest shared text": lambda found: np.maximum(found.scores.shared[found.rows], 0.0).astype(np.float64),
    "best of the group": best_of_group,
    "mean of the group": mean_of_group,
}


@dataclass(frozen=True, slots=True)
class SearchRankingRow:
    """A set of queries before and after the second stage, and the mean weights of the folds by feature."""

    set: str
    change: FigureChange
    weights: dict[str, float]


def measure_search_ranking(queries: RankedSet, encoder: SearchEncoder) -> SearchRankingRow:
    """Order the items that the app's search finds by cross-fitted weights, and compare with the search's own order.

    Args:
        queries: graded queries over items of the app, each found by a word or by meaning.
        encoder: search encoder.
    """
    found = found_items(queries, encoder)
    grades = queries.grades.toarray()
    features = [np.stack([feature(items) for feature in FEATURES.values()], axis=1) for items in found]
    folds = fold_numbers(queries.queries, RANKER_FOLDS)
    weights = [_fitted(found, features, grades, np.flatnonzero(folds != fold)) for fold in range(RANKER_FOLDS)]
    falling = [-np.arange(len(items.rows), dtype=np.float64) for items in found]
    after = [rows @ weights[fold] for rows, fold in zip(features, folds.tolist(), strict=True)]
    [change] = changes_of({NDCG: _ndcg(found, falling, grades)}, {NDCG: _ndcg(found, after, grades)})
    means = np.mean(weights, axis=0).round(2).tolist()
    return SearchRankingRow(queries.name, change, dict(zip(FEATURES, means, strict=True)))


def found_items(queries: RankedSet, encoder: SearchEncoder) -> list[FoundItems]:
    """Return what the app's search finds for each query."""
    items = queries.items
    index = SearchIndex.build(items, type(items[0].record), encoder)
    duties = WordIndex.of(_duties(item) for item in items)
    _, groups = np.unique([_group(item) for item in items], return_inverse=True)
    found = []
    for query in queries.queries:
        scores = index.scores(query)
        if scores is None:
            raise ValueError(f"The query {query!r} has no words.")
        rows = np.flatnonzero(scores.fused)
        rows = rows[np.lexsort((rows, -scores.own[rows], -scores.fused[rows]))][:_POOL]
        found.append(FoundItems(scores, duties.look_up(query), groups, rows))
    return found


def _duties(item: SearchItem) -> str:
    # texts that people share are names of skills, which the structured fields have
    return " ".join(text for group in item.shared for text in group) if isinstance(item.record, OccupationCard) else ""


def _group(item: SearchItem) -> str:
    return item.record.isco[:UNIT_DIGITS] if isinstance(item.record, OccupationCard) else item.record.category


def _fitted(found: Sequence[FoundItems], features: Sequence[Floats], grades: Floats, rows: Rows) -> Floats:
    """Return weights fitted on some queries: whoever has a grade is chosen before all others, grade by grade."""
    graded = [(features[row], grades[row, found[row].rows]) for row in rows]
    choices = [
        Choice(known, own >= grade) for known, own in graded for grade in np.unique(own[own > 0]) if (own < grade).any()
    ]
    return fit_weights([Term(choices)], spread([known for known, _ in graded]), ridge=_RIDGE)


def _ndcg(found: Sequence[FoundItems], orders: Sequence[Floats], grades: Floats) -> Floats:
    scores = np.full(grades.shape, _UNLISTED, dtype=np.float32)
    for row, (items, order) in enumerate(zip(found, orders, strict=True)):
        scores[row, items.rows] = order
    return np.asarray(rank_graded(scores, csr_matrix(grades)).ndcg_at(10))
