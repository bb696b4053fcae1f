"""What one model puts higher than another."""

from jobmatch_core.retrieval.matches import Match
from jobmatch_core.retrieval.rank_moves import moves, shared_among_first
from tests.made_marketplace import freelancers

PEOPLE = freelancers()


def ranking(*rows: int) -> list[Match]:
    """Return matches of the freelancers of those rows."""
    return [Match(PEOPLE[row], 1 / rank, rank, ()) for rank, row in enumerate(rows, 1)]


def test_up_down_and_new() -> None:
    """First a b c d, then c a d e: c rises by two, a and d fall or rise by one, e is new."""
    first, second = ranking(0, 1, 2, 3), ranking(2, 0, 3, 4)
    assert [move.up for move in moves(second, first)] == [2, -1, 1, None]
    assert [move.other_rank for move in moves(first, second)] == [2, None, 1, 3]
    assert moves(first, first)[2].up == 0
    assert moves([], first) == []


def test_how_many_are_shared() -> None:
    """Among the first two one is shared, among four three."""
    first, second = ranking(0, 1, 2, 3), ranking(2, 0, 3, 4)
    assert shared_among_first(first, second, 2) == 1
    assert shared_among_first(first, second, 4) == 3
    assert shared_among_first(first, [], 4) == 0
