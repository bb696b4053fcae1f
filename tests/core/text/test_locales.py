"""Codes and names of languages and countries."""

import pytest

from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.text.locales import (
    COUNTRY_NAMES,
    ENGLISH,
    LANGUAGE_NAMES,
    country_name,
    country_names,
    language_code,
    language_name,
    language_names,
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("de", "de", id="plain"),
        pytest.param("DE", "de", id="capitals"),
        pytest.param("de-AT", "de", id="region with hyphen"),
        pytest.param("pt_BR", "pt", id="region with underscore"),
        pytest.param("zh-Hans-CN", "zh", id="script and region"),
        pytest.param(" fr\n", "fr", id="blanks around"),
        pytest.param("nb", "no", id="bokmål"),
        pytest.param("nn-NO", "no", id="nynorsk with region"),
        pytest.param("iw", "he", id="old code of Hebrew"),
        pytest.param("in", "id", id="old code of Indonesian"),
        pytest.param("xx", None, id="unknown"),
        pytest.param("", None, id="empty"),
        pytest.param("-", None, id="hyphen only"),
        pytest.param("deu", None, id="three letters"),
        pytest.param("German", None, id="a name, no code"),
        pytest.param("d", None, id="one letter"),
    ],
)
def test_language_code(code: str, expected: str | None) -> None:
    """Codes are accepted in any case and with a region; unknown ones are None."""
    assert language_code(code) == expected


@pytest.mark.parametrize("code", sorted(LANGUAGE_NAMES))
def test_every_language_stands_for_itself(code: str) -> None:
    """Known codes have two lower-case letters and stay unchanged."""
    assert len(code) == 2
    assert code.isalpha()
    assert language_code(code.upper()) == code


def test_escos_languages_are_known() -> None:
    """All 28 languages of ESCO are known."""
    esco = "ar bg cs da de el en es et fi fr ga hr hu is it lt lv mt nl no pl pt ro sk sl sv uk".split()
    assert len(esco) == 28
    assert [code for code in esco if language_code(code) is None] == []


def test_language_name_is_english_or_the_code() -> None:
    """An unknown code is returned unchanged."""
    assert language_name(ENGLISH) == "English"
    assert language_name("el") == "Greek"
    assert language_name("xx") == "xx"


def test_language_names_are_distinct() -> None:
    """No two codes share a name."""
    assert len(set(LANGUAGE_NAMES.values())) == len(LANGUAGE_NAMES)


def test_codes_are_codes() -> None:
    """Codes have two capital letters, and no two countries share a name."""
    assert all(len(code) == 2 and code.isascii() and code.isupper() for code in COUNTRY_NAMES)
    assert len(set(COUNTRY_NAMES.values())) == len(COUNTRY_NAMES)


def test_every_country_of_the_demo_has_a_name() -> None:
    """No card shows a bare code."""
    assert {city.country for city in all_cities()} <= set(COUNTRY_NAMES)


def test_what_is_not_known_stays_as_it_is() -> None:
    """Unknown codes are returned unchanged."""
    assert (country_name("PL"), country_name("ZZ"), country_name("")) == ("Poland", "ZZ", "")


def test_a_country_and_a_language() -> None:
    """Names in all languages, without repetition."""
    germany, german = country_names("de"), language_names("de")
    assert {"Germany", "Deutschland", "Allemagne", "Niemcy", "ドイツ"} <= set(germany)
    assert {"German", "Deutsch", "allemand", "alemán", "německy"} - set(german) == {"německy"}
    assert len(set(germany)) == len(germany)


@pytest.mark.parametrize("code", ["", "zz", "xx-yy", "☃"])
def test_unknown_codes(code: str) -> None:
    """They have no names."""
    assert country_names(code) == language_names(code) == ()
