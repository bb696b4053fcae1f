"""Places by name and in degrees, their distances, and who is where."""

from dataclasses import replace

import pytest

from jobmatch_core.entities import Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.matches import Match
from jobmatch_core.retrieval.places import (
    PlaceMatches,
    matches_by_place,
    named_places,
    place_name,
    places_to_name,
    read_place,
)
from tests.made_marketplace import freelancers

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
