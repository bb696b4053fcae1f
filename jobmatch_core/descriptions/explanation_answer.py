"""An explanation's sentences as JSON: the stable types of the command line's and the API's answers."""

from typing import TYPE_CHECKING

from msgspec import Struct

from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.blocks import SegmentKind
from jobmatch_core.descriptions.segments import SentenceRole

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_DIGITS = 6  # of weights and shifts


class Sentence(Struct, frozen=True):
    """A sentence of a posting, with its weight and the effect of leaving it out."""

    start: int
    end: int
    text: str
    form: SegmentKind
    role: SentenceRole
    weight: float | None
    shift: float | None
    occupations_changed: int | None


def answered_sentences(explanation: "Explanation", view: AttentionView) -> tuple[Sentence, ...]:
    """Return the sentences as they stand in an answer; null where a figure is missing."""
    weights, shifts, changed = explanation.weights(view), explanation.shifts, explanation.changed
    return tuple(
        Sentence(
            start=segment.start,
            end=segment.end,
            text=segment.content,
            form=segment.kind,
            role=role,
            weight=None if weights is None else round(float(weights[place]), _DIGITS),
            shift=None if shifts is None else round(float(shifts[place]), _DIGITS),
            occupations_changed=None if changed is None else int(changed[place]),
        )
        for place, (segment, role) in enumerate(zip(explanation.description.segments, explanation.roles, strict=True))
    )
