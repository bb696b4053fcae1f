"""Words in their dictionary form."""

import pytest

from jobmatch_core.text.lemmas import lemmatise


@pytest.mark.parametrize(
    ("language", "text", "lemmas"),
    [
        ("en", "Managers, operating boats", "manager operate boat"),
        ("fr", "infirmières", "infirmier"),
        ("no", "sykepleiere", "sykepleier"),
        ("bg", "шофьори", "шофьор"),
    ],
)
def test_lemmas_in_lower_case_without_punctuation(language: str, text: str, lemmas: str) -> None:
    """One space apart; Norwegian under its own code."""
    assert lemmatise(text, language) == lemmas


@pytest.mark.parametrize("language", ["ja", "mt", "xx"])
def test_words_of_a_language_without_a_dictionary_stay(language: str) -> None:
    """Only case and punctuation go."""
    assert lemmatise("Managers, boats", language) == "managers boats"


def test_nothing_to_lemmatise() -> None:
    """Nor anything to fall over."""
    assert lemmatise(" - ", "en") == ""
