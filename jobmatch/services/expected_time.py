"""Estimates of the duration of a training."""

from collections.abc import Iterable
from datetime import datetime

from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.towers.tower_recipe import TowerRecipe

_SECONDS_PER_PROJECT = 0.1  # and epoch, over the title encoder's word vectors on two cores: docs/experiments.md
_OTHER_SECONDS = 20.0  # for reading projects and freelancers, and for the comparison


def earlier_seconds(runs: Iterable[Run], kind: str, recipe: str, source: str) -> float | None:
    """Return the seconds of the latest finished training of the same kind, recipe and source; None without one.

    Args:
        runs: all trainings, the latest first.
        kind: kind of model.
        recipe: name of the recipe.
        source: name of the marketplace, or of the taxonomy.
    """
    for run in runs:
        if run.status.state == RunState.DONE and (run.asked.kind, run.asked.recipe, run.asked.source) == (
            kind, recipe, source,
        ):  # fmt: skip
            took = datetime.fromisoformat(run.status.updated) - datetime.fromisoformat(run.status.started)
            return took.total_seconds()
    return None


def tower_seconds(recipe: TowerRecipe, projects: int) -> float | None:
    """Return the estimated seconds of a tower training by its size; None for a backbone of unknown speed.

    Args:
        recipe: recipe with the number of epochs.
        projects: number of projects of the marketplace.
    """
    if recipe.backbone != TITLES:
        return None
    trained = projects * (1 - recipe.share_test)
    return _OTHER_SECONDS + _SECONDS_PER_PROJECT * recipe.training.epochs * trained
