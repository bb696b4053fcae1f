"""Systems compared: means over datasets, and two systems on the same queries.

A system's mean over datasets comes with its interval and what it took, and it is told which systems nothing else beats.
Of two systems: wins, losses, whether that is chance, and what the one gets and the other misses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

import numpy as np

from jobmatch_core.benchmarks.datasets.title_sets import SIMILARITY_TASK as TITLE_SIMILARITY
from jobmatch_core.benchmarks.scoreboard.entries import PUBLISHED_SYSTEMS, AuthorsResult, Entry
from jobmatch_core.benchmarks.scoreboard.results import MERGED, QueryOutcome, RankingKind, Result, ResultStore
from jobmatch_core.errors import SettingsError
from jobmatch_core.metrics.comparisons import compare

Cost = Literal["seconds", "size_mb"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's mean over datasets.

    Attributes:
        system: its name.
        label: name beside others.
        model: digests of encoder and calibration, which its figures share.
        own: true if it is one of ours.
        published: true if others published it.
        source: source of its figures, in words.
        ranking: ranking of names or of occupations.
        value: the mean.
        merged: the mean with equal texts as one (WorkRB's rule); None where it was not measured or makes no difference.
        interval: 95 %; None where a dataset has none.
        datasets: number of datasets of the mean.
        complete: true if these are all datasets.
        seconds: over all datasets; None where not all were measured here.
        size_mb: size of the model in MB; None if there is none or it is unknown.
        note: note to show beside it.
    """

    system: str
    label: str
    model: str
    own: bool
    published: bool
    source: str
    ranking: RankingKind
    value: float
    merged: float | None
    interval: tuple[float, float] | None
    datasets: int
    complete: bool
    seconds: float | None
    size_mb: float | None
    note: str

    @property
    def key(self) -> tuple[bool, str, str]:
        """That of its entries."""
        return self.published, self.system, self.model


@dataclass(frozen=True, slots=True)
class CostPoint:
    """A system's mean beside what it costs; `unbeaten` where no other is both as good and as cheap."""

    standing: Standing
    cost: float
    unbeaten: bool

    @property
    def quality(self) -> float:
        """The mean."""
        return self.standing.value


def standing(entries: Sequence[Entry], metric: str, n_datasets: int, *, own: bool) -> Standing:
    """Return the mean of a system's entries, all of one ranking, that have this figure.

    Args:
        entries: one a dataset, at least one; all with the same `key`.
        metric: one of `METRICS`.
        n_datasets: number of datasets that are complete.
        own: true if the system is one of ours.

    Raises:
        ValueError: the entries are of different encoders, calibrations or systems.
    """
    first = entries[0]
    if len({entry.key for entry in entries}) > 1:
        raise ValueError(f"there is no mean of {first.system} over figures of different models")
    measured = [entry.figures for entry in entries if isinstance(entry.figures, Result | AuthorsResult)]
    here = [figures for figures in measured if isinstance(figures, Result)]
    return Standing(
        system=first.system,
        label=first.label,
        model=first.model,
        own=own,
        published=first.published,
        source=_source(entries),
        ranking=first.ranking,
        value=_mean(entries, metric),
        merged=_merged(entries, metric),
        interval=_mean_interval(entries, metric),
        datasets=len(entries),
        complete=len(entries) == n_datasets,
        seconds=sum(result.seconds for result in here) if len(here) == len(entries) else None,
        size_mb=measured[0].size_mb if measured else PUBLISHED_SYSTEMS[first.system].size_mb,
        note="; ".join(sorted({figures.note for figures in measured if figures.note})),
    )


def cost_points(standings: Sequence[Standing], cost: Cost) -> list[CostPoint]:
    """Return the complete systems whose cost is known and not zero, and which of them nothing else beats."""
    rows = [row for row in standings if row.complete and getattr(row, cost)]
    costs = [float(getattr(row, cost)) for row in rows]
    front = set(pareto_front(costs, [row.value for row in rows]))
    return [CostPoint(row, costs[number], number in front) for number, row in enumerate(rows)]


def pareto_front(costs: Sequence[float], qualities: Sequence[float]) -> list[int]:
    """Return the numbers of those that nothing else beats, the cheapest first.

    One is beaten where another is as cheap and better, or cheaper and as good; of equals the first stands.
    """
    order = np.lexsort((-np.asarray(qualities, dtype=float), np.asarray(costs, dtype=float)))
    front: list[int] = []
    for number in map(int, order):
        if not front or qualities[number] > qualities[front[-1]]:
            front.append(number)
    return front


def _source(entries: Sequence[Entry]) -> str:
    here = sum(isinstance(entry.figures, Result) for entry in entries)
    versions = sorted({entry.figures.version for entry in entries if isinstance(entry.figures, AuthorsResult)})
    shipped = f"shipped with {', '.join(versions)}"
    if not versions:
        return entries[0].source
    return f"some yours: {here} of {len(entries)}; the others {shipped}" if here else shipped


def _merged(entries: Sequence[Entry], metric: str) -> float | None:
    name = next((merged for merged, of in MERGED.items() if of == metric), metric)
    measured = name in MERGED and all(entry.value(name) is not None for entry in entries)
    return _mean(entries, name) if measured else None


def _mean(entries: Sequence[Entry], metric: str) -> float:
    return sum(entry.value(metric) or 0.0 for entry in entries) / len(entries)


def _mean_interval(entries: Sequence[Entry], metric: str) -> tuple[float, float] | None:
    """Return the interval of a mean of independent figures, whose half widths add up as squares."""
    intervals = [interval for entry in entries if (interval := entry.interval(metric)) is not None]
    if len(intervals) < len(entries):
        return None
    mean = _mean(entries, metric)
    values = [entry.value(metric) or 0.0 for entry in entries]
    below = sqrt(sum((value - low) ** 2 for value, (low, _) in zip(values, intervals, strict=True)))
    above = sqrt(sum((high - value) ** 2 for value, (_, high) in zip(values, intervals, strict=True)))
    return mean - below / len(entries), mean + above / len(entries)


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
    stored = {
        (result.system, result.dataset, result.ranking): result
        for result in store.stored().results
        if result.task == task
    }
    both = [
        (stored[first, dataset, ranking], result)
        for (system, dataset, ranking), result in stored.items()
        if system == second and (first, dataset, ranking) in stored
    ]
    if not both:
        systems = ", ".join(sorted({system for system, _, _ in stored})) or "nothing yet"
        raise SettingsError(f"No {task} dataset has results of both {first} and {second}; measured were: {systems}.")
    reports = []
    for one, other in both:
        pairs = pair_outcomes(*(replace(result, outcomes=store.outcomes(result)) for result in (one, other)))
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
