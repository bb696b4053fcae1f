"""Scripts of texts: names, counts, and unexpected scripts."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.language_guess import count_scripts, foreign_script, main_script, main_scripts, script_name

LETTERS = {
    "ก": "Thai",
    "א": "Hebrew",
    "ქ": "Georgian",
    "Ω": "Greek",
    "ж": "Cyrillic",
    "ö": "Latin",
    "Ｋ": "Latin",
    "م": "Arabic",
    "न": "Devanagari",
    "ծ": "Armenian",
    "ነ": "Ethiopic",
    "န": "Burmese",
    "ᐃ": "Canadian syllabics",
    "看": "Chinese characters",
    "々": "Chinese characters",
    "か": "Japanese",
    "カ": "Japanese",
    "ｶ": "Japanese",
    "ー": "Japanese",
    "간": "Korean",
    "ᄀ": "Korean",
}
SCRIPTS = frozenset({"Latin", "Greek"})


@pytest.mark.parametrize(("letter", "script"), LETTERS.items())
def test_the_script_of_a_letter(letter: str, script: str) -> None:
    """Its English name, for any width or form of the letter."""
    assert script_name(letter) == script


@pytest.mark.parametrize("sign", ["7", "٧", " ", "-", "🚑", "\u0301", "\u0e34", "\ud800", "\x00", ""])
def test_what_is_no_letter_has_no_script(sign: str) -> None:
    """Digits, signs, emoji, accents and surrogates."""
    assert script_name(sign) == ""


def test_letters_are_counted_by_script() -> None:
    """Vowel signs do not count; the first of a tie is the main script."""
    assert count_scripts("ช่าง SAP 4.0!") == {"Thai": 3, "Latin": 3}
    assert main_script("ช่าง SAP") == "Thai"
    assert main_script("SAP ช่าง") == "Latin"
    assert (main_script("2024 🚑"), main_script("")) == ("", "")
    assert main_scripts(["cook", "看護師", "4711", ""]) == {"Latin", "Chinese characters"}


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("พยาบาล", "Thai"),
        ("מהנדס תוכנה", "Hebrew"),
        ("ექიმი", "Georgian"),
        ("プログラマー 看護師", "Japanese"),
        ("νοσοκόμα", ""),
        ("cook", ""),
        ("พยาบาล nurse", ""),
        ("🚑", ""),
        ("12345", ""),
        ("", ""),
        ("กขคงจฉชซฌ A", "Thai"),  # one letter of ten
        ("กขคงจฉชซ A", ""),  # one letter of nine
    ],
)
def test_texts_in_unknown_scripts(text: str, script: str) -> None:
    """Nearly all letters must be of such scripts; a text without letters has none."""
    assert foreign_script(text, SCRIPTS) == script


@given(st.text(), st.text())
def test_counts_add_up(one: str, other: str) -> None:
    """True for any text; only letters count."""
    together = count_scripts(one + other)
    assert together == count_scripts(one) + count_scripts(other)
    assert together.total() <= sum(unicodedata.normalize("NFKC", sign)[:1].isalpha() for sign in one + other)


@given(st.text(), st.frozensets(st.sampled_from(["Latin", "Greek", "Thai", "Cyrillic", "Arabic"])))
def test_an_unknown_script_is_one_of_the_text_and_not_known(text: str, known: frozenset[str]) -> None:
    """Compared with a simple count."""
    counts = Counter(script for script in map(script_name, text) if script)
    n_known = sum(count for script, count in counts.items() if script in known)
    found = foreign_script(text, known)
    assert bool(found) == (counts.total() > n_known and 10 * n_known <= counts.total())
    assert not found or (found not in known and counts[found] == max(counts[each] for each in counts.keys() - known))
