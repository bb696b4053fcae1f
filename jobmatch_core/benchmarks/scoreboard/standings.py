"""A system's mean over datasets, with its interval, what it took, and which systems nothing else beats."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from jobmatch_core.benchmarks.scoreboard.entries import Entry
from jobmatch_core.benchmarks.scoreboard.measured import AuthorsResult
from jobmatch_core.benchmarks.scoreboard.published import PUBLISHED_SYSTEMS
from jobmatch_core.benchmarks.scoreboard.results import RankingKind, Result

Cost = Literal["seconds", "size_mb"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's mean over datasets.

    Attributes:
        system: its name.
        label: name beside others.
        own: true if it is one of ours.
        published: true if others published it.
        source: source of its figures, in words.
        ranking: ranking of names or of occupations.
        value: the mean.
        interval: 95 %; None where a dataset has none.
        datasets: number of datasets of the mean.
        complete: true if these are all datasets.
        seconds: over all datasets; None where not all were measured here.
        size_mb: size of the model in MB; None if there is none or it is unknown.
        note: note to show beside it.
    """

    system: str
    label: str
    own: bool
    published: bool
    source: str
    ranking: RankingKind
    value: float
    interval: tuple[float, float] | None
    datasets: int
    complete: bool
    seconds: float | None
    size_mb: float | None
    note: str


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
        entries: one a dataset, at least one.
        metric: one of `METRICS`.
        n_datasets: number of datasets that are complete.
        own: true if the system is one of ours.
    """
    first = entries[0]
    measured = [entry.figures for entry in entries if isinstance(entry.figures, Result | AuthorsResult)]
    here = [figures for figures in measured if isinstance(figures, Result)]
    return Standing(
        system=first.system,
        label=first.label,
        own=own,
        published=first.published,
        source=_source(entries),
        ranking=first.ranking,
        value=_mean(entries, metric),
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
    """Return the source of the figures, and the version that the authors measured."""
    here = sum(isinstance(entry.figures, Result) for entry in entries)
    versions = sorted({entry.figures.version for entry in entries if isinstance(entry.figures, AuthorsResult)})
    source = f"measured by the authors, version {', '.join(versions)}"
    if not versions:
        return entries[0].source
    return f"{source}; {here} of {len(entries)} here" if here else source


def _mean(entries: Sequence[Entry], metric: str) -> float:
    return sum(entry.value(metric) or 0.0 for entry in entries) / len(entries)


def _mean_interval(entries: Sequence[Entry], metric: str) -> tuple[float, float] | None:
    """Return the interval of a mean of independent figures, whose half widths add up as squares."""
    known = [interval for entry in entries if (interval := entry.interval(metric)) is not None]
    if len(known) < len(entries):
        return None
    mean = _mean(entries, metric)
    values = [entry.value(metric) or 0.0 for entry in entries]
    below = sqrt(sum((value - low) ** 2 for value, (low, _) in zip(values, known, strict=True)))
    above = sqrt(sum((high - value) ** 2 for value, (_, high) in zip(values, known, strict=True)))
    return mean - below / len(entries), mean + above / len(entries)
