"""What an evaluation leaves behind: one record a dataset, system and ranking, kept as JSON."""

from dataclasses import dataclass
from typing import Literal

RankingKind = Literal["by_name", "by_occupation"]
RANKINGS: tuple[RankingKind, ...] = ("by_name", "by_occupation")


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """How one query went.

    Attributes:
        query: its text.
        rank: of the first relevant element (or occupation), from 1; None where none was scored.
        found: the text of the element ranked first.
        wanted: the text of the best ranked relevant element.
        average_precision: of the query, for tests between systems on MAP.
    """

    query: str
    rank: int | None
    found: str
    wanted: str
    average_precision: float


@dataclass(frozen=True, slots=True)
class Result:
    """A system's figures on a dataset under one of the two rankings.

    Attributes:
        task: `melo`, `title-similarity` or `job-normalization`.
        dataset: its name.
        system: its name.
        ranking: what stands in the ranking: every name, or every occupation once.
        query_language, corpus_languages: of the dataset.
        queries: how many.
        mrr, accuracy_at_1, accuracy_at_5, accuracy_at_10, map: as in the MELO paper.
        recall_at_5, recall_at_10, r_precision, ndcg_at_10, auc: means over the queries.
        mrr_low, mrr_high, map_low, map_high: 95 % bootstrap intervals.
        seconds: preparing the corpus and scoring all queries.
        ranking_seconds: what comes after the scores: the ranks, all figures with their intervals, the outcomes.
        size_mb: of the model on disk; None where there is none.
        data_hash: of the dataset's files.
        versions: of jobmatch, numpy and the like.
        note: such as `vocabulary seen`; empty where nothing is to be said.
        outcomes: query by query.
    """

    task: str
    dataset: str
    system: str
    ranking: RankingKind
    query_language: str
    corpus_languages: tuple[str, ...]
    queries: int
    mrr: float
    accuracy_at_1: float
    accuracy_at_5: float
    accuracy_at_10: float
    map: float
    recall_at_5: float
    recall_at_10: float
    r_precision: float
    ndcg_at_10: float
    auc: float
    mrr_low: float
    mrr_high: float
    map_low: float
    map_high: float
    seconds: float
    ranking_seconds: float
    size_mb: float | None
    data_hash: str
    versions: dict[str, str]
    note: str
    outcomes: tuple[QueryOutcome, ...]
