"""Made-up results and tiny datasets of MELO's shape, for tests of the core, the command line and the pages."""

from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

from jobmatch_core.benchmarks.scoreboard.entries import AuthorsResult
from jobmatch_core.benchmarks.scoreboard.results import Evaluation, QueryOutcome, Result, figure_names

ELEMENTS = (
    ("C000001_en_000", "cook", "uri:cook"),
    ("C000001_en_001", "chef", "uri:cook"),
    ("C000002_en_000", "nurse", "uri:nurse"),
    ("C000003_en_000", "bus driver", "uri:driver"),
)
QUERIES = (("Q1", "cook", "uri:cook"), ("Q2", "nurses", "uri:nurse"), ("Q3", "driver of a bus", "uri:driver"))

VALUES = {
    "mrr": 0.75,
    "accuracy_at_1": 0.5,
    "accuracy_at_5": 1.0,
    "accuracy_at_10": 1.0,
    "map": 0.7,
    "recall_at_5": 0.6,
    "recall_at_10": 0.8,
    "r_precision": 0.5,
    "ndcg_at_10": 0.7,
    "auc": 0.9,
    "mrr_low": 0.7,
    "mrr_high": 0.8,
    "map_low": 0.6,
    "map_high": 0.75,
}


def write_melo(folder: Path, name: str = "tst_q_en_c_en") -> Path:
    """Write a dataset of three queries and four names of three occupations; return its folder."""
    place = folder / name
    place.mkdir(parents=True)
    right = [(query, element) for query, _, uri in QUERIES for element, _, of in ELEMENTS if of == uri]
    files = {
        "queries.tsv": [(query, text) for query, text, _ in QUERIES],
        "corpus_elements.tsv": [(element, text) for element, text, _ in ELEMENTS],
        "annotations.tsv": [(query, "0", element, "1") for query, element in right],
        "concept_mapping.tsv": [(element, uri) for element, _, uri in ELEMENTS],
    }
    for file, rows in files.items():
        (place / file).write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return place


def make_result(system: str = "ours", dataset: str = "deu_q_de_c_de", **fields: Any) -> Result:
    """Make a result; ranks of its queries and any figures may be given, other fields have some value."""
    query, _, corpus = dataset.partition("_q_")[2].partition("_c_")
    ranks: tuple[int | None, ...] = fields.pop("ranks", (1, 2))
    outcomes = tuple(
        QueryOutcome(f"query {number}", rank, f"found {number}", f"wanted {number}", 1 / rank if rank else 0.0)
        for number, rank in enumerate(ranks, 1)
    )
    some: dict[str, Any] = {
        "task": "melo",
        "dataset": dataset,
        "system": system,
        "ranking": "by_name",
        "query_language": query,
        "corpus_languages": tuple(corpus.split("_")),
        "queries": len(ranks),
        "seconds": 1.5,
        "ranking_seconds": 0.5,
        "size_mb": None,
        "data_hash": "abc",
        "versions": {"system": "1", "jobmatch": "1"},
        "note": "",
        "outcomes": outcomes,
    }
    values = {name: fields.pop(name, VALUES.get(name, 0.5)) for name in figure_names()}
    return Result(**{**some, "values": values, **fields})


def make_evaluation(system: str = "ours", dataset: str = "deu_q_de_c_de", **fields: Any) -> Evaluation:
    """Make a run's two results, alike but for the ranking."""
    return (
        make_result(system, dataset, **{**fields, "ranking": "by_name"}),
        make_result(system, dataset, **{**fields, "ranking": "by_occupation"}),
    )


def make_authors_result(system: str = "linker", dataset: str = "deu_q_de_c_de", **given: Any) -> AuthorsResult:
    """Make a result that comes with release 0.1.0; fields and figures may be given, others have `make_result`'s."""
    result = make_result(system, dataset, **given)
    names = {field.name for field in fields(AuthorsResult)} - {"version", "measured_on"}
    shared = {name: getattr(result, name) for name in names}
    return AuthorsResult(version="0.1.0", measured_on=date(2026, 11, 22), **shared)
