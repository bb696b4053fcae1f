"""Languages that a title asks for: `German-speaking`, `(Native Thai Speaker)`, `mit Englischkenntnissen`.

They say whom an employer seeks, not what is done, so that cleaning sets them aside. A language that stands alone
between separators (`Call Center Agent - Dutch`) is asked for, too. Titles of those who teach or translate languages
stay as they are. The names of languages are in `asked_languages.toml`.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

_CUE = re.compile(  # most titles have none, and need no search for names
    r"speak|native|fluent|lingu|lingü|sprach|sprech|sprek|phone\b|phones\b|talig|talande|parlant|kenntnis|język|jęz\."
    r"|courant|fluid|nativ|\b[abc][12]\b|\b(?:with|mit|con|avec|met|com)\b",
    re.IGNORECASE,
)
_OF_LANGUAGES = re.compile(
    r"teach|tutor|lectur|instruct|profes|translat|interpr|linguist|locali[sz]|lehr|dozent|dolmetsch|übersetz|maestr"
    r"|traduc|tradut|enseign|formateur|insegn|docent|formador|tłumacz|nauczyciel|lektor|leraar|leerkracht|vertaler|tolk"
    r"|lärare|lærer",
    re.IGNORECASE,
)
_LEVEL = (
    r"(?:[ABC][12]\+?|native|mother\s+tongue|required|preferred|mandatory|courante?|fluido|fluente|nativo|alto"
    r"|avanzado)"
)
_SPOKEN = (
    r"(?:speaking|speakers?|sprachig\w*|sprechend\w*|sprekende?|talig\w*|talande|talende|parlant(?:e|es|s)?|parlantes?)"
)
_SKILLS = r"(?:[\s-]*(?:language\s+skills?|languages?|skills?|(?:sprach)?kenntniss?e?n?))"


def asks_for_languages(title: str) -> bool:
    """Return whether a title may ask for languages by one of the phrases."""
    return _CUE.search(title) is not None and _OF_LANGUAGES.search(title) is None


@cache
def language_phrases() -> "re.Pattern[str]":
    """Return the pattern of the phrases that ask for languages."""
    names = _some_names()
    return re.compile(
        rf"\b(?:(?:native|fluent(?:\s+in)?|bilingual)\s+)?{names}[\s-]*(?:native\s+)?{_SPOKEN}(?:[*:]\w{{1,2}})?\b"
        rf"|\b(?:native|fluent(?:\s+in)?)\s+{names}\b{_SKILLS}?"
        rf"|\b(?:with|mit|con|avec|met|com)\s+(?:(?:fluent|good|excellent|sehr|guten?|buen|bon|goed)\s+)*{names}(?:en)?"
        rf"{_SKILLS}?\b(?:\s+{_LEVEL})?(?=\s*(?:$|[-–—|,;:()\[\]]))"
        rf"|\b{names}{_SKILLS.replace('languages?|skills?|', '')}\b|\b{names}\s+{_LEVEL}(?!\w)"
        rf"|\b(?:bilingual|bilingüe|bilingue)\s+{names}\b"
        r"|\b(?:anglo|franco|germano|hispano|italo|néerlando|luso|arabo|russo|sino)phones?\b"
        r"|\bz\s+(?:dobrym\s+|biegłym\s+)?(?:językiem|jęz\.|j\.)\s*\w+[iy]m(?:\s+i\s+\w+[iy]m)?\b",
        re.IGNORECASE,
    )


def is_asked_language(part: str, title: str) -> bool:
    """Return whether a part of a title, between separators, asks for languages by their names alone."""
    return _alone().fullmatch(part.strip()) is not None and _OF_LANGUAGES.search(title) is None


@cache
def _alone() -> "re.Pattern[str]":
    return re.compile(rf"(?:native\s+)?{_some_names()}(?:\s+only)?", re.IGNORECASE)


@cache
def _some_names() -> str:
    """Return a pattern of one language or several."""
    text = (files("jobmatch_core.titles") / "asked_languages.toml").read_text("utf-8")
    names = {name for names in tomllib.loads(text).values() for name in names}
    one = f"(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})"
    return rf"{one}(?:\s*(?:[/,&+]|\b(?:or|and|und|oder|et|ou|of|en|y|o|e)\b)\s*{one})*"
