"""Who comes first: by must-haves, then score; and who is left out."""

import pytest

from jobmatch_core.retrieval.match_order import Arrangement, MatchOrder, arranged
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
