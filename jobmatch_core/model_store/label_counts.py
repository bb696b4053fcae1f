"""Counts of a snapshot's labels by their use in a training."""

from dataclasses import dataclass


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
