"""Countries and languages that a query names: people elsewhere, or with another language, have half the score.

A city stands for its country. Whoever is in the city itself comes first by the words of the structured fields.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import COUNTRY_NAMES, country_names, language_names
from jobmatch_core.vector_stores.stored_segment import PayloadColumns

_UNMET = 0.5  # factor of the score for a wish that is not met
_LONGEST_NAME = 3  # words
_FEWEST_LETTERS = 4  # of a Latin name: `ir` and `dan`, names of languages somewhere, are words elsewhere
# longer names that are words elsewhere, as `pools` (Polish in Dutch), and short ones that people type
_OTHER_WORDS = frozenset("bale cork danes fines fins leto lets norra pools roman turku".split())
_SHORT_NAMES = {"US": ("usa",), "GB": ("uk",), "AE": ("uae",)}


def with_countries(query: str) -> str:
    """Return a query with the country of each city in it, so that people in that country rank higher."""
    countries = _countries_of_cities()
    codes = dict.fromkeys(countries[name] for name in _runs(query) if name in countries)
    return " ".join((query, *(COUNTRY_NAMES[code] for code in codes)))


def wish_factors(query: str, people: PayloadColumns) -> NDArray[np.float64]:
    """Return the factor of each person's score by the wishes of a query, (person,); 1 where all are met."""
    named = set(_runs(query))
    factors = np.ones(len(people))
    for field, names_of in (("country", _names_of_country), ("language", _names_of_language)):
        names = [names_of(code) for code in people.vocabularies[field]]
        wanted = np.array([not named.isdisjoint(own) for own in names], dtype=bool)
        if wanted.any():
            factors[~wanted[people.codes[field]]] *= _UNMET
        named = named.difference(*names)  # the name of a country may be that of its language in another language
    return factors


def _runs(query: str) -> list[str]:
    words = fold(query).split()
    ends = range(1, len(words) + 1)
    return [" ".join(words[start:end]) for end in ends for start in range(max(end - _LONGEST_NAME, 0), end)]


@cache
def _countries_of_cities() -> dict[str, str]:
    named = {fold(name): city.country for city in all_cities() for name in (city.name, *city.other_names)}
    return {name: country for name, country in named.items() if name not in _OTHER_WORDS}


@cache
def _names_of_country(code: str) -> frozenset[str]:
    cities = (name for name, country in _countries_of_cities().items() if country == code)
    return _distinctive(country_names(code)).union(cities, _SHORT_NAMES.get(code, ()))


@cache
def _names_of_language(code: str) -> frozenset[str]:
    return _distinctive(language_names(code))


def _distinctive(names: Iterable[str]) -> frozenset[str]:
    folded = map(fold, names)
    long = (name for name in folded if len(name) >= _FEWEST_LETTERS or not name.isascii())
    return frozenset(long) - _OTHER_WORDS
