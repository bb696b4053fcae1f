"""Order of the displayed matches, and the choice of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from jobmatch_core.retrieval.matches import Match


class MatchOrder(StrEnum):
    """Sort key of matches."""

    MUST_HAVES = "must-haves"  # fewest missing mandatory skills first; ties by similarity
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Order and choice of the displayed matches.

    Attributes:
        order: sort key.
        complete: leave out freelancers who lack a mandatory skill.
    """

    order: MatchOrder = MatchOrder.MUST_HAVES
    complete: bool = False


def arranged(matches: Iterable[Match], arrangement: Arrangement, limit: int) -> list[Match]:
    """Return the first matches of an arrangement, with their ranks in it.

    Args:
        matches: matches, the best score first.
        arrangement: order and choice.
        limit: maximum number of matches.
    """
    chosen = [match for match in matches if not (arrangement.complete and match.missing_must_haves)]
    if arrangement.order is MatchOrder.MUST_HAVES:
        chosen.sort(key=lambda match: match.missing_must_haves)  # stable: the best score stays first
    return [replace(match, rank=rank) for rank, match in enumerate(chosen[:limit], 1)]
