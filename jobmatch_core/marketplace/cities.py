"""Larger cities of Europe with their names in several languages and positions, from `cities.csv`."""

import csv
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Place

_NEAR_KM = 15.0  # a place within this distance of a city's centre is in the city
_PLACES = 1 << 16  # cached places


@dataclass(frozen=True, slots=True)
class City:
    """A city with its English name, ISO 3166 country code, centre, and codes of its working languages."""

    name: str
    country: str
    place: Place
    languages: frozenset[str]
    other_names: tuple[str, ...] = ()


@cache
def all_cities() -> tuple[City, ...]:
    """Read `cities.csv`."""
    lines = (files("jobmatch_core.marketplace") / "cities.csv").read_text("utf-8").splitlines()
    return tuple(
        City(
            name=row["city"],
            country=row["country"],
            place=Place(float(row["latitude"]), float(row["longitude"])),
            languages=frozenset(row["languages"].split()),
            other_names=tuple(filter(None, row["other_names"].split("|"))),
        )
        for row in csv.DictReader(lines)
    )


@lru_cache(_PLACES)
def city_of(place: Place) -> City | None:
    """Return the city that contains a place, or None."""
    near = min(all_cities(), key=lambda city: distance_km(place, city.place))
    return near if distance_km(place, near.place) <= _NEAR_KM else None
