"""The experiment of Jouanneau et al. (2024), section 4: models trained on a marketplace's past, measured on its future.

Unlike in the paper, the candidates are all freelancers of the marketplace and not only those of test projects. Runs are
stored in `MARKETPLACE.json`, one record per model and seed.
"""

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Self

import numpy as np

from jobmatch_core import __version__
from jobmatch_core.benchmarks.retrieval.matching_models import MatchingModel
from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.ranking.second_stage import SecondStage
from jobmatch_core.settings import Settings
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.matching_metrics import FIGURES, MatchingFigures, MatchingJudgments, MatchingOutcome, measure

TASK = "matching"
FORMAT = 1  # raised when the layout changes; older runs must then be measured again
SHARE_TEST = 0.2  # of the projects, the latest
_PACKAGES = ("numpy", "scipy", "torch", "sentence-transformers")
_PARTS = 1000  # steps of progress per run


@dataclass(frozen=True, slots=True)
class LanguageMatching:
    """The figures of the projects of one language: a row of table 2."""

    language: str
    projects: int
    figures: MatchingFigures


@dataclass(frozen=True, slots=True)
class MatchingRun:
    """One model, trained with one seed and measured on the test projects."""

    model: str
    seed: int  # seed of its training; 1 if nothing of it is random
    setting: str  # everything else that determines it, such as the encoder and the recipe
    data_hash: str  # SHA-256 of the marketplace
    share_test: float  # share of the latest projects, which are the test set
    generated: bool  # true for a synthetic marketplace
    # projects, freelancers, interactions: numbers of the test set
    projects: int
    freelancers: int
    interactions: int
    # train_s, score_s: seconds of training, and of encoding and scoring all pairs
    train_s: float
    score_s: float
    versions: dict[str, str]  # versions of jobmatch and its numerical packages
    overall: MatchingFigures  # the figures over all test projects: a row of table 1
    languages: tuple[LanguageMatching, ...]  # the same by the language of the project

    def repeats(self, other: "MatchingRun") -> bool:
        """Return whether both have the same model, seed, setting and data."""
        keys = ("model", "seed", "setting", "data_hash", "share_test")
        return all(getattr(self, key) == getattr(other, key) for key in keys)


def matching_runs(settings: Settings | None = None) -> RunStore[MatchingRun]:
    """Return the stored runs under `JOBMATCH_HOME`."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, MatchingRun, FORMAT)


@dataclass(frozen=True, slots=True)
class MatchingRow:
    """A model's figures over its seeds."""

    model: str
    language: str  # language code of the projects; '' for all of them
    projects: int
    seeds: int  # number of runs
    mean: MatchingFigures  # over the runs
    deviation: MatchingFigures  # standard deviation of the runs (n - 1); None for a single run
    train_s: float  # mean seconds of training


def rows_of(runs: Sequence[MatchingRun]) -> list[MatchingRow]:
    """Return one row per model, in the order of their first runs (table 1)."""
    return [
        _row(model, "", own, [(run.projects, run.overall) for run in own]) for model, own in _by_model(runs).items()
    ]


def language_rows(runs: Sequence[MatchingRun]) -> list[MatchingRow]:
    """Return one row per model and language of the projects (table 2)."""
    rows = []
    for model, own in _by_model(runs).items():
        for language in dict.fromkeys(part.language for run in own for part in run.languages):
            parts = [
                (part.projects, part.figures) for run in own for part in run.languages if part.language == language
            ]
            rows.append(_row(model, language, own, parts))
    return rows


def _by_model(runs: Iterable[MatchingRun]) -> dict[str, list[MatchingRun]]:
    models: dict[str, list[MatchingRun]] = {}
    for run in runs:
        models.setdefault(run.model, []).append(run)
    return models


def _row(
    model: str, language: str, runs: Sequence[MatchingRun], parts: Sequence[tuple[int, MatchingFigures]]
) -> MatchingRow:
    values = {name: [getattr(figures, name) for _, figures in parts] for name in FIGURES}
    measured = {name: [value for value in column if value is not None] for name, column in values.items()}
    return MatchingRow(
        model=model,
        language=language,
        projects=parts[0][0],
        seeds=len(parts),
        mean=MatchingFigures(**{name: float(np.mean(column)) if column else None for name, column in measured.items()}),
        deviation=MatchingFigures(
            **{name: float(np.std(column, ddof=1)) if len(column) > 1 else None for name, column in measured.items()}
        ),
        train_s=float(np.mean([run.train_s for run in runs])),
    )


