"""Languages that a title asks for: `German-speaking`, `(Native Thai Speaker)`, `mit Englischkenntnissen`.

Cleaning sets them aside, also a language alone between separators (`Call Center Agent - Dutch`), but not in titles of
language teachers, translators or editors. The names of languages are in `asked_languages.toml`.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.titles.title_parts import TitleParts

_POLISH = r"(?:(?-i:Polish|POLISH)|polish(?=[\s-]+speak))"  # in small letters it is something else
_ABOUT_LANGUAGES = re.compile(
    r"teach|tutor|lectur|instruct|profess?or|professeur|translat|interpr|linguist|editor|editing|redakt|redact|trainer"
    r"|\bcoach|locali[sz]|language(?!\s+skills?)|lehr|dozent|dolmetsch|übersetz|sprach(?!ig|kenntnis)|maestr|traduc|tradut"
    r"|lecteur|enseign|formateur|insegn|lettore|docent|formador|tłumacz|nauczyciel|lektor|leraar|leerkracht|vertaler|tolk"
    r"|lärare|lærer|opettaj|kääntäj|tulkki|tulkka|učitel|překlad|preklad|tlumoč|tlmoč|tanár|fordító|tolmács|öğretmen"
    r"|çevirmen|tercüman|mütercim|учит|преподав|перевод|репетитор|вчител|викладач|переклад|превод|καθηγητ|δάσκαλ|μεταφρασ"
    r"|διερμην|معلم|مدرس|أستاذ|مترجم|ترجم|دبیر|مربی|מורה|מתרגם|תרגום|מתורגמ|शिक्षक|अध्यापक|अनुवाद|दुभाषि"
    r"|教师|教師|老师|老師|教员|教員|翻译|翻譯|口译|口譯|講師|讲师|通訳|翻訳|교사|강사|선생|번역|통역|ครู|อาจารย์|ล่าม|แปล"
    r"|giáo viên|phiên dịch|biên dịch|gia sư|guru|pengajar|penerjemah|juru bahasa|dosen",
    re.IGNORECASE,
)
_WITHOUT_A_NAME = re.compile(r"phones?\b|\bz\s+.*(?:język|j)", re.IGNORECASE)
_SPOKEN = (
    r"(?:speaking|speakers?|sprachig\w*|sprechend\w*|sprekende?|talig\w*|talande|talende|parlant(?:e|es|s)?|parlantes?)"
)
_SKILLS = r"(?:[\s-]*(?:language\s+skills?|(?:sprach)?kenntniss?e?n?))"
_SKILLS_OR_LANGUAGES = rf"(?:{_SKILLS}|[\s-]*(?:languages?|skills?))"
_LEVEL = (
    r"(?:[ABC][12]\+?|native|mother\s+tongue|required|preferred|mandatory|courante?|fluido|fluente|nativo|alto"
    r"|avanzado)"
)
_END_OF_PART = r"(?=\s*(?:$|[-–—|,;:()\[\]]))"
_PHRASES = (  # {0}: one language or several
    rf"\b(?:(?:native|fluent(?:\s+in)?|bilingual)\s+)?{{0}}[\s-]*(?:native\s+)?{_SPOKEN}(?:[*:]\w{{{{1,2}}}})?\b",
    rf"\b(?:native|fluent(?:\s+in)?)\s+{{0}}\b{_SKILLS_OR_LANGUAGES}?",
    r"\b(?:with|mit|con|avec|met|com)\s+(?:(?:fluent|good|excellent|sehr|guten?|buen|bon|goed)\s+)*{0}(?:en)?"
    rf"{_SKILLS_OR_LANGUAGES}?\b(?:\s+{_LEVEL})?{_END_OF_PART}",
    rf"\b{{0}}{_SKILLS}\b",
    rf"\b{{0}}\s+{_LEVEL}(?!\w)",
    r"\b(?:bilingual|bilingüe|bilingue)\s+{0}\b",
    r"\b(?:anglo|franco|germano|hispano|italo|néerlando|luso|arabo|russo|sino)phones?\b",
    r"\bz\s+(?:dobrym\s+|biegłym\s+)?(?:językiem|jęz\.|j\.)\s*\w+[iy]m(?:\s+(?:i|lub|oraz)\s+\w+[iy]m)*\b",
)


def take_out_languages(title: TitleParts) -> None:
    """Set the phrases that ask for languages aside."""
    if asks_for_languages(title.text):
        title.take_out(language_phrases())


def asks_for_languages(title: str) -> bool:
    """Return whether a title may ask for languages; a fast check before `language_phrases`."""
    named = _names_of_languages().search(title.lower()) or _WITHOUT_A_NAME.search(title)
    return named is not None and _ABOUT_LANGUAGES.search(title) is None


@cache
def language_phrases() -> "re.Pattern[str]":
    """Return the pattern of the phrases that ask for languages."""
    return re.compile("|".join(phrase.format(_languages()) for phrase in _PHRASES), re.IGNORECASE)


def is_asked_language(part: str, title: str) -> bool:
    """Return whether a part of a title between separators consists of languages."""
    return _languages_alone().fullmatch(part.strip()) is not None and _ABOUT_LANGUAGES.search(title) is None


@cache
def _languages_alone() -> "re.Pattern[str]":
    return re.compile(rf"(?:native\s+)?{_languages()}(?:\s+only)?", re.IGNORECASE)


@cache
def _names_of_languages() -> "re.Pattern[str]":
    # in small letters: to ignore case takes several times as long
    return re.compile(rf"\b(?:polish|{'|'.join(re.escape(name.lower()) for name in _names_by_length())})")


@cache
def _languages() -> str:
    one = _language()
    return rf"{one}(?:\s*(?:[/,&+]|-?\s*\b(?:or|and|und|oder|bzw\.?|et|ou|of|en|och|og|y|o|e)\b)\s*{one})*"


@cache
def _language() -> str:
    return f"(?:{_POLISH}|{'|'.join(map(re.escape, _names_by_length()))})"


@cache
def _names_by_length() -> tuple[str, ...]:
    text = (files("jobmatch_core.titles") / "asked_languages.toml").read_text("utf-8")
    return tuple(sorted({name for names in tomllib.loads(text).values() for name in names}, key=len, reverse=True))
