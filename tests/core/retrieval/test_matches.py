"""Who comes first: by must-haves, then score; who is left out; and what one model puts higher.

Places by name and in degrees, their distances, and who is where.
"""

from dataclasses import replace

import pytest

from jobmatch_core.entities import Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.matches import (
    Arrangement,
    Match,
    MatchOrder,
    PlaceMatches,
    SkillMatch,
    arranged,
    matches_by_place,
    moves,
    named_places,
    place_name,
    places_to_name,
    read_place,
    shared_among_first,
)
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
        (MatchOrder.FIT, False, [1, 2, 3, 4, 5]),
        (MatchOrder.MUST_HAVES, True, [3, 5]),
        (MatchOrder.SCORE, True, [3, 5]),
    ],
)
def test_the_order(order: MatchOrder, complete: bool, expected: list[int]) -> None:
    """Nice-to-haves do not count."""
    assert places(order, complete=complete) == expected
    assert places(order, complete=complete, limit=2) == expected[:2]


def test_matches_come_by_fit_and_can_be_put_by_similarity() -> None:
    """The order of the second stage stays, unless the similarity is asked for."""
    found = [match(3, ""), match(1, ""), match(2, "")]
    assert arranged(found, Arrangement(MatchOrder.FIT), 9) == [replace(one, rank=n) for n, one in enumerate(found, 1)]
    assert [round(1 / one.score) for one in arranged(found, Arrangement(MatchOrder.SCORE), 9)] == [1, 2, 3]


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


BERLIN, POTSDAM, MILAN = Place(52.52, 13.405), Place(52.39, 13.06), Place(45.464, 9.19)


def test_a_place_by_name_or_in_degrees() -> None:
    """In any language, whatever the case of the name."""
    assert read_place(" berlin ") == read_place("Berlino") == BERLIN == named_places()["Berlin"]
    assert read_place("52.5, 13.4") == Place(52.5, 13.4)
    assert list(named_places()) == sorted(named_places())


@pytest.mark.parametrize("text", ["", "Atlantis", "52.5", "1, 2, 3", "91, 0", "0, 181", "nan, 0", "<b>, x"])
def test_what_is_no_place(text: str) -> None:
    """The error says what is one."""
    with pytest.raises(MatchingError, match=r"is not a (known )?place"):
        read_place(text)


def test_names_of_places() -> None:
    """A city's where it is near, else degrees."""
    assert place_name(Place(52.50, 13.45)) == "Berlin"
    assert place_name(Place(0.0, -30.0)) == "0.00, -30.00"


def matches(*places: Place | None) -> list[Match]:
    """Return a match a place."""
    people = freelancers()
    return [Match(replace(people[row], place=place), 0.5, row + 1, ()) for row, place in enumerate(places)]


def test_matches_are_put_together() -> None:
    """Two in Berlin, a kilometre apart at most, one in Milan, one nowhere."""
    found = matches_by_place(matches(MILAN, BERLIN, None, Place(52.5204, 13.4049)))
    assert [(each.name, [match.rank for match in each.matches]) for each in found] == [
        ("Milan", [1]),
        ("Berlin", [2, 4]),
    ]
    assert matches_by_place(matches(None)) == []


def test_names_that_are_written() -> None:
    """Potsdam is too near to Berlin, where more are."""
    [match] = matches(BERLIN)
    places = [
        PlaceMatches("Potsdam", POTSDAM, (match,)),
        PlaceMatches("Berlin", BERLIN, (match, match)),
        PlaceMatches("Milan", MILAN, (match,)),
    ]
    assert places_to_name(places) == {"Berlin", "Milan"}
