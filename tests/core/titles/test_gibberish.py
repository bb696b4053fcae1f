"""Texts that are typed at random."""

import pytest

from jobmatch_core.titles.gibberish import is_gibberish


@pytest.mark.parametrize("text", ["xxx", "qqqq", "asdf", "ASDF lkjh;kkk", "sdkfjhsd", "zxcvb 123", "lkjhg", "шшш"])
def test_typed_at_random(text: str) -> None:
    """Runs of one letter and along a keyboard, both ways, and long words without a vowel."""
    assert is_gibberish(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "123",
        "IT",
        "HGV",
        "PhDr",
        "nurse",
        "xxx nurse",
        "mgr",
        "Krč",
        "μηχανικός",
        "מנהלת",
        "نجار",
        "看護師",
        "Arzt",
    ],
)
def test_words_and_abbreviations(text: str) -> None:
    """Nothing typed, short abbreviations, scripts without vowels, and one word that may be a title."""
    assert not is_gibberish(text)
