"""Roughly how long a training will take, before it starts."""

from collections.abc import Iterable
from datetime import datetime

from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run
from jobmatch_core.encoders.loading import TITLES
from jobmatch_core.towers.tower_recipe import TowerRecipe

_SECONDS_PER_PROJECT = 0.1  # and epoch, over the title encoder's word vectors on two cores: docs/experiments.md
_OTHER_SECONDS = 20.0  # for reading projects and freelancers, and for the comparison


def earlier_seconds(runs: Iterable[Run], kind: str, recipe: str, source: str) -> float | None:
    """Return how long the latest finished training of the same kind, recipe and source took; None where there is none.

    Args:
        runs: all trainings, the latest first.
        kind: of model.
        recipe: its name.
        source: the marketplace, or the taxonomy.
    """
    for run in runs:
        if run.status.state == RunState.DONE and (run.asked.kind, run.asked.recipe, run.asked.source) == (
            kind, recipe, source,
        ):  # fmt: skip
            took = datetime.fromisoformat(run.status.updated) - datetime.fromisoformat(run.status.started)
            return took.total_seconds()
    return None


def tower_seconds(recipe: TowerRecipe, projects: int) -> float | None:
    """Return how long a training of towers takes by its size; None for a backbone whose speed is not known.

    Args:
        recipe: with the number of epochs.
        projects: how many the marketplace has.
    """
    if recipe.backbone != TITLES:
        return None
    trained = projects * (1 - recipe.share_test)
    return _OTHER_SECONDS + _SECONDS_PER_PROJECT * recipe.training.epochs * trained
