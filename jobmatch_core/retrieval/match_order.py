"""Order of matches: the displayed one, with the choice of them, and that of two models beside each other."""

from collections.abc import Iterable, Sequence
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


@dataclass(frozen=True, slots=True)
class Move:
    """A match of one model beside the other model's ranking.

    Attributes:
        match: match of the one model.
        other_rank: rank of the same freelancer by the other model; None if it is not among those compared.
    """

    match: Match
    other_rank: int | None

    @property
    def up(self) -> int | None:
        """Number of ranks gained against the other model; negative if lower."""
        return None if self.other_rank is None else self.other_rank - self.match.rank


def moves(matches: Sequence[Match], others: Sequence[Match]) -> list[Move]:
    """Return a model's matches, each with its rank among another's for the same project."""
    ranks = {each.freelancer.id: each.rank for each in others}
    return [Move(match, ranks.get(match.freelancer.id)) for match in matches]


def shared_among_first(matches: Sequence[Match], others: Sequence[Match], first: int) -> int:
    """Return the number of freelancers among the first *first* of both."""
    one, other = ({each.freelancer.id for each in ranking[:first]} for ranking in (matches, others))
    return len(one & other)
