"""The table of cities is plausible; places near a city are in it."""

from itertools import combinations

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Place
from jobmatch_core.marketplace.cities import all_cities, city_of
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import LANGUAGE_NAMES


def test_cities() -> None:
    """About sixty in Europe, without duplicates, with valid countries and languages."""
    everywhere = all_cities()
    assert len(everywhere) >= 60
    assert len({city.name for city in everywhere}) == len(everywhere)
    for city in everywhere:
        assert 34 < city.place.latitude < 65
        assert -25 < city.place.longitude < 35
        assert len(city.country) == 2
        assert city.country.isupper()
        assert city.languages <= LANGUAGE_NAMES.keys()
        assert city.languages


def test_no_name_is_two_cities() -> None:
    """In no language; a city's English name is not among its other names."""
    names = [{fold(name) for name in (city.name, *city.other_names)} for city in all_cities()]
    assert all(one.isdisjoint(other) for one, other in combinations(names, 2))
    assert all(len(folded) == 1 + len(city.other_names) for folded, city in zip(names, all_cities(), strict=True))


def test_the_city_of_a_place() -> None:
    """Within 15 km of the centre; of two, the nearest."""
    munich = city_of(Place(48.20, 11.60))
    assert munich is not None
    assert (munich.name, "München" in munich.other_names) == ("Munich", True)
    assert distance_km(Place(48.20, 11.60), munich.place) < 15
    assert city_of(Place(0.0, -30.0)) is None
