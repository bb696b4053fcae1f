"""Locations and day rates of freelancers: `cities.csv` and `market.toml`."""

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.entities import Place

_ELSEWHERE = 0.7  # cost factor of a country that market.toml does not name


@dataclass(frozen=True, slots=True)
class City:
    """A city, its country (ISO 3166) and its working languages."""

    name: str
    country: str
    place: Place
    languages: frozenset[str]


@dataclass(frozen=True, slots=True)
class Market:
    """Tables by language, country and the first digits of an ISCO-08 code."""

    language_shares: dict[str, float]
    popularity: dict[str, float]
    day_rates: dict[str, float]
    country_costs: dict[str, float]

    def language_share(self, language: str) -> float:
        """Return the relative frequency of profiles in a language; the sum is not fixed."""
        return self.language_shares.get(language, min(self.language_shares.values()))

    def popularity_of(self, code: str) -> float:
        """Return the relative frequency of freelancers in a unit group; the sum is not fixed."""
        return _by_longest_prefix(self.popularity, code)

    def day_rate(self, code: str, country: str) -> float:
        """Return the usual day rate in euro in a unit group and a country."""
        return _by_longest_prefix(self.day_rates, code) * self.country_costs.get(country, _ELSEWHERE)


@cache
def load_market() -> Market:
    """Read `market.toml`."""
    tables = tomllib.loads((files("jobmatch_core.marketplace.demo") / "market.toml").read_text("utf-8"))
    return Market(tables["language_shares"], tables["popularity"], tables["day_rate"], tables["country"])


@cache
def cities_of(language: str) -> tuple[City, ...]:
    """Return the cities with a working language; all of them for a language of none."""
    return tuple(city for city in all_cities() if language in city.languages) or all_cities()


@cache
def all_cities() -> tuple[City, ...]:
    """Read `cities.csv`."""
    lines = (files("jobmatch_core.marketplace.demo") / "cities.csv").read_text("utf-8").splitlines()
    return tuple(
        City(
            name=row["city"],
            country=row["country"],
            place=Place(float(row["latitude"]), float(row["longitude"])),
            languages=frozenset(row["languages"].split()),
        )
        for row in csv.DictReader(lines)
    )


def _by_longest_prefix(table: dict[str, float], code: str) -> float:
    found = (table[code[:digits]] for digits in range(len(code), 0, -1) if code[:digits] in table)
    return next(found, 0.0)
