"""Places by name or in degrees, and matches by place."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.cities import all_cities, city_of
from jobmatch_core.retrieval.matches import Match

_NAMES_ACROSS = 12  # so many names fit beside each other on a map
_DIGITS = 2  # of a degree: places a kilometre apart are drawn as one


@dataclass(frozen=True, slots=True)
class PlaceMatches:
    """The matches at one place, best first, and its name."""

    name: str
    place: Place
    matches: tuple[Match, ...]


@cache
def named_places() -> dict[str, Place]:
    """Return larger cities of Europe by their English names, in alphabetical order."""
    return {city.name: city.place for city in sorted(all_cities(), key=lambda city: city.name)}


def read_place(text: str) -> Place:
    """Return the place of a city's name, or of a latitude and a longitude with a comma between.

    Raises:
        MatchingError: it is neither.
    """
    known = {name.casefold(): city.place for city in all_cities() for name in (city.name, *city.other_names)}
    if (place := known.get(text.strip().casefold())) is not None:
        return place
    try:
        latitude, longitude = (float(number) for number in text.split(","))
    except ValueError as error:
        raise MatchingError(
            f"{text!r} is not a known place; choose a city, or give a latitude and a longitude in degrees, such as "
            "52.52, 13.41."
        ) from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise MatchingError(
            f"{text!r} is not a place: latitudes range from -90 to 90, longitudes from -180 to 180 degrees."
        )
    return Place(latitude, longitude)


def place_name(place: Place) -> str:
    """Return the name of the city that a place is in, or its degrees."""
    city = city_of(place)
    return city.name if city else f"{place.latitude:.2f}, {place.longitude:.2f}"


def matches_by_place(matches: Sequence[Match]) -> list[PlaceMatches]:
    """Put matches together that are at one place, the place of the best first; those without a place are left out."""
    found: dict[tuple[float, float], list[Match]] = {}
    for match in matches:
        if (place := match.freelancer.place) is not None:
            found.setdefault((round(place.latitude, _DIGITS), round(place.longitude, _DIGITS)), []).append(match)
    return [PlaceMatches(place_name(Place(*key)), Place(*key), tuple(group)) for key, group in found.items()]


def places_to_name(places: Sequence[PlaceMatches]) -> set[str]:
    """Return the names that fit on a map of places, at least one: most matches first, none near another.

    Args:
        places: result of `matches_by_place`.
    """
    latitudes, longitudes = ([getattr(each.place, axis) for each in places] for axis in ("latitude", "longitude"))
    corners = [Place(bound(latitudes), bound(longitudes)) for bound in (min, max)]
    apart = distance_km(*corners) / _NAMES_ACROSS
    named: list[PlaceMatches] = []
    for place in sorted(places, key=lambda each: -len(each.matches)):
        if all(distance_km(place.place, other.place) >= apart for other in named):
            named.append(place)
    return {place.name for place in named}
