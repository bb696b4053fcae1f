"""The losses of one training epoch."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """One training epoch.

    Attributes:
        loss: Mean loss of its training batches.
        validation_loss: Loss on the held-out projects after the epoch; None without held-out projects.
        seconds: Duration of training and validation.
    """

    loss: float
    validation_loss: float | None
    seconds: float
