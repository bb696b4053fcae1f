"""Measures systems on datasets under two rankings: of names, and of occupations, each once under its best name.

Names of several occupations are ranked several times, as in MELO's own code; the figures `MERGED` count each text once
(WorkRB's rule). A campaign measures several systems on several datasets and reuses stored results.
"""

import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.tasks import Benchmark
from jobmatch_core.benchmarks.scoreboard.ranking_files import Keep, keep_nothing, ranking_files
from jobmatch_core.benchmarks.scoreboard.results import (
    MERGED,
    Evaluation,
    QueryOutcome,
    RankingKind,
    Result,
    ResultStore,
    figure_names,
)
from jobmatch_core.benchmarks.systems.system import Digests, OccupationRanker, Ranker, System
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.metrics.comparisons import bootstrap_interval
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.metrics.ranking import METRICS, RelevantRanks, rank_ids, rank_relevant, rounded, within_depth

_BLOCK_SCORES = 1 << 24  # scores held at once: 64 MB
_PACKAGES = ("numpy", "scipy", "scikit-learn")
_PARTS = 1000  # steps of progress per dataset and system
_SAME = ("system", "jobmatch")  # versions that must match to reuse a stored result


@dataclass(frozen=True)
class Judgments:
    """The relevant columns of each query, and the order of equal scores."""

    relevant: csr_matrix  # (query, column) boolean; columns are elements or concepts
    id_ranks: NDArray[np.int32]  # (column,) place of each id in ascending order

    @classmethod
    def by_name(cls, dataset: RankingDataset) -> "Judgments":
        """Judge elements."""
        return cls(dataset.relevant, rank_ids(dataset.element_ids))

    @classmethod
    def by_occupation(cls, dataset: RankingDataset) -> "Judgments":
        """Judge concepts, which are relevant if any of their elements is."""
        return cls(relevant_concepts(dataset), rank_ids(dataset.concepts))

    @classmethod
    def merged(cls, dataset: RankingDataset) -> "Judgments":
        """Judge distinct texts, which are relevant if any of their elements is."""
        first, numbers = distinct_texts(dataset)
        pairs = dataset.relevant.tocoo()
        relevant = _pairs_of(pairs.row, numbers[pairs.col], (len(dataset.queries), len(first)))
        return cls(relevant, rank_ids([dataset.element_ids[element] for element in first]))

    def rank(self, scores: FloatArray, start: int = 0) -> RelevantRanks:
        """Rank a block of queries that begins with query *start*; scores are (block, column)."""
        return rank_relevant(scores, self.relevant[start : start + len(scores)], self.id_ranks)


def relevant_concepts(dataset: RankingDataset) -> csr_matrix:
    """Return (query, concept) boolean: whether any of the concept's elements is relevant."""
    pairs = dataset.relevant.tocoo()
    shape = (len(dataset.queries), len(dataset.concepts))
    return _pairs_of(pairs.row, dataset.element_concepts[pairs.col], shape)


def distinct_texts(dataset: RankingDataset) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first element of each distinct text, (text,), and the text of each element, (element,)."""
    places: dict[str, int] = {}
    numbers = np.array([places.setdefault(text, len(places)) for text in dataset.elements], dtype=np.intp)
    return np.unique(numbers, return_index=True)[1], numbers


def _pairs_of(rows: NDArray[Any], columns: NDArray[Any], shape: tuple[int, int]) -> csr_matrix:
    true_rows, there = np.divmod(np.unique(rows.astype(np.int64) * shape[1] + columns), shape[1])
    return csr_matrix((np.ones(len(true_rows), dtype=np.bool_), (true_rows, there)), shape=shape)


def best_of_concepts(scores: FloatArray, dataset: RankingDataset) -> FloatArray:
    """Return each concept's best element score: (query, element) -> (query, concept)."""
    numbers = dataset.element_concepts
    if (np.diff(numbers) < 0).any():  # sorted numbers need no copy of all scores
        order = np.argsort(numbers, kind="stable")
        scores, numbers = scores[:, order], numbers[order]
    starts = np.searchsorted(numbers, np.arange(len(dataset.concepts)))
    return np.maximum.reduceat(scores, starts, axis=1)


@runtime_checkable
class DescribedSystem(System, Protocol):
    """A system with a model on disk or notes on its figures."""

    @property
    def size_mb(self) -> float | None:
        """Size of its model on disk."""

    def note(self, dataset: RankingDataset) -> str:
        """Return a note on its figures, such as `vocabulary seen`; '' for none."""


@runtime_checkable
class ModelSystem(System, Protocol):
    """A system with a model, unlike lexical baselines."""

    def digests(self, dataset: RankingDataset) -> Digests:
        """Return the digests of its model and taxonomy for a dataset."""


