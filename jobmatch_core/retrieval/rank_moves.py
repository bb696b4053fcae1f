"""Differences between the rankings of two models."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.retrieval.matches import Match


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
