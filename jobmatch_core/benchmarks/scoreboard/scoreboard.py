"""The scoreboard: your, shipped and published results by system, dataset and language.

Everything but `records` is of one ranking; published figures are by name, those of WorkRB by text.
Means are over the measured datasets, or all published ones if none was measured; incomplete systems are not ranked. A
system measured with several models has one line for each. *Ours* are jobmatch's linker and title encoder, or all
measured systems if neither was measured; the linker with all of a taxonomy's names has a line of its own and no rank,
since published systems had only the texts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from jobmatch_core.benchmarks.scoreboard.comparison import Standing, standing
from jobmatch_core.benchmarks.scoreboard.entries import (
    SETTINGS,
    AuthorsResult,
    Entry,
    PublishedResult,
    Setting,
    authors_entry,
    authors_results,
    has_further_names,
    is_ours,
    own_entry,
    published_entry,
    published_results,
    workrb_entry,
)
from jobmatch_core.benchmarks.scoreboard.results import BOARD_RANKINGS, BoardRanking, RankingKind, Result
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBResult

PUBLISHED_TASK = "melo"


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """Our best system on a dataset, the best other system, and all others; None if there is none."""

    dataset: str
    own: Entry | None
    rival: Entry | None
    others: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class BoardHeadline:
    """Our best system among all that have figures on its datasets."""

    own: Standing  # its mean
    # mean of our best with all of the taxonomy's names, which the others are not given; None without one
    further: Standing | None
    rival: Standing | None  # the best system that is not ours; None where there is none
    place: int  # rank of our best among the systems, from 1; one that was both published and measured counts once
    systems: int
    wins: int  # on how many datasets it is above every system that is not ours
    ties: int = 0  # number of other systems with the same mean to three digits
    measured: Standing | None = None  # the best of the other models that were measured here; None without one
    measured_place: int = 0  # its rank among the systems; 0 without one


@dataclass(frozen=True)
class Scoreboard:
    """Entries of one task."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(
        cls,
        results: Iterable[Result],
        task: str,
        published: Sequence[PublishedResult] | None = None,
        authors: Sequence[AuthorsResult] | None = None,
        workrb: Iterable[WorkRBResult] = (),
    ) -> "Scoreboard":
        """Combine the results of a task with the published and shipped ones, which only `melo` has.

        Args:
            results: results of any tasks, which replace shipped figures of the same model.
            published: published results; all bundled ones by default.
            authors: shipped results; all by default.
            workrb: imported results of WorkRB, of any tasks.
        """
        own = [own_entry(result) for result in results if result.task == task]
        own += [workrb_entry(result) for result in workrb if result.task == task]
        if task != PUBLISHED_TASK:
            return cls(tuple(own))
        others = [published_entry(result) for result in (published_results() if published is None else published)]
        there = {(entry.system, entry.dataset, entry.ranking, entry.model) for entry in (*own, *others)}
        shipped = [authors_entry(result) for result in (authors_results() if authors is None else authors)]
        added = [entry for entry in shipped if (entry.system, entry.dataset, entry.ranking, entry.model) not in there]
        return cls((*own, *added, *others))

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that have datasets."""
        there = {entry.setting for entry in self._basis}
        return tuple(setting for setting in SETTINGS if setting in there)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets that means are taken over."""
        return tuple(sorted({entry.dataset for entry in self._basis}))

    @property
    def languages(self) -> tuple[str, ...]:
        """The query languages of these datasets."""
        return tuple(sorted({entry.query_language for entry in self._basis}))

    @property
    def has_published(self) -> bool:
        """True if there are published figures, which are by name."""
        return any(entry.published for entry in self.entries)

    @cached_property
    def ours(self) -> frozenset[str]:
        """Names of our measured systems."""
        measured = {entry.system for entry in self.entries if entry.source in ("yours", "shipped")}
        return frozenset({system for system in measured if is_ours(system)} or measured)

    def measured_here(self, dataset: str, ranking: RankingKind) -> dict[str, Result]:
        """Return your results on a dataset under a ranking by system."""
        return {
            entry.system: entry.figures
            for entry in self.entries
            if isinstance(entry.figures, Result) and (entry.dataset, entry.ranking) == (dataset, ranking)
        }

    def chosen(
        self, setting: Setting | None = None, *, languages: Sequence[str] = (), datasets: Sequence[str] = ()
    ) -> "Scoreboard":
        """Return the part with a setting, query languages and datasets; an empty argument selects all."""
        return self._where(
            lambda entry: (
                setting in (None, entry.setting)
                and (not languages or entry.query_language in languages)
                and (not datasets or entry.dataset in datasets)
            )
        )

    def standings(self, metric: str, ranking: BoardRanking) -> list[Standing]:
        """Return the means of all systems and models under a ranking: of most datasets first, then by value."""
        names = frozenset(self.datasets)
        systems: dict[tuple[bool, str, str], list[Entry]] = {}
        for entry in self._shown(metric, ranking):
            if entry.dataset in names:
                systems.setdefault(entry.key, []).append(entry)
        rows = [standing(entries, metric, len(names), own=self._own(entries[0])) for entries in systems.values()]
        return sorted(rows, key=lambda row: (-row.datasets, -row.value))

    def by_dataset(self, metric: str, ranking: BoardRanking, chosen: Standing | None = None) -> list[DatasetRow]:
        """Return each dataset's best of ours (or the chosen system) and best other system, hardest dataset first."""
        there: dict[str, list[Entry]] = {name: [] for name in self.datasets}
        for entry in self._shown(metric, ranking):
            if entry.dataset in there:
                there[entry.dataset].append(entry)
        rows = [self._dataset_row(name, entries, metric, chosen) for name, entries in there.items()]
        return sorted(rows, key=lambda row: (value_of(row.rival or row.own, metric), row.dataset))

    def headline(self, metric: str, ranking: BoardRanking) -> BoardHeadline | None:
        """Return how the best of ours does, which is one with most datasets, yours first; None where there is none."""
        own = [row for row in self.standings(metric, ranking) if row.own]
        if not own:
            return None
        further = [row for row in own if self.has_published and has_further_names(row.system)]
        first = max([row for row in own if row not in further] or own, key=_weight)
        mine = {entry.dataset for entry in self._shown(metric, ranking) if entry.key == first.key}
        same = self._where(lambda entry: entry.dataset in mine)
        ranked = [row for row in same.standings(metric, ranking) if row.complete]
        complete = [row for row in ranked if row.key == first.key or row.key not in {row.key for row in further}]
        rows = same.by_dataset(metric, ranking, first)
        models = {entry.system for entry in self.entries if entry.group == "yours" and entry.source == "yours"}
        measured = next((row for row in complete if row.system in models and row.source == "yours"), None)
        return BoardHeadline(
            own=first,
            further=max([row for row in further if row.key != first.key], key=_weight, default=None),
            rival=next((row for row in complete if not row.own), None),
            place=1 + len({row.system for row in complete if row.value > first.value}),
            systems=len({row.system for row in complete}),
            wins=sum(value_of(row.own, metric) > value_of(row.rival, metric) for row in rows if row.rival),
            ties=len({row.system for row in complete if f"{row.value:.3f}" == f"{first.value:.3f}"} - {first.system}),
            measured=measured,
            measured_place=1 + len({row.system for row in complete if row.value > measured.value}) if measured else 0,
        )

    def ranked(self, ranking: BoardRanking) -> list[Entry]:
        """Return the entries under a ranking; those by text are WorkRB's, and those by name with merged figures."""
        named = [entry for entry in self.entries if entry.ranking == "by_name"] if ranking == "by_text" else []
        merged = [replace(entry, ranking="by_text") for entry in named if entry.value("mrr_merged") is not None]
        return [*(entry for entry in self.entries if entry.ranking == ranking), *merged]

    @property
    def rankings(self) -> tuple[BoardRanking, ...]:
        """The rankings that have entries."""
        return tuple(ranking for ranking in BOARD_RANKINGS if self.ranked(ranking))

    def records(self) -> list[dict[str, Any]]:
        """Return the entries of both rankings with all figures as a table to take away."""
        names = frozenset(self.datasets)
        return [entry.record() for entry in self.entries if entry.dataset in names]

    def _where(self, wanted: Callable[[Entry], bool]) -> "Scoreboard":
        return Scoreboard(tuple(entry for entry in self.entries if wanted(entry)))

    @cached_property
    def _basis(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if not entry.published) or self.entries

    def _own(self, entry: Entry) -> bool:
        return not entry.published and entry.system in self.ours

    def _shown(self, metric: str, ranking: BoardRanking) -> list[Entry]:
        return [entry for entry in self.ranked(ranking) if entry.value(metric) is not None]

    def _dataset_row(self, dataset: str, entries: Sequence[Entry], metric: str, chosen: Standing | None) -> DatasetRow:
        ours = [entry for entry in entries if self._own(entry)]
        rivals = [entry for entry in entries if not self._own(entry)]
        rival = _best(rivals, metric)
        own = _best([entry for entry in ours if chosen is None or entry.key == chosen.key], metric)
        return DatasetRow(dataset, own, rival, tuple(entry for entry in rivals if entry is not rival))


def value_of(entry: Entry | None, metric: str) -> float:
    """Return a figure to compare by; a missing one is below all others."""
    value = entry.value(metric) if entry else None
    return float("-inf") if value is None else value


def _weight(row: Standing) -> tuple[int, bool, float]:
    """Return what the headline is chosen by: most datasets, then no shipped figures, then the mean."""
    return row.datasets, row.source == "yours", row.value


def _best(entries: Sequence[Entry], metric: str) -> Entry | None:
    return max(entries, key=lambda entry: value_of(entry, metric), default=None)
