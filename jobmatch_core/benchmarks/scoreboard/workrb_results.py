"""Figures of WorkRB's `results.json`, imported for the scoreboard, one file a model under `evaluations/workrb`.

WorkRB merges equal texts, so that its MRR and MAP are compared with `mrr_merged` and `map_merged` alone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from jobmatch_core.benchmarks.datasets import title_sets
from jobmatch_core.benchmarks.scoreboard.ranking_files import WORKRB_NORMALIZATION, WORKRB_TASKS
from jobmatch_core.benchmarks.scoreboard.results import MERGED, safe_name
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import make_folder, write_text_whole
from jobmatch_core.io.records import read_formatted, record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.settings import Settings

FOLDER = "workrb"  # under the evaluations
_FORMAT = 1
_TASKS = {name: task for task, name in WORKRB_TASKS.items()} | {WORKRB_NORMALIZATION: title_sets.NORMALIZATION_TASK}


@dataclass(frozen=True, slots=True)
class WorkRBResult:
    """A model's figures on one dataset, measured by WorkRB."""

    system: str  # the model's name, marked as WorkRB's
    task: str  # `melo`, `title-similarity` or `job-normalization`
    dataset: str  # WorkRB's id of the dataset, such as `deu_q_de_c_de` or `en`
    query_language: str
    corpus_languages: tuple[str, ...]
    values: dict[str, float]  # `mrr_merged` and `map_merged`, or one of them


@dataclass(frozen=True, slots=True)
class WorkRBFile:
    """The content of a `results.json`: the model, its figures, and the tasks that the scoreboard does not have."""

    model: str
    results: tuple[WorkRBResult, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """All imported figures, and the errors of files that could not be read."""

    results: tuple[WorkRBResult, ...]
    damaged: tuple[str, ...]


class _Dataset(msgspec.Struct):
    metrics_dict: dict[str, float | None]
    input_languages: list[str]
    output_languages: list[str]


class _Task(msgspec.Struct):
    datasetid_results: dict[str, _Dataset]


class _Metadata(msgspec.Struct):
    model_name: str


class _Results(msgspec.Struct):
    metadata: _Metadata
    task_results: dict[str, _Task]


def read_workrb_results(path: Path) -> WorkRBFile:
    """Read a `results.json` of WorkRB 0.6.

    Raises DataFileError if it is missing or damaged, or has no MRR or MAP of a task of the scoreboard.
    """
    try:
        content = msgspec.convert(read_json(path), _Results)
    except (OSError, ValueError) as error:
        problem = f"this is no results.json of WorkRB ({error}); name the file in the output folder of workrb.evaluate"
        raise DataFileError(path, problem) from error
    model = content.metadata.model_name
    results = [
        WorkRBResult(
            system=f"{model} (WorkRB)",
            task=_TASKS[task],
            dataset=name,
            query_language=measured.input_languages[0],
            corpus_languages=tuple(measured.output_languages),
            values=values,
        )
        for task, results_of_task in content.task_results.items()
        if task in _TASKS
        for name, measured in results_of_task.datasetid_results.items()
        if (values := _values(path, f"{task}, {name}", measured))
    ]
    left_out = tuple(task for task in content.task_results if task not in _TASKS)
    if not results:
        raise DataFileError(path, f"there is no MRR or MAP of {', '.join(_TASKS)}; measure one of these tasks")
    return WorkRBFile(model, tuple(results), left_out)


def _values(path: Path, where: str, measured: _Dataset) -> dict[str, float]:
    if len(measured.input_languages) != 1 or not measured.output_languages:
        raise DataFileError(path, f"{where}: expected one language of queries, and languages of targets")
    values: dict[str, float] = {}
    for name, metric in MERGED.items():
        if metric in measured.metrics_dict:
            value = measured.metrics_dict[metric]
            if value is None or not (math.isfinite(value) and 0 <= value <= 1):
                raise DataFileError(path, f"{where}: {metric} is {value}; expected a number from 0 to 1")
            values[name] = value
    return values


class WorkRBStore:
    """Imported figures in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "WorkRBStore":
        """Open the imported figures under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).evaluations / FOLDER)

    def save(self, file: WorkRBFile) -> None:
        """Store figures in place of the model's older ones on the same datasets; damaged older ones are replaced."""
        path = self._folder / f"{safe_name(file.model)}.json"
        try:
            older = _read(path) if path.is_file() else ()
        except DataFileError:
            older = ()
        results = {(result.task, result.dataset): asdict(result) for result in (*older, *file.results)}
        make_folder(self._folder)
        content: Mapping[str, Any] = {"format": _FORMAT, "results": [results[key] for key in sorted(results)]}
        write_text_whole(path, json_text(content, ensure_ascii=False, indent=1))

    def stored(self) -> Imported:
        """Return all imported figures, by model, task and dataset."""
        results: list[WorkRBResult] = []
        damaged: list[str] = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                results += _read(path)
            except DataFileError as error:
                damaged.append(str(error))
        return Imported(tuple(results), tuple(damaged))


def _read(path: Path) -> Sequence[WorkRBResult]:
    try:
        content = read_formatted(path, (_FORMAT,))
        return record_of(tuple[WorkRBResult, ...], content.get("results"), "results")
    except (OSError, ValueError) as error:
        problem = f"these figures of WorkRB cannot be read ({error}); import its results.json again"
        raise DataFileError(path, problem) from error
