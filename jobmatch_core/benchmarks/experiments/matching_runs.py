"""Stored runs of the matching experiment: `MARKETPLACE.json`, one record per model and seed."""

from dataclasses import dataclass

from jobmatch_core.benchmarks.experiments.run_store import RunStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import MatchingFigures

TASK = "matching"
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again


@dataclass(frozen=True, slots=True)
class LanguageFigures:
    """The figures of the projects of one language: a row of table 2."""

    language: str
    projects: int
    figures: MatchingFigures


@dataclass(frozen=True, slots=True)
class MatchingRun:
    """One model, trained with one seed and measured on the test projects.

    Attributes:
        model: its name.
        seed: seed of its training; 1 if nothing of it is random.
        setting: all else that determines it, such as the encoder and the recipe.
        data_hash: SHA-256 of the marketplace.
        share_test: share of the latest projects that are tested on.
        generated: true for a synthetic marketplace.
        projects, freelancers, interactions: numbers of the test set.
        train_s, score_s: seconds of training, and of encoding and scoring all pairs.
        versions: versions of jobmatch and its numerical packages.
        overall: the figures over all test projects: a row of table 1.
        languages: the same by the language of the project.
    """

    model: str
    seed: int
    setting: str
    data_hash: str
    share_test: float
    generated: bool
    projects: int
    freelancers: int
    interactions: int
    train_s: float
    score_s: float
    versions: dict[str, str]
    overall: MatchingFigures
    languages: tuple[LanguageFigures, ...]

    def repeats(self, other: "MatchingRun") -> bool:
        """Return whether both have the same model, seed, setting and data, so that the later replaces the earlier."""
        keys = ("model", "seed", "setting", "data_hash", "share_test")
        return all(getattr(self, key) == getattr(other, key) for key in keys)


def matching_runs(settings: Settings | None = None) -> RunStore[MatchingRun]:
    """Return the runs of each marketplace stored under `JOBMATCH_HOME`."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, MatchingRun, FORMAT)
