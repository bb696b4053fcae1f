"""Who is told how a training gets on."""

from collections.abc import Callable
from dataclasses import dataclass

from jobmatch_core.entities import Progress, no_progress

Stage = Callable[[str], None]
Losses = Callable[[int, float], None]  # (step, loss)


def no_stage(name: str) -> None:
    """Tell nobody what begins."""


def no_losses(step: int, loss: float) -> None:
    """Tell nobody of a loss."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks.

    Attributes:
        stage: called with what is done next, in words.
        progress: called with what of a stage is done, and all of it.
        losses: called with each step, from 1, and its loss.
    """

    stage: Stage = no_stage
    progress: Progress = no_progress
    losses: Losses = no_losses
