"""Pay, and the cities of each language."""

import pytest

from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.marketplace.demo.market import cities_of, load_market
from jobmatch_core.marketplace.demo.phrases import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_cities(language: str) -> None:
    """Several, and only where it is worked in."""
    assert len(cities_of(language)) >= 3
    assert all(language in city.languages for city in cities_of(language))


@pytest.mark.parametrize("language", ["ja", ""])
def test_a_language_without_a_city_has_them_all(language: str) -> None:
    """Somebody who writes in it lives in any."""
    assert cities_of(language) == all_cities()


def test_berlin_is_where_it_is() -> None:
    """Rows are not mixed up."""
    [berlin] = [city for city in cities_of("de") if city.name == "Berlin"]
    assert (berlin.country, berlin.languages) == ("DE", {"de", "en"})
    assert (berlin.place.latitude, berlin.place.longitude) == (52.52, 13.405)


def test_pay() -> None:
    """A developer costs more than a gardener, and either more in Switzerland than in Portugal."""
    market = load_market()
    assert market.day_rate("2512", "DE") > 2 * market.day_rate("6113", "DE") > 0
    assert market.day_rate("2512", "CH") > 2 * market.day_rate("2512", "PT") > 0
    assert market.day_rate("2512", "XX") == pytest.approx(0.7 * market.day_rate("2512", "FR"))


def test_popularity() -> None:
    """By the longest code: software developers before all of their family, soldiers never."""
    market = load_market()
    assert market.popularity_of("2512") > market.popularity_of("2529") > market.popularity_of("2320") > 0
    assert market.popularity_of("0110") == 0


def test_languages_that_are_not_named_are_rare() -> None:
    """As rare as the rarest named one."""
    market = load_market()
    assert market.language_share("ja") == min(market.language_share(language) for language in LANGUAGES)
