"""Comparisons of systems: means over datasets, cost and quality, and two systems on the same queries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

import numpy as np

from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.scoreboard.entries import PUBLISHED_SYSTEMS, AuthorsResult, Entry, without_digest
from jobmatch_core.benchmarks.scoreboard.results import (
    MERGED,
    BoardRanking,
    QueryOutcome,
    RankingKind,
    Result,
    ResultStore,
)
from jobmatch_core.errors import SettingsError
from jobmatch_core.metrics.comparisons import compare

Cost = Literal["seconds", "size_mb"]
CURVE_DEPTH = 100  # as in the MELO paper's figures


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's mean over datasets."""

    system: str
    label: str  # display name
    model: str  # digests of encoder and calibration
    own: bool  # whether it is one of ours
    published: bool  # whether others published it
    source: str  # source of its figures in words
    ranking: BoardRanking
    value: float  # the mean
    merged: float | None  # the mean with equal texts merged (WorkRB's rule); None if not measured or not applicable
    interval: tuple[float, float] | None  # 95 %; None if a dataset has none
    datasets: int  # number of datasets of the mean
    complete: bool  # whether these are all datasets
    seconds: float | None  # over all datasets; None if not all were measured here
    size_mb: float | None  # size of the model in MB; None if there is none or it is unknown
    note: str  # displayed remark

    @property
    def key(self) -> tuple[bool, str, str]:
        """The key of its entries."""
        return self.published, self.system, self.model


@dataclass(frozen=True, slots=True)
class CostPoint:
    """A system's mean and its cost; `unbeaten` if it is on the Pareto front."""

    standing: Standing
    cost: float
    unbeaten: bool

    @property
    def quality(self) -> float:
        """The mean."""
        return self.standing.value


