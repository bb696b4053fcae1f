"""Country codes and their names."""

from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.text.countries import COUNTRY_NAMES, country_name


def test_codes_are_codes() -> None:
    """Two capital letters each, and no two countries of one name."""
    assert all(len(code) == 2 and code.isascii() and code.isupper() for code in COUNTRY_NAMES)
    assert len(set(COUNTRY_NAMES.values())) == len(COUNTRY_NAMES)


def test_every_country_of_the_demo_has_a_name() -> None:
    """No card says 'XY'."""
    assert {city.country for city in all_cities()} <= set(COUNTRY_NAMES)


def test_what_is_not_known_stays_as_it_is() -> None:
    """So that nothing is lost."""
    assert (country_name("PL"), country_name("ZZ"), country_name("")) == ("Poland", "ZZ", "")
