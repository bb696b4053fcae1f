"""Results of evaluations and their store, `TASK/DATASET/SYSTEM/`.

Figures are stored as JSON, and the queries' outcomes, which are a hundred times larger, as Parquet, read on demand.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import atomic_folder, recover
from jobmatch_core.io.records import read_formatted, record_of
from jobmatch_core.io.text_files import json_text
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.settings import Settings

RankingKind = Literal["by_name", "by_occupation"]
# on the scoreboard; by text is by name with equal texts merged, for which only `MERGED` is known
BoardRanking = Literal["by_name", "by_text", "by_occupation"]
BOARD_RANKINGS: tuple[BoardRanking, ...] = ("by_name", "by_text", "by_occupation")
RANKINGS: tuple[RankingKind, ...] = ("by_name", "by_occupation")
MERGED = {"mrr_merged": "mrr", "map_merged": "map"}  # by name with equal texts as one -> the metric
FIGURES, OUTCOMES = "figures.json", "outcomes.parquet"
FORMAT = 2  # raised when the layout changes; older results are then measured again
_UNSAFE = re.compile(r"[^\w.-]")
_LONGEST_NAME = 80
_DIGESTS = ("encoder", "calibration", "taxonomy")  # which older results do not have
_OUTCOME_SCHEMA = pa.schema(
    [
        ("ranking", pa.string()),
        ("query", pa.string()),
        ("rank", pa.int64()),
        ("found", pa.string()),
        ("wanted", pa.string()),
        ("average_precision", pa.float64()),
    ]
)


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """Outcome of one query."""

    query: str
    rank: int | None  # rank of the first relevant element or occupation, from 1; None if none was scored
    found: str  # text of the element ranked first
    wanted: str  # text of the best ranked relevant element
    average_precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A system's figures on a dataset under one ranking, independent of the machine."""

    system: str
    dataset: str
    ranking: RankingKind  # whether every name is ranked, or every occupation once
    queries: int
    # means over the queries and ends of their intervals, by `figure_names`; metrics newer than the measurement are
    # missing
    values: dict[str, float]
    size_mb: float | None  # size of the model on disk; None if there is none
    note: str  # a remark such as `vocabulary seen`, or ''
    # the encoder's name with the digest of its weights; '' if there is none or an older release measured it
    encoder: str = ""
    calibration: str = ""  # digest of the linker's calibration, or ''
    taxonomy: str = ""  # the linked taxonomy with the digest of its names, or ''

    @property
    def model(self) -> str:
        """The digests of encoder and calibration; '' without both."""
        return f"{self.encoder} {self.calibration}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Figures):
    """A measurement made here."""

    task: str  # `melo`, `title-similarity` or `job-normalization`
    query_language: str
    corpus_languages: tuple[str, ...]
    seconds: float  # time to prepare the corpus and score all queries
    ranking_seconds: float  # time to compute ranks, figures with their intervals, and outcomes
    data_hash: str  # hash of the dataset's files
    versions: dict[str, str]  # versions of the system, jobmatch, Python and packages
    outcomes: tuple[QueryOutcome, ...]  # one per query, or none if not loaded


def interval_names() -> tuple[str, ...]:
    """Return the names of the lower and upper ends of the metrics' 95 % bootstrap intervals."""
    return tuple(f"{name}_{end}" for name, metric in METRICS.items() if metric.interval for end in ("low", "high"))


def figure_names() -> tuple[str, ...]:
    """Return the names of all figures: the means, then the ends of their intervals."""
    return (*METRICS, *interval_names())


def figures_record(figures: Figures) -> dict[str, Any]:
    """Return figures as a flat record with the values among the other fields, without outcomes."""
    record: dict[str, Any] = {}
    for name, value in asdict(figures).items():
        if name == "values":
            record |= value
        elif name != "outcomes":
            record[name] = value
    return record


Evaluation = tuple[Result, Result]  # of one run: by name, by occupation


@dataclass(frozen=True, slots=True)
class Stored:
    """All stored figures without outcomes, and the errors of results that could not be read."""

    results: tuple[Result, ...]
    damaged: tuple[str, ...]