def standing(entries: Sequence[Entry], metric: str, n_datasets: int, *, own: bool) -> Standing:
    """Return the mean of a system's entries.

    Args:
        entries: one per dataset, at least one; all with the same ranking and `key` and with this metric.
        metric: one of `METRICS`.
        own: whether the system is one of ours.

    Raises ValueError if the entries are of different encoders, calibrations or systems.
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
        size_mb=_size_mb(first),
        note="; ".join(sorted({figures.note for figures in measured if figures.note})),
    )


def _size_mb(entry: Entry) -> float | None:
    if isinstance(entry.figures, Result | AuthorsResult):
        return entry.figures.size_mb
    return PUBLISHED_SYSTEMS[entry.system].size_mb if entry.published else None


def cost_points(standings: Sequence[Standing], cost: Cost) -> list[CostPoint]:
    """Return the complete systems with a known cost above zero, and mark the Pareto front."""
    rows = [row for row in standings if row.complete and getattr(row, cost)]
    costs = [float(getattr(row, cost)) for row in rows]
    front = set(pareto_front(costs, [row.value for row in rows]))
    return [CostPoint(row, costs[number], number in front) for number, row in enumerate(rows)]


def pareto_front(costs: Sequence[float], qualities: Sequence[float]) -> list[int]:
    """Return the indices of the Pareto front, cheapest first; of equal points only the first."""
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
    # the half widths of independent figures add up as squares
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
    """Two systems on a dataset under one ranking."""

    dataset: str
    ranking: RankingKind
    queries: int
    metric: str  # `map` or `mrr`, see `comparison_metric`; used for the following
    wins: int  # number of queries that the first ranks better
    losses: int  # number of queries that the second ranks better
    difference: float  # mean of the first minus mean of the second
    p_value: float  # Wilcoxon signed-rank test on the queries' figures


def pair_outcomes(first: Result, second: Result) -> list[OutcomePair]:
    """Return both systems' outcomes query by query, in the dataset's order.

    Raises SettingsError if the results differ in data or ranking, or outcomes are missing.
    """
    same = (first.data_hash, first.ranking) == (second.data_hash, second.ranking)
    if not same or not len(first.outcomes) == len(second.outcomes) == first.queries:
        raise SettingsError(
            f"{first.system} and {second.system} were not measured on the same queries of {first.dataset}; measure "
            "both on it again."
        )
    return [OutcomePair(one.query, one, other) for one, other in zip(first.outcomes, second.outcomes, strict=True)]


def comparison_metric(task: str) -> str:
    """Return the metric by which systems are compared; `mrr` for results of a task that is not in the table."""
    return TASKS[task].compared_by if task in TASKS else "mrr"


def compare_pairs(measured: Result, pairs: Sequence[OutcomePair]) -> ResultComparison:
    """Count wins and losses in `pair_outcomes`, and test the difference; *measured* is either of the two results."""
    metric = comparison_metric(measured.task)

    def figure(outcome: QueryOutcome) -> float:
        if metric == "map":
            return outcome.average_precision
        return 1 / outcome.rank if outcome.rank else 0.0

    first = np.array([figure(pair.first) for pair in pairs])
    second = np.array([figure(pair.second) for pair in pairs])
    tested = compare(first, second)
    wins, losses = int((first > second).sum()), int((first < second).sum())
    return ResultComparison(
        measured.dataset, measured.ranking, len(pairs), metric, wins, losses, tested.difference, tested.p_value
    )


def compare_results(store: ResultStore, task: str, first: str, second: str) -> list[ResultComparison]:
    """Compare two systems on every dataset with results of both.

    A system is named as it is stored, or without the digest of its encoder's files.

    Raises:
        SettingsError: there is no such dataset, or several systems differ by the digest alone.
        DataFileError: a stored result is damaged.
    """
    stored = {
        (result.system, result.dataset, result.ranking): result
        for result in store.stored().results
        if result.task == task
    }
    systems = sorted({system for system, _, _ in stored})
    first, second = (_stored_name(name, systems) for name in (first, second))
    both = [
        (stored[first, dataset, ranking], result)
        for (system, dataset, ranking), result in stored.items()
        if system == second and (first, dataset, ranking) in stored
    ]
    if not both:
        measured = ", ".join(systems) or "nothing yet"
        raise SettingsError(f"No {task} dataset has results of both {first} and {second}; measured were: {measured}.")
    reports = []
    for one, other in both:
        pairs = pair_outcomes(*(replace(result, outcomes=store.outcomes(result)) for result in (one, other)))
        reports.append(compare_pairs(one, pairs))
    return reports


def accuracy_curve(outcomes: Sequence[QueryOutcome], depth: int = CURVE_DEPTH) -> list[float]:
    """Return the share of queries with a relevant element among the first k, for k from 1 to *depth*.

    Retyk et al. (2024), MELO, section 4: accuracy at k.

    Raises ValueError if there are no queries.
    """
    if not outcomes:
        raise ValueError("there is no accuracy without queries")
    ranks = np.array([outcome.rank or depth + 1 for outcome in outcomes])
    first_at = np.bincount(np.minimum(ranks, depth + 1), minlength=depth + 2)[1 : depth + 1]
    return [float(share) for share in np.cumsum(first_at) / len(outcomes)]


def _stored_name(name: str, systems: Sequence[str]) -> str:
    alike = [name] if name in systems else [system for system in systems if without_digest(system) == name]
    if len(alike) > 1:
        raise SettingsError(
            f"{name} was measured with files of different content: {', '.join(alike)}. Give one of these names."
        )
    return alike[0] if alike else name


def won(pairs: Sequence[OutcomePair], k: int) -> list[OutcomePair]:
    """Return the queries that only the first system answers within rank *k*, the second's worst ranks first."""
    there = [pair for pair in pairs if _within(pair.first, k) and not _within(pair.second, k)]
    return sorted(there, key=lambda pair: -(pair.second.rank or float("inf")))


def _within(outcome: QueryOutcome, k: int) -> bool:
    return outcome.rank is not None and outcome.rank <= k
