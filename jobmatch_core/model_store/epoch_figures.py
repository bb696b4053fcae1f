"""The losses of one training epoch."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """One training epoch.

    Attributes:
        loss: mean loss of its training batches.
        validation_loss: loss on the held-out projects after the epoch; None without held-out projects.
        seconds: duration of training and validation.
    """

    loss: float
    validation_loss: float | None
    seconds: float
