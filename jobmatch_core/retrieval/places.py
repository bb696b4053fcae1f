"""Places by name or in degrees, distances between them, and matches by place."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jobmatch_core.entities import Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.demo.market import all_cities
from jobmatch_core.retrieval.matches import Match
from jobmatch_core.vector_stores.vector_store import EARTH_RADIUS_KM

_NEAR_KM = 15.0  # a place within this distance of a city's centre has its name
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
    known = {name.casefold(): place for name, place in named_places().items()}
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
    near = min(named_places().items(), key=lambda item: distance_km(place, item[1]))
    if distance_km(place, near[1]) <= _NEAR_KM:
        return near[0]
    return f"{place.latitude:.2f}, {place.longitude:.2f}"


def distance_km(here: Place, there: Place) -> float:
    """Return the distance along the earth's surface, by the haversine formula."""
    latitudes = math.radians(here.latitude), math.radians(there.latitude)
    chord = (
        math.sin((latitudes[0] - latitudes[1]) / 2) ** 2
        + math.cos(latitudes[0])
        * math.cos(latitudes[1])
        * math.sin(math.radians(here.longitude - there.longitude) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(chord, 1.0)))


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
