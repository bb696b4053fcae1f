"""Languages, day rates and cities of freelancers: `market.toml`, and the cities of each language."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.marketplace.cities import City, all_cities

_ELSEWHERE = 0.7  # cost factor of a country that market.toml does not name


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


def _by_longest_prefix(table: dict[str, float], code: str) -> float:
    found = (table[code[:digits]] for digits in range(len(code), 0, -1) if code[:digits] in table)
    return next(found, 0.0)
