"""Quality of search systems on our own queries and on public sets, compared with the optimal order."""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import PairSet, RankedSet, SearchSet, TranslationSet
from jobmatch_core.benchmarks.systems.search_systems import (
    Chance,
    EncoderSearch,
    FoldedEditDistance,
    IndexSearch,
    SearchSystem,
    SubwordBM25,
)
from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval
from jobmatch_core.metrics.judgment_metrics import AUC, GRADED, auc_interval, rank_graded, translation_hits
from jobmatch_core.search.search_encoder import SearchEncoder

OPTIMAL = "optimal"
FIGURE_LABELS = {AUC: "AUC"} | {name: metric.label for name, metric in GRADED.items()} | {"accuracy": "accuracy"}
LEADING = ("ndcg_at_10", "accuracy")  # without AUC, the interval is of the first of these that a set has
BY_TEXT_FROM = 3  # median texts per document from which encoders are also measured by the best text

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """Figures of one system on one set."""

    set: str
    system: str
    n: int  # queries with an answer, pairs or sentences
    figures: dict[str, float]  # by name: those of `GRADED`, `auc`, or `accuracy` of translations
    # low, high: 95 % bootstrap interval of AUC if measured, else of nDCG@10 or accuracy
    low: float
    high: float
    languages: dict[str, float]  # nDCG@10 or accuracy by language, where queries or sentences have one
    seconds: float  # time to score all


@dataclass(frozen=True, slots=True)
class _Measured:
    """Result of one system on one set: values by query or sentence, with their languages, and the AUC of pairs."""

    n: int
    seconds: float
    values: dict[str, Floats]
    languages: tuple[str, ...] = ()
    auc: Interval | None = None


def baselines(encoders: Sequence[SearchEncoder], beside: Encoder | None = None) -> list[SearchSystem]:
    """Return chance, edit distance, BM25, and each encoder by joint text, by best text, and in the app's search.

    The last also with another encoder *beside*.
    """
    searches = [EncoderSearch(encoder, by_text) for encoder in encoders for by_text in (False, True)]
    indexes = [IndexSearch(encoder, other) for encoder in encoders for other in dict.fromkeys((None, beside))]
    return [Chance(), FoldedEditDistance(), SubwordBM25(), *searches, *indexes]


def evaluate_search(sets: Iterable[SearchSet], systems: Sequence[SearchSystem]) -> list[SystemRow]:
    """Measure systems on sets; translation sets of the same name become one row with figures by language."""
    measured: dict[tuple[str, str], list[_Measured]] = defaultdict(list)
    for search_set in sets:
        measured[search_set.name, OPTIMAL].append(_measure(search_set, None))
        for system in systems:
            if _has_part(system, search_set):
                measured[search_set.name, system.name].append(_measure(search_set, system))
    return [_row(name, system, parts) for (name, system), parts in measured.items()]


def _has_part(system: SearchSystem, search_set: SearchSet) -> bool:
    if isinstance(system, IndexSearch):
        has_texts = isinstance(search_set, RankedSet) and any(item.beside for item in search_set.items)
        return isinstance(search_set, RankedSet) and (system.beside is None or has_texts)
    if not (isinstance(system, EncoderSearch) and system.by_text):
        return True
    return (
        isinstance(search_set, RankedSet) and np.median([len(texts) for texts in search_set.documents]) >= BY_TEXT_FROM
    )


def _measure(search_set: SearchSet, system: SearchSystem | None) -> _Measured:
    start = time.perf_counter()
    match search_set:
        case RankedSet():
            return _ranked(
                search_set, search_set.grades.toarray() if system is None else _scores(search_set, system), start
            )
        case PairSet():
            return _paired(
                search_set, _labels(search_set) if system is None else _pair_scores(search_set, system), start
            )
        case TranslationSet():
            n = len(search_set.pairs)
            scores = np.eye(n, dtype=np.float32) if system is None else _translated(search_set, system)
            hits = translation_hits(scores)
            return _Measured(n, time.perf_counter() - start, {"accuracy": hits}, (search_set.language,) * n)


def _scores(search_set: RankedSet, system: SearchSystem) -> FloatArray:
    if isinstance(system, IndexSearch) and search_set.items:
        return system.ranked(search_set.queries, search_set.items)
    return system.scores(search_set.queries, search_set.documents, search_set.joint)


def _pair_scores(search_set: PairSet, system: SearchSystem) -> FloatArray:
    return system.pair_scores([pair.query for pair in search_set.pairs], [pair.document for pair in search_set.pairs])


def _translated(search_set: TranslationSet, system: SearchSystem) -> FloatArray:
    return system.scores([pair.query for pair in search_set.pairs], [(pair.document,) for pair in search_set.pairs], "")


def _labels(search_set: PairSet) -> FloatArray:
    return np.array([pair.label or 0.0 for pair in search_set.pairs], dtype=np.float32)


def _ranked(search_set: RankedSet, scores: FloatArray, start: float) -> _Measured:
    seconds = time.perf_counter() - start
    ranks = rank_graded(np.asarray(scores, dtype=np.float32), search_set.grades)
    answered = np.flatnonzero(ranks.ideal[:, 0] > 0)
    values = {name: metric.values(ranks)[answered] for name, metric in GRADED.items()}
    return _Measured(len(answered), seconds, values, tuple(search_set.languages[query] for query in answered))


def _paired(search_set: PairSet, scores: FloatArray, start: float) -> _Measured:
    seconds = time.perf_counter() - start
    labels = _labels(search_set)
    interval = auc_interval([pair.query for pair in search_set.pairs], scores.astype(np.float64), labels > 0)
    values = figures_of_groups(search_set, scores, labels) if search_set.ranked else {}
    return _Measured(len(labels), seconds, values, auc=interval)


def figures_of_groups(search_set: PairSet, scores: FloatArray, labels: FloatArray) -> dict[str, Floats]:
    """Return the figures of rankings of only those documents that are judged for a query, which are several."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, pair in enumerate(search_set.pairs):
        places[pair.query].append(place)
    groups = [group for group in places.values() if len(group) > 1 and labels[group].any()]
    if not groups:
        return {}
    shape = (len(groups), max(map(len, groups)))
    ranked, grades = np.full(shape, -np.inf, np.float32), np.zeros(shape)
    for row, group in enumerate(groups):
        ranked[row, : len(group)], grades[row, : len(group)] = scores[group], labels[group]
    ranks = rank_graded(ranked, csr_matrix(grades))
    return {name: metric.values(ranks) for name, metric in GRADED.items()}


def _row(name: str, system: str, parts: Sequence[_Measured]) -> SystemRow:
    values = {key: np.concatenate([part.values[key] for part in parts]) for key in parts[0].values}
    leading = next((values[key] for key in LEADING if key in values), np.empty(0))
    interval = parts[0].auc or bootstrap_interval(leading)
    languages = np.array([language for part in parts for language in part.languages])
    return SystemRow(
        set=name,
        system=system,
        n=sum(part.n for part in parts),
        figures=({AUC: interval.mean} if parts[0].auc else {})
        | {key: float(array.mean()) for key, array in values.items()},
        low=interval.low,
        high=interval.high,
        languages={
            language: float(leading[languages == language].mean()) for language in dict.fromkeys(languages.tolist())
        },
        seconds=sum(part.seconds for part in parts),
    )
