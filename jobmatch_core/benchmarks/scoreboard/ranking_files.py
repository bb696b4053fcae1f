"""Rankings by name as files for other programs: runs of trec_eval, and ranking artifacts of WorkRB.

`runs/TASK__DATASET__SYSTEM.run` has a line `query Q0 element rank score system` for each ranked element; trec_eval
computes jobmatch's figures by name from it and the dataset's annotations.tsv. `rankings/MODEL/TASK__DATASET.json` is
an artifact of WorkRB, schema 1 (`workrb.rankings`), with equal texts merged; `workrb.evaluate_rankings` computes
WorkRB's figures from it.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np

from jobmatch_core.benchmarks.datasets import melo, title_sets
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import atomic_file, make_folder
from jobmatch_core.metrics.ranking import SCORE_DECIMALS, rank_ids

RUNS, ARTIFACTS = "runs", "rankings"
# WorkRB's task names; its job normalization ranks other texts than ours, so that no artifact of it would fit
WORKRB_TASKS = {melo.TASK: "MELO", title_sets.SIMILARITY_TASK: "Job Title Similarity"}
WORKRB_NORMALIZATION = "Job Normalization"
_SCHEMA_VERSION = 1
_WORKRB_VERSION = "0.6.0"  # whose code the artifacts were tested with
_SPLIT = "test"
_RUN_DEPTH = 1000  # elements per query, trec_eval's usual number
_CELLS = 5_000_000  # of an artifact, some 100 MB
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")  # as in WorkRB
Keep = Callable[[int, FloatArray, FloatArray], None]


def keep_nothing(start: int, scores: FloatArray, ranked: FloatArray) -> None:
    """Ignore the scores of a block of queries."""


def workrb_model(system: str) -> str:
    """Return a system's name as a WorkRB model: `jobmatch-linker-corpus` for `linker:corpus`."""
    return f"jobmatch-{_safe(system).replace('_', '-')}"


@contextmanager
def ranking_files(folder: Path | None, dataset: RankingDataset, system: str) -> Iterator[Keep]:
    """Yield a function that writes a block of queries; the files replace older ones when the with-block succeeds.

    The function takes the number of the block's first query, the scores and the ranked scores, which are rounded and
    minus infinity for what is not ranked; both (block, element). Blocks come in order.

    Args:
        folder: folder of the files; None writes nothing.

    Raises SettingsError if a file cannot be written.
    """
    if folder is None:
        yield keep_nothing
        return
    with ExitStack() as stack:
        with _writing(folder):
            run = _Run(stack.enter_context(_file(_run_place(folder, dataset, system))), dataset, system)
            keepers: list[_Run | _Artifact] = [run]
            if dataset.task in WORKRB_TASKS:
                place = folder / ARTIFACTS / workrb_model(system) / artifact_name(dataset)
                keepers.append(_Artifact(stack.enter_context(_file(place)), dataset, system))

        def keep(start: int, scores: FloatArray, ranked: FloatArray) -> None:
            with _writing(folder):
                for keeper in keepers:
                    keeper.keep(start, scores, ranked)

        yield keep
        with _writing(folder):
            for keeper in keepers:
                keeper.close()
            stack.close()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"The rankings could not be written to {folder} ({error.strerror or error}); name another folder, or free "
            "some space."
        ) from error


def artifact_name(dataset: RankingDataset) -> str:
    """Return WorkRB's file name of a dataset's artifact."""
    return f"{_safe(WORKRB_TASKS[dataset.task])}__{_safe(dataset.name)}.json"


def first_of_each(texts: Sequence[str]) -> list[int]:
    """Return the places of the distinct texts, without white space around them, as WorkRB merges equal ones."""
    places: dict[str, int] = {}
    for place, text in enumerate(texts):
        places.setdefault(text.strip(), place)
    return [*places.values()]


class _Run:
    def __init__(self, file: TextIO, dataset: RankingDataset, system: str) -> None:
        self._file = file
        self._queries = [*map(_word, dataset.query_ids)]
        self._elements = [*map(_word, dataset.element_ids)]
        self._id_ranks = rank_ids(dataset.element_ids)
        self._tag = _word(system)

    def keep(self, start: int, scores: FloatArray, ranked: FloatArray) -> None:
        for query, row in zip(self._queries[start:], ranked, strict=False):
            columns = np.flatnonzero(row > -np.inf)
            # equal scores go to the greater id, as in trec_eval
            best = columns[np.lexsort((-self._id_ranks[columns], -row[columns]))][:_RUN_DEPTH]
            self._file.writelines(
                f"{query} Q0 {self._elements[column]} {rank} {score:.{SCORE_DECIMALS}f} {self._tag}\n"
                for rank, (column, score) in enumerate(zip(best.tolist(), row[best].tolist(), strict=True), 1)
            )

    def close(self) -> None:
        """Do nothing: a run has no closing line."""


class _Artifact:
    """An artifact with every cell, or each query's best ones: those left out count as 0 in WorkRB, the worst score."""

    def __init__(self, file: TextIO, dataset: RankingDataset, system: str) -> None:
        self._file = file
        queries, self._columns = first_of_each(dataset.queries), first_of_each(dataset.elements)
        self._numbers = {place: number for number, place in enumerate(queries)}
        self._depth = max(_RUN_DEPTH, _CELLS // len(queries))
        header = {
            "schema_version": _SCHEMA_VERSION,
            "workrb_version": _WORKRB_VERSION,
            "model_name": workrb_model(system),
            "task_name": WORKRB_TASKS[dataset.task],
            "dataset_id": dataset.name,
            "split": _SPLIT,
            "num_queries": len(queries),
            "num_targets": len(self._columns),
            "first_query_text": dataset.queries[queries[0]].strip(),
            "last_query_text": dataset.queries[queries[-1]].strip(),
            "first_target_text": dataset.elements[self._columns[0]].strip(),
            "last_target_text": dataset.elements[self._columns[-1]].strip(),
        }
        self._file.write(f'{{"header": {json.dumps(header)},\n"scores": {{')

    def keep(self, start: int, scores: FloatArray, ranked: FloatArray) -> None:
        for query, row in enumerate(scores[:, self._columns], start):
            if query in self._numbers:
                number = self._numbers[query]
                self._file.write(f'{"," if number else ""}\n"{number}": {json.dumps(self._cells(row))}')

    def _cells(self, row: FloatArray) -> dict[int, float]:
        finite = np.flatnonzero(np.isfinite(row))
        if len(finite) == len(row) <= self._depth:
            return dict(enumerate(row.tolist()))
        best = np.sort(finite[np.argsort(-row[finite], kind="stable")][: self._depth])
        values = row[best].astype(np.float64)
        return dict(zip(best.tolist(), (values - values.min(initial=0.0) + 1).tolist(), strict=True))

    def close(self) -> None:
        self._file.write("\n}}\n")


@contextmanager
def _file(place: Path) -> Iterator[TextIO]:
    make_folder(place.parent)
    with atomic_file(place) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def _run_place(folder: Path, dataset: RankingDataset, system: str) -> Path:
    return folder / RUNS / f"{'__'.join(map(_safe, (dataset.task, dataset.name, system)))}.run"


def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name).strip("_")


def _word(text: str) -> str:
    # the columns of a run are separated by white space
    return "_".join(text.split()) or "_"