class MatchingExperiment:
    """One marketplace, split by time."""

    def __init__(self, marketplace: Marketplace, data_hash: str) -> None:
        """Split it.

        Args:
            data_hash: hash of its records.

        Raises MarketplaceError if it cannot be split.
        """
        self.name = marketplace.name
        self._train, self._test = temporal_split(marketplace, SHARE_TEST)
        self._data_hash = data_hash
        self._generated = marketplace.generated

    @classmethod
    def open(cls, name: str, store: MarketplaceStore) -> Self:
        """Open a stored marketplace; MarketplaceError if it is missing or damaged, or cannot be split."""
        hashes = json.dumps(store.manifest(name).hashes, sort_keys=True)
        return cls(store.load(name), hashlib.sha256(hashes.encode()).hexdigest())

    def run(self, model: MatchingModel, seed: int, *, progress: Progress = no_progress) -> MatchingRun:
        """Train a model on the past and measure it on the future."""
        train_s, matcher = timed(lambda: model.fit(self._train, seed, progress))
        pairs = self._pairs
        if isinstance(matcher, SecondStage):
            projects, freelancers = tuple(self._test.projects), tuple(self._test.freelancers)
            score_s, scores = timed(lambda: matcher.record_scores(projects, freelancers))
        else:
            score_s, scores = timed(lambda: matcher.scores(pairs.projects, pairs.freelancers))
        return self._record(model, seed, measure(scores, self._judgments), train_s, score_s)

    def is_of(self, run: MatchingRun, model: MatchingModel, seed: int) -> bool:
        """Return whether a stored run has the same model, seed, data and version."""
        wanted = (model.name, model.setting, seed, self._data_hash, SHARE_TEST, __version__)
        stored = (run.model, run.setting, run.seed, run.data_hash, run.share_test, run.versions.get("jobmatch"))
        return stored == wanted

    @cached_property
    def _pairs(self) -> DocumentPairs:
        return DocumentPairs.of(self._test)

    @cached_property
    def _judgments(self) -> MatchingJudgments:
        truth, pairs = self._test.truth, self._pairs
        coverage = truth.coverage() if truth else None
        return MatchingJudgments.of(pairs.projects, pairs.freelancers, pairs.interactions, coverage)

    def _record(
        self, model: MatchingModel, seed: int, outcome: MatchingOutcome, train_s: float, score_s: float
    ) -> MatchingRun:
        versions = {"jobmatch": __version__, "python": platform.python_version()}
        return MatchingRun(
            model=model.name,
            seed=seed,
            setting=model.setting,
            data_hash=self._data_hash,
            share_test=SHARE_TEST,
            generated=self._generated,
            projects=len(self._pairs.projects),
            freelancers=len(self._pairs.freelancers),
            interactions=self._pairs.interactions.nnz,
            train_s=train_s,
            score_s=score_s,
            versions=versions | {package: version(package) for package in _PACKAGES},
            overall=outcome.overall(),
            languages=tuple(
                LanguageMatching(language, count, figures)
                for language, (count, figures) in outcome.by_language().items()
            ),
        )


def run_experiment(
    experiment: MatchingExperiment,
    models: Sequence[MatchingModel],
    n_seeds: int,
    store: RunStore[MatchingRun],
    *,
    again: bool = False,
    progress: Progress = no_progress,
) -> list[MatchingRun]:
    """Measure each model with each of the seeds 1 to n, and store every run when it is done.

    Args:
        models: models to measure; deterministic ones are measured once.
        store: store of the runs; a run of the same data, setting and version is not repeated.
        again: repeat stored runs, too.

    Raises DataFileError if the stored runs cannot be read.
    """
    plan = [(model, seed) for model in models for seed in range(1, (n_seeds if model.seeded else 1) + 1)]
    stored_runs = store.runs(experiment.name)
    runs = []
    for number, (model, seed) in enumerate(plan):
        stored_run = next((run for run in stored_runs if not again and experiment.is_of(run, model, seed)), None)
        if stored_run is None:
            stored_run = experiment.run(model, seed, progress=_part_of(progress, number, len(plan)))
            store.add(experiment.name, stored_run)
        runs.append(stored_run)
        progress((number + 1) * _PARTS, len(plan) * _PARTS)
    return runs


def _part_of(progress: Progress, number: int, total: int) -> Progress:
    return lambda done, of: progress(number * _PARTS + _PARTS * done // max(of, 1), total * _PARTS)
