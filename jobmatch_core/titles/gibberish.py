"""Gibberish in place of a title: runs of one letter, runs along a keyboard, and long words without a vowel."""

import re
import unicodedata

_LONGEST_ABBREVIATION = 5  # letters without a vowel: `HGV` and `MUDr` are titles
_SHORTEST_RUN = 3
_ROWS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn")
_VOWELS = frozenset("aeiouyæøœ")
_WORD = re.compile(r"[^\W\d_]+")


def is_gibberish(text: str) -> bool:
    """Return whether a text has letters, and each of its words is typed at random: `xxx`, `asdf`, `sdkfjhsd`.

    Long words without a vowel count in the Latin script alone; other scripts leave vowels out.
    """
    words = _WORD.findall(text.casefold())
    return bool(words) and all(map(_is_random, words))


def _is_random(word: str) -> bool:
    if len(word) < _SHORTEST_RUN:
        return False
    if len(set(word)) == 1 or any(word in row or word in row[::-1] for row in _ROWS):
        return len(word) > _SHORTEST_RUN or len(set(word)) == 1
    letters = unicodedata.normalize("NFD", word)
    is_latin = all(unicodedata.name(letter, "").startswith("LATIN") for letter in word)
    return is_latin and len(word) > _LONGEST_ABBREVIATION and _VOWELS.isdisjoint(letters)
