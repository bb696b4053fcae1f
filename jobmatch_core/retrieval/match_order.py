"""In which order matches are shown, and which of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from jobmatch_core.retrieval.matches import Match


class MatchOrder(StrEnum):
    """What comes first."""

    MUST_HAVES = "must-haves"  # who lacks the fewest skills that must be there; of these the most similar
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How matches are shown.

    Attributes:
        order: what comes first.
        complete: whether those who lack a skill that must be there are left out.
    """

    order: MatchOrder = MatchOrder.MUST_HAVES
    complete: bool = False


def arranged(matches: Iterable[Match], arrangement: Arrangement, limit: int) -> list[Match]:
    """Return the first matches of an arrangement, with their ranks in it.

    Args:
        matches: the best score first.
        arrangement: the order, and who is left out.
        limit: how many at most.
    """
    chosen = [match for match in matches if not (arrangement.complete and match.missing_must_haves)]
    if arrangement.order is MatchOrder.MUST_HAVES:
        chosen.sort(key=lambda match: match.missing_must_haves)  # stable: the best score stays first
    return [replace(match, rank=rank) for rank, match in enumerate(chosen[:limit], 1)]