class ResultStore:
    """Results in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "ResultStore":
        """Open the results under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).evaluations)

    def save(self, evaluation: Evaluation) -> None:
        """Store both results of a run in place of older ones of the system on the dataset."""
        first = evaluation[0]
        with atomic_folder(self._place(first.task, first.dataset, first.system)) as folder:
            figures = {"format": FORMAT, "results": [_stored_record(result) for result in evaluation]}
            (folder / FIGURES).write_text(json_text(figures, ensure_ascii=False, indent=1), "utf-8")
            rows = [
                {"ranking": result.ranking, **asdict(outcome)} for result in evaluation for outcome in result.outcomes
            ]
            pq.write_table(pa.Table.from_pylist(rows, schema=_OUTCOME_SCHEMA), folder / OUTCOMES)

    def figures(self, task: str, dataset: str, system: str) -> Evaluation | None:
        """Return the stored results of a system on a dataset without outcomes, or None.

        Raises DataFileError if the file is damaged or of another release.
        """
        folder = self._place(task, dataset, system)
        return _read_figures(folder) if folder.is_dir() else None

    def outcomes(self, result: Result) -> tuple[QueryOutcome, ...]:
        """Return the outcomes of a result's queries; raises DataFileError if they are missing or damaged."""
        path = self._place(result.task, result.dataset, result.system) / OUTCOMES
        try:
            rows = pq.read_table(path, schema=_OUTCOME_SCHEMA).to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise _damaged(path, error) from error
        return tuple(
            QueryOutcome(**{name: value for name, value in row.items() if name != "ranking"})
            for row in rows
            if row["ranking"] == result.ranking
        )

    def stored(self) -> Stored:
        """Return the figures of all evaluations, by task, dataset and system."""
        results: list[Result] = []
        damaged: list[str] = []
        for folder in self._folders():
            try:
                results += _read_figures(folder)
            except DataFileError as error:
                damaged.append(str(error))
        return Stored(tuple(results), tuple(damaged))

    def _folders(self) -> Iterator[Path]:
        for dataset in sorted(self._folder.glob("*/*")):
            if dataset.is_dir():
                recover(dataset)
                yield from (path for path in sorted(dataset.iterdir()) if not path.name.startswith("."))

    def _place(self, task: str, dataset: str, system: str) -> Path:
        return self._folder.joinpath(*map(safe_name, (task, dataset, system)))


def safe_name(name: str) -> str:
    """Return a name as a folder's name; where that changes it, a digest keeps it apart from others."""
    safe = _UNSAFE.sub("_", name)[:_LONGEST_NAME].lstrip(".")
    return safe if safe == name else f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _read_figures(folder: Path) -> Evaluation:
    path = folder / FIGURES
    try:
        stored = read_formatted(path, (FORMAT,))["results"]
        by_name, by_occupation = (_result(fields) for fields in stored)
        if (by_name.ranking, by_occupation.ranking) != RANKINGS:
            raise ValueError("the two rankings are not there")
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _damaged(path, error) from error
    return by_name, by_occupation


def _result(record: dict[str, Any]) -> Result:
    if unknown := [name for name, value in record.items() if value is None and name != "size_mb"]:
        raise ValueError(f"{unknown[0]} has no value")
    values = {name: record[name] for name in (*figure_names(), *MERGED) if name in record}  # not newer metrics'
    names = {field.name for field in fields(Result)} - {"values", "outcomes", *_DIGESTS}
    others = {name: record[name] for name in names} | _digests(record)
    return record_of(Result, others | {"values": values, "outcomes": []}, "a result")


def _stored_record(result: Result) -> dict[str, Any]:
    """Return a result's record without missing digests, as older releases wrote it."""
    record = figures_record(result)
    return {name: value for name, value in record.items() if value or name not in _DIGESTS}


def _digests(record: dict[str, Any]) -> dict[str, str]:
    """Return a result's digests; an older one has encoder and calibration among its versions."""
    if "encoder" in record:
        return {name: record[name] for name in _DIGESTS if name in record}
    words = str(record["versions"]["system"]).split()
    kind = str(record["system"]).partition(":")[0]
    if kind == "linker" and len(words) > 2:  # release, encoder, calibration, taxonomies
        return {"encoder": words[1], "calibration": words[2]}
    return {"encoder": words[0]} if record["system"] == "title_encoder" and words else {}


def _damaged(path: Path, error: Exception) -> DataFileError:
    where = "/".join(path.parts[-4:])
    return DataFileError(path, f"the stored result {where} cannot be read ({error}); it has to be measured again")
