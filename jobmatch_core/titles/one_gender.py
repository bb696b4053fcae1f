"""The common form of gendered nouns in texts: `Luftbildfotografin` becomes `Luftbildfotograf`.

For texts of people and projects, so that a ranking does not depend on the gender of their words. The nouns are those of
which the bundled names or the lexicon have both forms; `gendered_nouns.tsv` is made by `python -m lab train
gendered-nouns`. Words keep their case; in languages that write compounds, a word may end with one of the nouns.
"""

import re
from functools import cache, lru_cache
from importlib.resources import files

FILE = "gendered_nouns.tsv"
COMPOUNDING = frozenset({"de", "nl"})  # languages
LEAST_COMPOUND = 5  # letters of a noun at the end of a longer word
_WORD = re.compile(r"[^\W\d_]{3,}")
_REMEMBERED = 100_000  # words


def one_gender(text: str, language: str) -> str:
    """Return a text with its feminine nouns in their masculine form; other languages than the table's are unchanged."""
    if language not in _nouns():
        return text
    return _WORD.sub(lambda word: _common(word[0], language), text)


def gendered_languages() -> tuple[str, ...]:
    """Return the languages whose nouns `one_gender` changes."""
    return tuple(_nouns())


@lru_cache(_REMEMBERED)
def _common(word: str, language: str) -> str:
    nouns, lower = _nouns()[language], word.lower()
    if common := nouns.get(lower):
        return in_case(word, common)
    if language in COMPOUNDING:
        for start in range(1, len(word) - LEAST_COMPOUND + 1):
            if common := nouns.get(lower[start:]):
                return word[:start] + common
    return word


def in_case(word: str, other: str) -> str:
    """Return another word in the case of the first one."""
    if word.isupper() and len(word) > 1:
        return other.upper()
    return other[:1].upper() + other[1:] if word[:1].isupper() else other


@cache
def _nouns() -> dict[str, dict[str, str]]:
    nouns: dict[str, dict[str, str]] = {}
    for line in (files("jobmatch_core.titles") / FILE).read_text("utf-8").splitlines()[1:]:
        language, feminine, masculine = line.split("\t")
        nouns.setdefault(language, {})[feminine] = masculine
    return nouns
