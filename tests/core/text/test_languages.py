"""Language codes as people and file names write them."""

import pytest

from jobmatch_core.text.languages import ENGLISH, LANGUAGE_NAMES, language_code, language_name


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
    """Codes are taken in any case and with a region; what is not known is None."""
    assert language_code(code) == expected


@pytest.mark.parametrize("code", sorted(LANGUAGE_NAMES))
def test_every_language_stands_for_itself(code: str) -> None:
    """A known code is two lower-case letters and its own answer."""
    assert len(code) == 2
    assert code.isalpha()
    assert language_code(code.upper()) == code


def test_escos_languages_are_known() -> None:
    """All 28 languages that ESCO is published in can be imported."""
    esco = [
        "ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "ga", "hr", "hu", "is", "it", "lt", "lv",
        "mt", "nl", "no", "pl", "pt", "ro", "sk", "sl", "sv", "uk",
    ]  # fmt: skip
    assert len(esco) == 28
    assert [code for code in esco if language_code(code) is None] == []


def test_language_name_is_english_or_the_code() -> None:
    """An unknown code is shown as it is."""
    assert language_name(ENGLISH) == "English"
    assert language_name("el") == "Greek"
    assert language_name("xx") == "xx"


def test_language_names_are_distinct() -> None:
    """No two codes share a name, so a menu of names is unambiguous."""
    assert len(set(LANGUAGE_NAMES.values())) == len(LANGUAGE_NAMES)
