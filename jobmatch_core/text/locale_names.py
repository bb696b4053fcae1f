"""Names of countries and languages in many languages, from Unicode's CLDR."""

from collections.abc import Iterable
from functools import cache

from babel import Locale

from jobmatch_core.text.countries import COUNTRY_NAMES
from jobmatch_core.text.languages import LANGUAGE_NAMES


@cache
def country_names(code: str) -> tuple[str, ...]:
    """Return the names of a country (ISO 3166 code) in all languages that names may be in; none of an unknown one."""
    known = code.upper() in COUNTRY_NAMES
    return _distinct(locale.territories.get(code.upper()) for locale in _locales()) if known else ()


@cache
def language_names(code: str) -> tuple[str, ...]:
    """Return the names of a language (ISO 639-1 code) in all languages that names may be in; none of an unknown one."""
    return _distinct(locale.languages.get(code) for locale in _locales())


@cache
def _locales() -> tuple[Locale, ...]:
    return tuple(map(Locale, LANGUAGE_NAMES))


def _distinct(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
