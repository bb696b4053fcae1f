"""Figures of a training: losses per epoch, label counts by use, and progress callbacks."""

from collections.abc import Callable
from dataclasses import dataclass

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.judgment_origin import Origin, origin_words

Stage = Callable[[str], None]
Losses = Callable[[int, float], None]  # (step, loss)


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """One training epoch."""

    loss: float  # mean loss of its training batches
    validation_loss: float | None  # loss on the held-out projects after the epoch; None without held-out projects
    seconds: float  # duration of training and validation


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Number of labels per use; no project or title is in two of them."""

    snapshot: str
    sha256: str  # digest of its judgments
    trained: int  # labels used for training
    held_out: int  # labels of held-out projects or titles
    later: int  # labels of projects created after all training projects
    left_out: int  # unusable labels: of another marketplace or taxonomy, or of an item that no longer exists
    looked_at: int = 0  # usable labels given pair by pair; only these are held out
    bulk: int = 0  # usable labels given in bulk, such as for all sure links at once
    bulk_used: bool = False  # whether the bulk labels were trained on

    @property
    def total(self) -> int:
        """Number of all labels of the snapshot for this kind of training."""
        return self.trained + self.held_out + self.later + self.left_out

    @property
    def origins(self) -> str:
        """The counts by origin in words, with the use of bulk labels; '' in older reports."""
        if not self.looked_at + self.bulk:
            return ""
        used = "" if not self.bulk else ", trained on" if self.bulk_used else ", left out"
        return origin_words({Origin.LOOKED_AT: self.looked_at, Origin.BULK: self.bulk}) + used


def no_stage(name: str) -> None:
    """Ignore the name of a stage."""


def no_losses(step: int, loss: float) -> None:
    """Ignore a loss."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Callbacks of a training."""

    stage: Stage = no_stage  # called with the name of the next stage
    progress: Progress = no_progress  # called with the stage's steps done and in total
    losses: Losses = no_losses  # called with the step, from 1, and its loss
