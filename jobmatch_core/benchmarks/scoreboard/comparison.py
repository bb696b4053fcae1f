"""Two systems on the same queries: wins, losses, whether that is chance, and what the one gets and the other misses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.benchmarks.datasets.title_similarity import TASK as TITLE_SIMILARITY
from jobmatch_core.benchmarks.scoreboard.result_store import ResultStore
from jobmatch_core.benchmarks.scoreboard.results import QueryOutcome, RankingKind, Result
from jobmatch_core.errors import SettingsError
from jobmatch_core.metrics.significance import compare


@dataclass(frozen=True, slots=True)
class OutcomePair:
    """One query under two systems."""

    query: str
    first: QueryOutcome
    second: QueryOutcome


@dataclass(frozen=True, slots=True)
class ResultComparison:
    """Two systems on a dataset under one ranking.

    Attributes:
        dataset: its name.
        ranking: one of the two rankings.
        queries: number of queries.
        metric: `map` or `mrr`, see `comparison_metric`; the following are by it.
        wins: number of queries that the first ranks better.
        losses: number of queries that the second ranks better.
        difference: mean of the first minus mean of the second.
        p_value: Wilcoxon signed-rank test on the queries' average precisions or reciprocal ranks.
    """

    dataset: str
    ranking: RankingKind
    queries: int
    metric: str
    wins: int
    losses: int
    difference: float
    p_value: float


def pair_outcomes(first: Result, second: Result) -> list[OutcomePair]:
    """Return the queries of a dataset with both systems' outcomes, in the dataset's order.

    Raises:
        SettingsError: the two results are not of the same data and ranking, or outcomes are missing.
    """
    same = (first.data_hash, first.ranking) == (second.data_hash, second.ranking)
    if not same or not len(first.outcomes) == len(second.outcomes) == first.queries:
        raise SettingsError(
            f"{first.system} and {second.system} were not measured on the same queries of {first.dataset}; measure "
            "both on it again."
        )
    return [OutcomePair(one.query, one, other) for one, other in zip(first.outcomes, second.outcomes, strict=True)]


def comparison_metric(task: str) -> str:
    """Return the metric by which systems are compared: where many elements are right to a query, all of them count."""
    return "map" if task == TITLE_SIMILARITY else "mrr"


def compare_pairs(measured: Result, pairs: Sequence[OutcomePair]) -> ResultComparison:
    """Count wins and losses and test the difference.

    Args:
        measured: either result; both are of one task, dataset and ranking.
        pairs: result of `pair_outcomes` for both.
    """
    metric = comparison_metric(measured.task)
    figure = _average_precision if metric == "map" else _reciprocal
    first = np.array([figure(pair.first) for pair in pairs])
    second = np.array([figure(pair.second) for pair in pairs])
    tested = compare(first, second)
    wins, losses = int((first > second).sum()), int((first < second).sum())
    return ResultComparison(
        measured.dataset, measured.ranking, len(pairs), metric, wins, losses, tested.difference, tested.p_value
    )


def compare_results(store: ResultStore, task: str, first: str, second: str) -> list[ResultComparison]:
    """Compare two systems on every dataset that both have results on.

    Raises:
        SettingsError: there is none.
        DataFileError: a stored result is damaged.
    """
    stored = {(result.system, result.dataset, result.ranking): result for result in store.stored().results
            if result.task == task}  # fmt: skip
    both = [(stored[first, dataset, ranking], result) for (system, dataset, ranking), result in stored.items()
            if system == second and (first, dataset, ranking) in stored]  # fmt: skip
    if not both:
        known = ", ".join(sorted({system for system, _, _ in stored})) or "nothing yet"
        raise SettingsError(f"No {task} dataset has results of both {first} and {second}; measured were: {known}.")
    reports = []
    for one, other in both:
        pairs = pair_outcomes(*(replace(each, outcomes=store.outcomes(each)) for each in (one, other)))
        reports.append(compare_pairs(one, pairs))
    return reports


def won(pairs: Sequence[OutcomePair], k: int) -> list[OutcomePair]:
    """Return the queries that the first system has among its first *k* and the second has not, the clearest first."""
    there = [pair for pair in pairs if _within(pair.first, k) and not _within(pair.second, k)]
    return sorted(there, key=lambda pair: -(pair.second.rank or float("inf")))


def _within(outcome: QueryOutcome, k: int) -> bool:
    return outcome.rank is not None and outcome.rank <= k


def _average_precision(outcome: QueryOutcome) -> float:
    return outcome.average_precision


def _reciprocal(outcome: QueryOutcome) -> float:
    return 1 / outcome.rank if outcome.rank else 0.0
