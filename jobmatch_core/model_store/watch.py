"""Callbacks that report a training's stage, progress and losses."""

from collections.abc import Callable
from dataclasses import dataclass

from jobmatch_core.entities import Progress, no_progress

Stage = Callable[[str], None]
Losses = Callable[[int, float], None]  # (step, loss)


def no_stage(name: str) -> None:
    """Ignore the name of a stage."""


def no_losses(step: int, loss: float) -> None:
    """Ignore a loss."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks.

    Attributes:
        stage: called with the name of the next stage.
        progress: called with steps done and steps in total of a stage.
        losses: called with the step, from 1, and its loss.
    """

    stage: Stage = no_stage
    progress: Progress = no_progress
    losses: Losses = no_losses
