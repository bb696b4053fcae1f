"""Tables 1 and 2 of Jouanneau et al. (2024): means over each model's runs, over all projects and by language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.benchmarks.experiments.matching_runs import MatchingRun
from jobmatch_core.towers.matching_metrics import FIGURES, MatchingFigures


@dataclass(frozen=True, slots=True)
class MatchingRow:
    """A model's figures over its seeds.

    Attributes:
        model: its name.
        language: language code of the projects; '' for all of them.
        projects: number of projects.
        seeds: number of runs.
        mean: over the runs.
        deviation: standard deviation of the runs (n - 1); None for a single run.
        train_s: mean seconds of training.
    """

    model: str
    language: str
    projects: int
    seeds: int
    mean: MatchingFigures
    deviation: MatchingFigures
    train_s: float


def rows_of(runs: Sequence[MatchingRun]) -> list[MatchingRow]:
    """Return a row a model, in the order of their first runs: table 1."""
    return [
        _row(model, "", own, [(run.projects, run.overall) for run in own]) for model, own in _by_model(runs).items()
    ]


def language_rows(runs: Sequence[MatchingRun]) -> list[MatchingRow]:
    """Return a row a model and language of the projects: table 2."""
    rows = []
    for model, own in _by_model(runs).items():
        for language in dict.fromkeys(each.language for run in own for each in run.languages):
            parts = [
                (each.projects, each.figures) for run in own for each in run.languages if each.language == language
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
    known = {name: [value for value in each if value is not None] for name, each in values.items()}
    return MatchingRow(
        model=model,
        language=language,
        projects=parts[0][0],
        seeds=len(parts),
        mean=MatchingFigures(**{name: float(np.mean(each)) if each else None for name, each in known.items()}),
        deviation=MatchingFigures(
            **{name: float(np.std(each, ddof=1)) if len(each) > 1 else None for name, each in known.items()}
        ),
        train_s=float(np.mean([run.train_s for run in runs])),
    )
