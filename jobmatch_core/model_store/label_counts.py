"""What a training made of a snapshot's labels."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many labels went where; projects and titles are never on two sides.

    Attributes:
        snapshot: its name.
        sha256: of its judgments.
        trained: labels that were learned from.
        held_out: labels of projects, or titles, that were put aside.
        later: labels of projects that came later than all that is trained on.
        left_out: labels of the kind of pair that cannot be used: of another marketplace or taxonomy, or of a project,
            freelancer or occupation that is gone.
    """

    snapshot: str
    sha256: str
    trained: int
    held_out: int
    later: int
    left_out: int
