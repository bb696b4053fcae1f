"""Figures of a training: losses of its epochs, and numbers of labels by use."""

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


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Number of labels for each use; no project or title is in two of them.

    Attributes:
        snapshot: the snapshot's name.
        sha256: digest of its judgments.
        trained: labels used for training.
        held_out: labels of held-out projects or titles.
        later: labels of projects created after all training projects.
        left_out: labels of the right kind of pair that cannot be used: of another marketplace or taxonomy, or of a
            project, freelancer or occupation that no longer exists.
    """

    snapshot: str
    sha256: str
    trained: int
    held_out: int
    later: int
    left_out: int