def evaluate(
    system: System, dataset: RankingDataset, *, progress: Progress = no_progress, keep: Keep = keep_nothing
) -> Evaluation:
    """Return a system's results by name and by occupation.

    By name, scores are rounded and, on MELO, only the best 100 are ranked, as in MELO's own code.

    Args:
        keep: called with each block of queries: the number of its first query, its scores by name, and these as ranked.
    """
    n_elements, n_queries = len(dataset.elements), len(dataset.queries)
    total = n_elements + n_queries
    prepare_s, ranker = timed(
        lambda: system.prepare(dataset, progress=lambda done, of: progress(n_elements * done // max(of, 1), total))
    )
    progress(n_elements, total)
    name, merged, occupation = _score(
        ranker, dataset, keep, progress=lambda done, _: progress(n_elements + done, total)
    )
    by_name = _result(system, dataset, "by_name", name, prepare_s + name.scoring_s)
    by_name = replace(by_name, values=by_name.values | _merged_figures(merged))
    occupation_s = prepare_s + (occupation.scoring_s or name.scoring_s)
    return by_name, _result(system, dataset, "by_occupation", occupation, occupation_s)


def digests_of(system: System, dataset: RankingDataset) -> Digests:
    """Return the digests of a system's model and taxonomy for a dataset.

    Raises:
        SettingsError: the system needs a taxonomy to be named.
        TaxonomyError: the taxonomy is not installed, or lacks one of the dataset's languages.
    """
    return system.digests(dataset) if isinstance(system, ModelSystem) else Digests()


def versions_of(system: System, dataset: RankingDataset) -> dict[str, str]:
    """Return the versions of a system, jobmatch, Python and packages; raises as `digests_of`."""
    own = " ".join(filter(None, (__version__, *astuple(digests_of(system, dataset)))))
    packages = {package: version(package) for package in _PACKAGES}
    return {"system": own, "jobmatch": __version__, "python": platform.python_version(), **packages}


@dataclass(slots=True)
class _Ranked:
    """One ranking, block by block; no scoring time if occupations are ranked by their names' scores."""

    blocks: list[RelevantRanks] = field(default_factory=list)
    scoring_s: float = 0.0
    ranking_s: float = 0.0

    def scored(self, score: Callable[[], FloatArray]) -> FloatArray:
        seconds, scores = timed(score)
        self.scoring_s += seconds
        return scores

    def rank(self, rank: Callable[[], RelevantRanks]) -> None:
        seconds, block = timed(rank)
        self.ranking_s += seconds
        self.blocks.append(block)


def _score(
    ranker: Ranker, dataset: RankingDataset, keep: Keep, *, progress: Progress
) -> tuple[_Ranked, _Ranked, _Ranked]:
    names, occupations = Judgments.by_name(dataset), Judgments.by_occupation(dataset)
    texts, (first, _) = Judgments.merged(dataset), distinct_texts(dataset)
    name, merged, occupation = _Ranked(), _Ranked(), _Ranked()
    size = max(_BLOCK_SCORES // max(len(dataset.elements), 1), 1)
    for start in range(0, len(dataset.queries), size):
        queries = dataset.queries[start : start + size]
        scores = name.scored(partial(ranker.scores, queries))
        name.rank(partial(_rank_names, names, scores, dataset, start))
        merged.rank(partial(_rank_names, texts, scores[:, first], dataset, start))
        if keep is not keep_nothing:
            keep(start, scores, _shown(scores, dataset))
        if isinstance(ranker, OccupationRanker):
            own = occupation.scored(partial(ranker.occupation_scores, queries))
            occupation.rank(partial(occupations.rank, own, start))
        else:
            occupation.rank(partial(_rank_by_best_names, occupations, scores, dataset, start))
        progress(start + len(queries), len(dataset.queries))
    return name, merged, occupation


def _rank_names(judgments: Judgments, scores: FloatArray, dataset: RankingDataset, start: int) -> RelevantRanks:
    return judgments.rank(_shown(scores, dataset), start)


def _shown(scores: FloatArray, dataset: RankingDataset) -> FloatArray:
    return rounded(within_depth(scores) if dataset.task == "melo" else scores)


def _rank_by_best_names(judgments: Judgments, scores: FloatArray, dataset: RankingDataset, start: int) -> RelevantRanks:
    return judgments.rank(best_of_concepts(rounded(scores), dataset), start)


def _result(system: System, dataset: RankingDataset, ranking: RankingKind, ranked: _Ranked, seconds: float) -> Result:
    described = system if isinstance(system, DescribedSystem) else None
    measuring_s, (values, outcomes) = timed(partial(_measured, dataset, ranking, ranked.blocks))
    return Result(
        task=dataset.task,
        dataset=dataset.name,
        system=system.name,
        ranking=ranking,
        query_language=dataset.query_language,
        corpus_languages=dataset.corpus_languages,
        queries=len(dataset.queries),
        values=values,
        seconds=seconds,
        ranking_seconds=ranked.ranking_s + measuring_s,
        size_mb=described.size_mb if described else None,
        data_hash=dataset.data_hash,
        versions=versions_of(system, dataset),
        note=described.note(dataset) if described else "",
        outcomes=outcomes,
        **asdict(digests_of(system, dataset)),
    )


def _measured(
    dataset: RankingDataset, ranking: RankingKind, blocks: list[RelevantRanks]
) -> tuple[dict[str, float], tuple[QueryOutcome, ...]]:
    ranks = RelevantRanks.concatenate(blocks)
    return _figures(ranks), _outcomes(dataset, ranking, ranks)


def _figures(ranks: RelevantRanks) -> dict[str, float]:
    """Return the mean of each metric, 0 where no query has a part in it, and the intervals."""
    means: dict[str, float] = {}
    ends: dict[str, float] = {}
    for name, metric in METRICS.items():
        values = metric.values(ranks)
        values = values[~np.isnan(values)]
        means[name] = float(values.mean()) if len(values) else 0.0
        if metric.interval:
            interval = bootstrap_interval(values)
            ends |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return means | ends


def _merged_figures(merged: _Ranked) -> dict[str, float]:
    ranks = RelevantRanks.concatenate(merged.blocks)
    return {name: float(METRICS[metric].values(ranks).mean()) for name, metric in MERGED.items()}


def _outcomes(dataset: RankingDataset, ranking: RankingKind, ranks: RelevantRanks) -> tuple[QueryOutcome, ...]:
    texts = dataset.elements if ranking == "by_name" else _concept_texts(dataset)
    return tuple(
        QueryOutcome(
            query=query,
            rank=int(rank) if np.isfinite(rank) else None,
            found=texts[first] if first >= 0 else "",
            wanted=texts[wanted] if wanted >= 0 else "",
            average_precision=float(average),
        )
        for query, rank, first, wanted, average in zip(
            dataset.queries, ranks.first_ranks, ranks.first, ranks.best, ranks.average_precision(), strict=True
        )
    )


def _concept_texts(dataset: RankingDataset) -> list[str]:
    texts = [""] * len(dataset.concepts)
    for text, concept in zip(reversed(dataset.elements), dataset.element_concepts[::-1].tolist(), strict=True):
        texts[concept] = text
    return texts


class _Stopped(Exception):
    """The evaluation was stopped."""


@dataclass
class Campaign:
    """Evaluations of several systems, dataset by dataset."""

    benchmarks: Sequence[Benchmark]  # benchmarks to measure on
    systems: Sequence[Callable[[], System]]  # functions that load the systems
    store: ResultStore
    again: bool = False  # repeat stored evaluations, too
    # folder for the rankings as files (`ranking_files`), for which all is measured again; None for none
    rankings: Path | None = None
    evaluations: list[Evaluation] = field(default_factory=list)  # completed evaluations, measured or stored
    warnings: list[str] = field(default_factory=list)  # errors of stored results, which are measured again
    doing: str = ""  # current measurement in words
    stopped: bool = False  # whether it was asked to stop

    @property
    def total(self) -> int:
        """Total number of evaluations."""
        return len(self.benchmarks) * len(self.systems)

    def run(self, progress: Progress = no_progress) -> list[Evaluation]:
        """Measure what is not stored and return all evaluations.

        Raises JobMatchError if a dataset or system cannot be loaded; completed results are stored.
        """
        try:
            systems = [make() for make in self.systems]
            for benchmark in self.benchmarks:
                self._on(benchmark, systems, progress)
        except _Stopped:
            self.doing = ""
        return self.evaluations

    def stop(self) -> None:
        """Stop at the next progress report; the current measurement is lost."""
        self.stopped = True

    def _on(self, benchmark: Benchmark, systems: Sequence[System], progress: Progress) -> None:
        self.doing = f"reading {benchmark.name}"
        dataset = benchmark.read()
        for system in systems:
            self.doing = f"{system.name} on {dataset.name}"
            done = _PARTS * len(self.evaluations)

            def report(part: int, of: int, done: int = done) -> None:
                if self.stopped:
                    raise _Stopped
                progress(done + _PARTS * part // max(of, 1), _PARTS * self.total)

            report(0, 1)
            self.evaluations.append(self._kept(system, dataset) or self._measured(system, dataset, report))

    def _kept(self, system: System, dataset: RankingDataset) -> Evaluation | None:
        if self.again or self.rankings is not None:
            return None
        try:
            stored = self.store.figures(dataset.task, dataset.name, system.name)
        except DataFileError as error:
            self.warnings.append(str(error))
            return None
        wanted = versions_of(system, dataset)
        if stored is None or stored[0].data_hash != dataset.data_hash:
            return None
        whole = stored[0].values.keys() >= {*figure_names(), *MERGED} and stored[1].values.keys() >= {*figure_names()}
        return stored if whole and all(stored[0].versions.get(key) == wanted[key] for key in _SAME) else None

    def _measured(self, system: System, dataset: RankingDataset, progress: Progress) -> Evaluation:
        with ranking_files(self.rankings, dataset, system.name) as keep:
            evaluation = evaluate(system, dataset, progress=progress, keep=keep)
        self.store.save(evaluation)
        return evaluation
