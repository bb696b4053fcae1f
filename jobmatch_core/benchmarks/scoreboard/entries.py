"""Entries of the scoreboard: a system's figures on a dataset, yours, shipped with the release, or published.

Published figures: 15 systems on MELO's 48 datasets by name, from Retyk et al. (2024), Appendix C and Table 3, and their
repository (Avature/melo-benchmark, MIT); the size of E5 from Deniz et al. (2024), Table 1. Shipped figures: the
release's models on MELO, see `measured/README.md`.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jobmatch_core.benchmarks.scoreboard.results import (
    MERGED,
    BoardRanking,
    Figures,
    Result,
    figure_names,
    interval_names,
)
from jobmatch_core.benchmarks.scoreboard.workrb_results import WorkRBResult
from jobmatch_core.errors import DataFileError
from jobmatch_core.metrics.ranking import METRICS

_PUBLISHED_FILE = Path(__file__).parent / "published" / "melo_results.csv"
PUBLISHED_METRICS = ("mrr", "accuracy_at_1", "accuracy_at_5", "accuracy_at_10", "map")
_BYTES_PER_PARAMETER = 4  # 32-bit numbers
_MEASURED_FILE = Path(__file__).parent / "measured" / "melo_results.csv"
_DIGEST = re.compile(r"-(?P<digest>[0-9a-f]{8})(?=\+|$)")  # of the files of an encoder's folder
_TAKEN_AWAY = ("seconds", "size_mb", "note", "version", "encoder", "calibration", "taxonomy")
_LINKER, _CORPUS_LINKER = "linker", "linker:corpus"
_LABELS = {  # display names of our systems
    _CORPUS_LINKER: "jobmatch linker, the dataset's texts alone",
    _LINKER: "jobmatch linker, all names of the taxonomy",
    "encoder:titles": "jobmatch title encoder",
    "title_encoder": "jobmatch title encoder, measured by version 0.1.0",  # the name in that release
    "random": "Random order",
}
_BY_TEXT = {metric: merged for merged, metric in MERGED.items()}
Setting = Literal["monolingual", "cross-lingual", "multilingual"]
SETTINGS: tuple[Setting, ...] = ("monolingual", "cross-lingual", "multilingual")
Source = Literal["yours", "shipped", "published", "WorkRB"]
EntryGroup = Literal["ours", "yours", "published", "baseline"]


@dataclass(frozen=True, slots=True)
class PublishedSystem:
    """A system of the paper: its name, label and kind, and its parameters in millions."""

    name: str
    label: str
    kind: str
    million_parameters: int | None = None

    @property
    def size_mb(self) -> float | None:
        """Size at 32 bits per parameter; None if unknown or without parameters."""
        return self.million_parameters * _BYTES_PER_PARAMETER if self.million_parameters else None


PUBLISHED_SYSTEMS: dict[str, PublishedSystem] = {
    system.name: system
    for system in (
        PublishedSystem("edit_distance", "Edit distance", "lexical"),
        PublishedSystem("word_tf_idf", "Word TF-IDF", "lexical"),
        PublishedSystem("word_tf_idf_lemmas", "Word TF-IDF (lemmas)", "lexical"),
        PublishedSystem("char_tf_idf", "Char TF-IDF", "lexical"),
        PublishedSystem("char_tf_idf_lemmas", "Char TF-IDF (lemmas)", "lexical"),
        PublishedSystem("bm25", "BM25", "lexical"),
        PublishedSystem("bm25_lemmas", "BM25 (lemmas)", "lexical"),
        PublishedSystem("escoxlm_r", "ESCOXLM-R", "bi-encoder", 561),
        PublishedSystem("muse_cnn", "mUSE-CNN", "bi-encoder", 69),
        PublishedSystem("paraph_mmpnet", "Paraph-mMPNet", "bi-encoder", 278),
        PublishedSystem("bge_m3", "BGE-M3", "bi-encoder", 560),
        PublishedSystem("gist_embedding", "GIST-Embedding", "bi-encoder", 109),
        PublishedSystem("me5", "mE5 (large)", "bi-encoder", 560),
        PublishedSystem("e5", "E5 (Mistral 7B)", "bi-encoder", 7111),
        PublishedSystem("openai", "OpenAI text-embedding-3-large", "bi-encoder"),
    )
}


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A published system's figures of `PUBLISHED_METRICS` on one MELO dataset by name."""

    system: str
    dataset: str
    values: dict[str, float]


@cache
def published_results() -> tuple[PublishedResult, ...]:
    """Return all published figures."""
    with _PUBLISHED_FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            PublishedResult(row["model"], row["dataset"], {name: float(row[name]) for name in PUBLISHED_METRICS})
            for row in csv.DictReader(file)
        )


