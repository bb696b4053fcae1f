"""Who comes first: by must-haves, then score; who is left out; and what one model puts higher."""

import pytest

from jobmatch_core.retrieval.match_order import Arrangement, MatchOrder, arranged, moves, shared_among_first
from jobmatch_core.retrieval.matches import Match, SkillMatch
from tests.made_marketplace import freelancers

PEOPLE = freelancers()


def match(rank: int, must: str, nice: str = "") -> Match:
    """Return a match whose skills are letters: + is there, - is missing."""
    letters = [(letter, True) for letter in must] + [(letter, False) for letter in nice]
    skills = tuple(
        SkillMatch(str(number), "wanted", "offered" if letter == "+" else "", mandatory)
        for number, (letter, mandatory) in enumerate(letters)
    )
    return Match(PEOPLE[rank], 1 / rank, rank, skills)


FOUND = [match(1, "--", "+"), match(2, "+-"), match(3, "++"), match(4, "--"), match(5, "++", "--")]


def places(order: MatchOrder, *, complete: bool = False, limit: int = 9) -> list[int]:
    """Return the places by score of what is shown."""
    shown = arranged(FOUND, Arrangement(order, complete), limit)
    assert [each.rank for each in shown] == [*range(1, len(shown) + 1)]
    return [round(1 / each.score) for each in shown]


@pytest.mark.parametrize(
    ("order", "complete", "expected"),
    [
        (MatchOrder.MUST_HAVES, False, [3, 5, 2, 1, 4]),
        (MatchOrder.SCORE, False, [1, 2, 3, 4, 5]),
        (MatchOrder.MUST_HAVES, True, [3, 5]),
        (MatchOrder.SCORE, True, [3, 5]),
    ],
)
def test_the_order(order: MatchOrder, complete: bool, expected: list[int]) -> None:
    """Nice-to-haves do not count."""
    assert places(order, complete=complete) == expected
    assert places(order, complete=complete, limit=2) == expected[:2]


def test_a_project_without_must_haves() -> None:
    """Lacks nothing: the score alone counts, and everybody has all of them."""
    found = [match(1, "", "-"), match(2, "", "+")]
    assert arranged(found, Arrangement(complete=True), 9) == found


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
