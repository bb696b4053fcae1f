"""One line of the scoreboard: a system's figures on a dataset, measured here, measured by the authors, or published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jobmatch_core.benchmarks.scoreboard.measured import AuthorsResult
from jobmatch_core.benchmarks.scoreboard.published import PUBLISHED_SYSTEMS, PublishedResult, melo_languages
from jobmatch_core.benchmarks.scoreboard.results import RankingKind, Result, interval_names
from jobmatch_core.metrics.ranking import METRICS

Setting = Literal["monolingual", "cross-lingual", "multilingual"]
SETTINGS: tuple[Setting, ...] = ("monolingual", "cross-lingual", "multilingual")
Source = Literal["measured here", "measured by the authors", "published"]
_SOURCES: dict[type, Source] = {
    Result: "measured here", AuthorsResult: "measured by the authors", PublishedResult: "published",
}  # fmt: skip
_OURS = {"linker": "jobmatch linker", "title_encoder": "jobmatch title encoder"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A system's figures on a dataset under one ranking; published ones are always by name."""

    system: str
    dataset: str
    ranking: RankingKind
    setting: Setting
    query_language: str
    figures: Result | AuthorsResult | PublishedResult

    @property
    def source(self) -> Source:
        """Source of the figures."""
        return _SOURCES[type(self.figures)]

    @property
    def published(self) -> bool:
        """True if others published it."""
        return isinstance(self.figures, PublishedResult)

    @property
    def label(self) -> str:
        """Name of the system beside others: for published ones as in the paper."""
        return PUBLISHED_SYSTEMS[self.system].label if self.published else system_label(self.system)

    def value(self, metric: str) -> float | None:
        """Return a figure; None where it was not published, or not measured yet."""
        return self.figures.values.get(metric)

    def interval(self, metric: str) -> tuple[float, float] | None:
        """Return its 95 % interval where there is one."""
        low, high = self.value(f"{metric}_low"), self.value(f"{metric}_high")
        return None if low is None or high is None else (low, high)

    def record(self) -> dict[str, Any]:
        """Return it as a row of a table to take away."""
        return {
            "dataset": self.dataset,
            "setting": self.setting,
            "query_language": self.query_language,
            "system": self.system,
            "source": self.source,
            "ranking": self.ranking,
            **{name: self.value(name) for name in METRICS},
            "queries": getattr(self.figures, "queries", None),
            **{name: self.value(name) for name in interval_names()},
            **{name: getattr(self.figures, name, None) for name in ("seconds", "size_mb", "note", "version")},
        }


def own_entry(result: Result) -> Entry:
    """Return a result measured here as an entry."""
    setting = setting_of(result.query_language, result.corpus_languages)
    return Entry(result.system, result.dataset, result.ranking, setting, result.query_language, result)


def authors_entry(result: AuthorsResult) -> Entry:
    """Return a result that the authors measured as an entry."""
    query, corpus = melo_languages(result.dataset)
    return Entry(result.system, result.dataset, result.ranking, setting_of(query, corpus), query, result)


def published_entry(result: PublishedResult) -> Entry:
    """Return a published result as an entry."""
    query, corpus = melo_languages(result.dataset)
    return Entry(result.system, result.dataset, "by_name", setting_of(query, corpus), query, result)


def is_ours(system: str) -> bool:
    """Return whether it is jobmatch's linker or title encoder, not a baseline or another encoder."""
    return system.partition(":")[0] in _OURS


def system_label(system: str) -> str:
    """Return what to call a system that was measured: `linker` is 'jobmatch linker', `bm25` is 'BM25'."""
    kind, _, name = system.partition(":")
    if kind in _OURS:
        return f"{_OURS[kind]}, {name}" if name else _OURS[kind]
    if system in PUBLISHED_SYSTEMS:
        return PUBLISHED_SYSTEMS[system].label
    return {"encoder": name, "prompted": f"{name}, prompted"}.get(kind, system)


def setting_of(query_language: str, corpus_languages: Sequence[str]) -> Setting:
    """Return whether a dataset's corpus is in the queries' language, in others, or in both."""
    if query_language not in corpus_languages:
        return "cross-lingual"
    return "monolingual" if len(corpus_languages) == 1 else "multilingual"
