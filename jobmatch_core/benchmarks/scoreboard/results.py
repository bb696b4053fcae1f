"""Results of evaluations: one record per dataset, system and ranking, stored as JSON."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from jobmatch_core.metrics.ranking import METRICS

RankingKind = Literal["by_name", "by_occupation"]
RANKINGS: tuple[RankingKind, ...] = ("by_name", "by_occupation")


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """Outcome of one query.

    Attributes:
        query: its text.
        rank: rank of the first relevant element (or occupation), from 1; None if none was scored.
        found: the text of the element ranked first.
        wanted: the text of the best ranked relevant element.
        average_precision: average precision of the query, for tests between systems on MAP.
    """

    query: str
    rank: int | None
    found: str
    wanted: str
    average_precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A system's figures on a dataset under one of the two rankings, apart from what depends on the machine.

    Attributes:
        system: Its name.
        dataset: Its name.
        ranking: What stands in the ranking: every name, or every occupation once.
        queries: How many there are.
        values: The means over the queries and the ends of their intervals, by `figure_names`; those of metrics that
            are newer than the measurement are missing.
        size_mb: Size of the model on disk; None where there is none.
        note: A remark such as `vocabulary seen`; empty where there is none.
    """

    system: str
    dataset: str
    ranking: RankingKind
    queries: int
    values: dict[str, float]
    size_mb: float | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Figures):
    """A measurement made here: the figures, where they come from, and how each query went.

    Attributes:
        task: `melo`, `title-similarity` or `job-normalization`.
        query_language: Language of the dataset's queries.
        corpus_languages: Languages of its names.
        seconds: Time to prepare the corpus and score all queries.
        ranking_seconds: Time after the scores: the ranks, all figures with their intervals, the outcomes.
        data_hash: Hash of the dataset's files.
        versions: Versions of jobmatch, numpy and the like.
        outcomes: One for each query.
    """

    task: str
    query_language: str
    corpus_languages: tuple[str, ...]
    seconds: float
    ranking_seconds: float
    data_hash: str
    versions: dict[str, str]
    outcomes: tuple[QueryOutcome, ...]


def interval_names() -> tuple[str, ...]:
    """Return the names of the lower and upper ends of the metrics' 95 % bootstrap intervals."""
    return tuple(f"{name}_{end}" for name, metric in METRICS.items() if metric.interval for end in ("low", "high"))


def figure_names() -> tuple[str, ...]:
    """Return the names of all figures: the means, then the ends of their intervals."""
    return (*METRICS, *interval_names())


def figures_record(figures: Figures) -> dict[str, Any]:
    """Return figures as one flat table, the values in their place among the other fields, without outcomes."""
    record: dict[str, Any] = {}
    for name, value in asdict(figures).items():
        if name == "values":
            record |= value
        elif name != "outcomes":
            record[name] = value
    return record
