"""What a query wishes for: the country of a city, and people of a country or with a profile in a language."""

import pytest

from jobmatch_core.search.wishes import wish_factors, with_countries
from jobmatch_core.vector_stores.stored_segment import PayloadColumns
from jobmatch_core.vector_stores.vector_store import Payload

# a German in Germany, a German in France, a Frenchwoman in France, and somebody of whom nothing is known
PEOPLE = PayloadColumns.of(
    [
        Payload(language=language, country=country)
        for language, country in (("de", "DE"), ("de", "FR"), ("fr", "FR"), ("", ""))
    ]
)


@pytest.mark.parametrize(
    ("query", "read"),
    [
        ("WordPress London", "WordPress London United Kingdom"),
        ("Hydraulik Köln, Rom", "Hydraulik Köln, Rom Germany Italy"),
        ("Berlin Monaco di Baviera", "Berlin Monaco di Baviera Germany"),
        ("Baviera di Monaco", "Baviera di Monaco"),
        ("", ""),
    ],
)
def test_the_country_of_a_city_is_read_too(query: str, read: str) -> None:
    """Any name of a city counts, also of several words, and each country once."""
    assert with_countries(query) == read


@pytest.mark.parametrize(
    ("query", "factors"),
    [
        ("logo designer", [1, 1, 1, 1]),
        ("logo designer Köln", [1, 0.5, 0.5, 0.5]),
        ("logo designer France", [0.5, 1, 1, 0.5]),
        ("traducteur allemand", [1, 1, 0.5, 0.5]),
        ("Deutsch Paris", [0.5, 1, 0.5, 0.25]),
        ("Köln oder Paris", [1, 1, 1, 0.5]),
        ("designer Madrid español", [1, 1, 1, 1]),
        ("法语", [0.5, 0.5, 1, 0.5]),
        ("ir dan", [1, 1, 1, 1]),
        ("swimming pools, swim fins, roman editor, bale press", [1, 1, 1, 1]),
        ("", [1, 1, 1, 1]),
    ],
)
def test_who_does_not_meet_a_wish_counts_half(query: str, factors: list[float]) -> None:
    """Once for the countries and once for the languages; what nobody meets changes nothing."""
    assert wish_factors(query, PEOPLE).tolist() == factors


def test_a_country_is_no_language() -> None:
    """`Poland` is also the name of Polish in some language; short names of countries count as well."""
    people = PayloadColumns.of(
        [
            Payload(language=language, country=country)
            for language, country in (("en", "PL"), ("pl", "DE"), ("pl", "GB"))
        ]
    )
    assert wish_factors("designer Poland", people).tolist() == [1, 0.5, 0.5]
    assert wish_factors("designer UK", people).tolist() == [0.5, 0.5, 1]
    assert wish_factors("Polish designer", people).tolist() == [0.5, 1, 1]


def test_nobody() -> None:
    """An empty marketplace has no factors."""
    assert wish_factors("Köln", PayloadColumns.of([])).tolist() == []
