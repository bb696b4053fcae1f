"""Tables of a demo marketplace: day rates (`market.toml`), cities, and sentence patterns (`phrases/XX.toml`).

Texts in languages without patterns are lists of names (`names_only.toml`), so that languages are never mixed.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.marketplace.cities import City, all_cities

_ELSEWHERE = 0.7  # cost factor of countries that are not in market.toml
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")

Patterns = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DemoMarket:
    """Tables by language, country, and prefix of an ISCO-08 code."""

    language_shares: dict[str, float]
    popularities: dict[str, float]
    day_rates: dict[str, float]
    country_costs: dict[str, float]

    def language_share(self, language: str) -> float:
        """Return the relative frequency of profiles in a language, not normalised."""
        return self.language_shares.get(language, min(self.language_shares.values()))

    def popularity(self, code: str) -> float:
        """Return the relative frequency of freelancers in a unit group, not normalised."""
        return _by_longest_prefix(self.popularities, code)

    def day_rate(self, code: str, country: str) -> float:
        """Return the usual day rate in euro in a unit group and a country."""
        return _by_longest_prefix(self.day_rates, code) * self.country_costs.get(country, _ELSEWHERE)


@cache
def load_market() -> DemoMarket:
    """Read `market.toml`."""
    tables = tomllib.loads((files("jobmatch_core.marketplace.demo") / "market.toml").read_text("utf-8"))
    return DemoMarket(tables["language_shares"], tables["popularity"], tables["day_rate"], tables["country"])


@cache
def cities_of(language: str) -> tuple[City, ...]:
    """Return the cities with a working language, or all if there is none."""
    return tuple(city for city in all_cities() if language in city.languages) or all_cities()


def _by_longest_prefix(table: dict[str, float], code: str) -> float:
    prefixes = (code[:digits] for digits in range(len(code), 0, -1))
    return next((table[prefix] for prefix in prefixes if prefix in table), 0.0)


@dataclass(frozen=True, slots=True)
class Phrases:
    """A language's sentence patterns; `phrases/en.toml` explains their slots."""

    conjunction: str  # the word for 'and'
    sectors: tuple[str, ...]  # names of economic sectors, in the same order in all languages
    seniority: tuple[str, ...]  # words from junior to lead
    # freelancer, project: patterns by kind of sentence
    freelancer: Patterns
    project: Patterns

    def listed(self, names: list[str]) -> str:
        """Join names as in a sentence."""
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self.conjunction} {names[-1]}"


@cache
def load_phrases(language: str) -> Phrases:
    """Read a language's patterns, or those of `names_only.toml` if it has none."""
    name = language if language in LANGUAGES else "names_only"
    path = files("jobmatch_core.marketplace.demo") / "phrases" / f"{name}.toml"
    tables = tomllib.loads(path.read_text("utf-8"))
    freelancer, project = (
        {kind: tuple(patterns) for kind, patterns in tables[noun].items()} for noun in ("freelancer", "project")
    )
    return Phrases(tables["and"], tuple(tables["sectors"]), tuple(tables["seniority"]), freelancer, project)