def melo_languages(dataset: str) -> tuple[str, tuple[str, ...]]:
    """Return the query and corpus languages of a MELO dataset's name; DataFileError if not like `deu_q_de_c_en`."""
    country, _, rest = dataset.partition("_q_")
    query, _, corpus = rest.partition("_c_")
    if not (country and query and corpus):
        raise DataFileError(dataset, "expected a name such as deu_q_de_c_en: country, query and corpus languages")
    return query, tuple(corpus.split("_"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorsResult(Figures):
    """A system's shipped figures on one MELO dataset, with the version of jobmatch and the date."""

    version: str
    measured_on: date


@cache
def authors_results() -> tuple[AuthorsResult, ...]:
    """Return all shipped figures."""
    return read_authors_results(_MEASURED_FILE)


def read_authors_results(path: Path) -> tuple[AuthorsResult, ...]:
    """Read a file of shipped figures, which the lab writes."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(_result(row) for row in csv.DictReader(file))


def _result(row: dict[str, str]) -> AuthorsResult:
    named = {name: row.pop(name) for name in (*figure_names(), *MERGED) if name in row}
    values = {name: float(value) for name, value in named.items() if value}
    others: dict[str, object] = {
        "values": values,
        "queries": int(row["queries"]),
        "size_mb": float(row["size_mb"]) if row["size_mb"] else None,
        "measured_on": date.fromisoformat(row["measured_on"]),
    }
    return AuthorsResult(**{**row, **others})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Entry:
    """A system's figures on a dataset under one ranking; published ones are by name, those of WorkRB by text."""

    system: str
    dataset: str
    ranking: BoardRanking
    setting: Setting
    query_language: str
    figures: Result | AuthorsResult | PublishedResult | WorkRBResult

    @property
    def source(self) -> Source:
        """Source of the figures."""
        sources: dict[type, Source] = {
            Result: "yours",
            AuthorsResult: "shipped",
            PublishedResult: "published",
            WorkRBResult: "WorkRB",
        }
        return sources[type(self.figures)]

    @property
    def published(self) -> bool:
        """True if others published it."""
        return isinstance(self.figures, PublishedResult)

    @property
    def group(self) -> EntryGroup:
        """What the system is: jobmatch's, a baseline that needs no model, a published model, or one of yours."""
        if is_ours(self.system):
            return "ours"
        published = PUBLISHED_SYSTEMS.get(self.system)
        if published is not None and published.kind == "lexical":
            return "baseline"
        return "yours" if self.source in ("yours", "WorkRB") else "published"

    @property
    def model(self) -> str:
        """Digests of encoder and calibration; '' if there are none or they are unknown."""
        return self.figures.model if isinstance(self.figures, Figures) else ""

    @property
    def key(self) -> tuple[bool, str, str]:
        """Key of figures that may be averaged: whether they are published, system and model."""
        return self.published, self.system, self.model

    @property
    def label(self) -> str:
        """Display name of the system."""
        return PUBLISHED_SYSTEMS[self.system].label if self.published else system_label(self.system)

    def value(self, metric: str) -> float | None:
        """Return a figure; None if it was not published or measured."""
        return self.figures.values.get(_BY_TEXT.get(metric, "") if self.ranking == "by_text" else metric)

    def interval(self, metric: str) -> tuple[float, float] | None:
        """Return a figure's 95 % interval, or None."""
        low, high = self.value(f"{metric}_low"), self.value(f"{metric}_high")
        return None if low is None or high is None else (low, high)

    def record(self) -> dict[str, Any]:
        """Return it as a row of the exported table."""
        return {
            "dataset": self.dataset,
            "setting": self.setting,
            "query_language": self.query_language,
            "system": self.system,
            "source": self.source,
            "ranking": self.ranking,
            **{name: self.value(name) for name in METRICS},
            "queries": getattr(self.figures, "queries", None),
            **{name: self.value(name) for name in (*interval_names(), *MERGED)},
            **{name: getattr(self.figures, name, None) for name in _TAKEN_AWAY},
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


def workrb_entry(result: WorkRBResult) -> Entry:
    """Return a result of WorkRB as an entry by text."""
    setting = setting_of(result.query_language, result.corpus_languages)
    return Entry(result.system, result.dataset, "by_text", setting, result.query_language, result)


def is_ours(system: str) -> bool:
    """Return whether a system is jobmatch's linker or title encoder."""
    return system in _LABELS or system.partition(":")[0] == _LINKER


def has_further_names(system: str) -> bool:
    """Return whether a system uses all names of a taxonomy and not only a dataset's texts."""
    return system != _CORPUS_LINKER and system.partition(":")[0] == _LINKER


def system_label(system: str) -> str:
    """Return a system's display name: `encoder:titles` is 'jobmatch title encoder', `bm25` 'BM25'.

    An encoder of a folder has the folder's name, and the digest of its files in brackets.
    """
    kind, _, name = system.partition(":")
    if system in _LABELS:
        return _LABELS[system]
    if kind == _LINKER:
        return f"jobmatch linker, all names of {name}"
    if system in PUBLISHED_SYSTEMS:
        return PUBLISHED_SYSTEMS[system].label
    name = _DIGEST.sub(r" (\g<digest>)", name)
    return {"encoder": name, "prompted": f"{name}, prompted"}.get(kind, system)


def without_digest(system: str) -> str:
    """Return the name by which a system is measured: `encoder:ours` for the stored `encoder:ours-0123abcd`."""
    return _DIGEST.sub("", system)


def setting_of(query_language: str, corpus_languages: Sequence[str]) -> Setting:
    """Return whether a dataset's corpus is in the queries' language, in others, or in both."""
    if query_language not in corpus_languages:
        return "cross-lingual"
    return "monolingual" if len(corpus_languages) == 1 else "multilingual"
