"""Results measured here beside the published ones: means, dataset by dataset, language by language, who wins.

Means over monolingual, cross-lingual and multilingual datasets are taken apart by `chosen`, and the two rankings are
never mixed; the published figures are by name. Means are taken over the datasets that something was measured on here,
all published ones where nothing was. A system that lacks some of them has a mean, but is not compared by it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jobmatch_core.evaluation.entries import SETTINGS, Entry, Setting, own_entry, published_entry
from jobmatch_core.evaluation.published import PublishedResult, published_results
from jobmatch_core.evaluation.results import RANKINGS, RankingKind, Result
from jobmatch_core.evaluation.standings import Standing, standing

PUBLISHED_TASK = "melo"


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """The best on a dataset: measured here (None where nothing was), published, and all others there."""

    dataset: str
    own: Entry | None
    published: Entry | None
    others: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A system's mean under both rankings; one is None where it was not measured or, published, does not exist."""

    system: str
    label: str
    own: bool
    by_name: Standing | None
    by_occupation: Standing | None


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """Systems' means over the datasets of a query language; the systems are the same in every row."""

    language: str
    labels: tuple[str, ...]
    own: tuple[bool, ...]
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Headline:
    """The best system here, the best published one on its datasets, and on how many of them ours beats all of those."""

    own: Standing
    published: Standing | None
    wins: int


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Entries of one task."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(
        cls, results: Iterable[Result], task: str, published: Sequence[PublishedResult] | None = None
    ) -> "Scoreboard":
        """Put the results of a task beside the published ones, which only `melo` has.

        Args:
            results: of any tasks.
            task: which of them.
            published: to be shown; all that are bundled where not given.
        """
        own = [own_entry(result) for result in results if result.task == task]
        beside = published_results() if published is None else published
        return cls((*own, *map(published_entry, beside if task == PUBLISHED_TASK else ())))

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that there are datasets of."""
        there = {entry.setting for entry in self._basis()}
        return tuple(setting for setting in SETTINGS if setting in there)

    @property
    def datasets(self) -> tuple[str, ...]:
        """What means are taken over, by name."""
        return tuple(sorted({entry.dataset for entry in self._basis()}))

    @property
    def languages(self) -> tuple[str, ...]:
        """The query languages of these datasets."""
        return tuple(sorted({entry.query_language for entry in self._basis()}))

    @property
    def own_systems(self) -> tuple[str, ...]:
        """The systems measured here, by name."""
        return tuple(sorted({entry.system for entry in self.entries if entry.own}))

    def chosen(
        self, setting: Setting | None = None, *, languages: Sequence[str] = (), datasets: Sequence[str] = ()
    ) -> "Scoreboard":
        """Return the part in one setting, of some query languages, of some datasets; nothing given is no limit."""
        return self._where(
            lambda entry: (
                setting in (None, entry.setting)
                and (not languages or entry.query_language in languages)
                and (not datasets or entry.dataset in datasets)
            )
        )

    def standings(self, metric: str, ranking: RankingKind) -> list[Standing]:
        """Return every system's mean, complete ones first, the best first; published ones by name."""
        names = frozenset(self.datasets)
        systems: dict[tuple[bool, str], list[Entry]] = {}
        for entry in self._shown(metric, ranking):
            if entry.dataset in names:
                systems.setdefault((entry.own, entry.system), []).append(entry)
        rows = [standing(entries, metric, len(names)) for entries in systems.values()]
        return sorted(rows, key=lambda row: (not row.complete, -row.value))

    def table(self, metric: str, ranking: RankingKind) -> list[TableRow]:
        """Return every system under both rankings, in the order of the standings of one."""
        standings = {kind: self.standings(metric, kind) for kind in RANKINGS}
        by_name = {(row.own, row.system): row for row in standings["by_name"]}
        by_occupation = {(row.own, row.system): row for row in standings["by_occupation"] if row.ranking != "by_name"}
        first = [(row.own, row.system) for row in standings[ranking]]
        rows = []
        for key in dict.fromkeys([*first, *by_name, *by_occupation]):
            name, occupation = by_name.get(key), by_occupation.get(key)
            either = name or occupation
            if either:
                rows.append(TableRow(either.system, either.label, either.own, name, occupation))
        return rows

    def by_dataset(self, metric: str, ranking: RankingKind, system: str | None = None) -> list[DatasetRow]:
        """Return each dataset's best here (or the named system) and best published, the hardest first."""
        there: dict[str, list[Entry]] = {name: [] for name in self.datasets}
        for entry in self._shown(metric, ranking):
            if entry.dataset in there:
                there[entry.dataset].append(entry)
        rows = [_dataset_row(name, entries, metric, system) for name, entries in there.items()]
        return sorted(rows, key=lambda row: (value_of(row.published or row.own, metric), row.dataset))

    def by_language(self, metric: str, ranking: RankingKind, *, n_each: int = 2) -> list[LanguageRow]:
        """Return the best systems, so many of ours and of the published ones, language by language."""
        rows = self.standings(metric, ranking)
        systems = [row for own in (True, False) for row in [r for r in rows if r.own == own][:n_each]]
        labels, own = tuple(row.label for row in systems), tuple(row.own for row in systems)
        languages = []
        for code in self.languages:
            here = {
                (row.own, row.system): row.value for row in self.chosen(languages=[code]).standings(metric, ranking)
            }
            values = tuple(here.get((row.own, row.system)) for row in systems)
            languages.append(LanguageRow(code, labels, own, values))
        return languages

    def headline(self, metric: str, ranking: RankingKind) -> Headline | None:
        """Return how our best does, complete ones first, then those with most datasets; None where there is none."""
        own = [row for row in self.standings(metric, ranking) if row.own]
        if not own:
            return None
        first = max(own, key=lambda row: (row.datasets, row.value))
        mine = {entry.dataset for entry in self._shown(metric, ranking) if entry.own and entry.system == first.system}
        same = self._where(lambda entry: entry.dataset in mine)
        beside = [row for row in same.standings(metric, ranking) if not row.own and row.complete]
        rows = same.by_dataset(metric, ranking, first.system)
        wins = sum(value_of(row.own, metric) > value_of(row.published, metric) for row in rows if row.published)
        return Headline(first, beside[0] if beside else None, wins)

    def records(self) -> list[dict[str, Any]]:
        """Return the entries with all figures as a table to take away."""
        names = frozenset(self.datasets)
        return [entry.record() for entry in self.entries if entry.dataset in names]

    def _where(self, wanted: Callable[[Entry], bool]) -> "Scoreboard":
        return Scoreboard(tuple(entry for entry in self.entries if wanted(entry)))

    def _basis(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.own) or self.entries

    def _shown(self, metric: str, ranking: RankingKind) -> list[Entry]:
        return [
            entry
            for entry in self.entries
            if (not entry.own or entry.ranking == ranking) and entry.value(metric) is not None
        ]


def value_of(entry: Entry | None, metric: str) -> float:
    """Return a figure to compare by: nothing is worse than any."""
    value = entry.value(metric) if entry else None
    return float("-inf") if value is None else value


def _dataset_row(dataset: str, entries: Sequence[Entry], metric: str, system: str | None) -> DatasetRow:
    own = _best([entry for entry in entries if entry.own and system in (None, entry.system)], metric)
    published = _best([entry for entry in entries if not entry.own], metric)
    return DatasetRow(dataset, own, published, tuple(e for e in entries if e is not own and e is not published))


def _best(entries: Sequence[Entry], metric: str) -> Entry | None:
    return max(entries, key=lambda entry: value_of(entry, metric), default=None)
