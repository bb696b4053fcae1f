"""The losses of one epoch of a training."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """An epoch.

    Attributes:
        loss: the mean of its batches while they were trained on.
        validation_loss: of the projects left out, after it; None where there are none.
        seconds: of both.
    """

    loss: float
    validation_loss: float | None
    seconds: float
