"""The pages' language: texts, numbers, dates and names as the viewer reads them.

A text is written in English where it is shown, in `_("{n} titles left", n=numeral(left))`; the catalogues in
pages/locale hold it in other languages. An f-string cannot be translated, and a text from a user or a file never is.

Every page imports this module before its libraries, so it has to load fast.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import streamlit as st
from babel import Locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import NumberPattern, parse_pattern
from streamlit.runtime.scriptrunner import get_script_run_ctx

from jobmatch_core.text import locales
from jobmatch_core.text.locales import ENGLISH
from pages.shared import browser

OptionT = TypeVar("OptionT")
CATALOGUES = Path(__file__).parents[1] / "locale"
PAGES, CORE = "pages", "core"  # the catalogues: texts of pages, and templates of what core composes
# language -> its own name, in the order of the choice
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "es": "español", "fr": "français", "pl": "polski"}
_BROWSER = ""  # choice of the browser's language
_CHOICE_KEY, _SHOWN_KEY = "language_choice", "language_shown"
_COOKIE = "jobmatch_language"


def catalogue_path(code: str, catalogue: str = PAGES) -> Path:
    """Return the file with a language's translations."""
    return CATALOGUES / code / "LC_MESSAGES" / f"{catalogue}.po"


def N_(message: str) -> str:
    """Mark a constant for the catalogues; it is translated by `_` where it is shown."""
    return message


def _(message: str, **fields: object) -> str:
    """Return a text in the viewer's language, with values in place of its `{fields}`."""
    text = _translations(language()).gettext(message) if message else ""
    return text.format(**fields) if fields else text


def plural(one: str, many: str, n: int, **fields: object) -> str:
    """Return a text for a number of things, which is the field `{n}`, in the viewer's language."""
    return _translations(language()).ngettext(one, many, n).format(**{"n": numeral(n)} | fields)


def translated(labels: Mapping[OptionT, str]) -> dict[OptionT, str]:
    """Return options with their labels, which are constants, in the viewer's language."""
    return {option: _(label) for option, label in labels.items()}


def language() -> str:
    """Return the language of this session; English outside of one."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    return str(st.session_state.get(_SHOWN_KEY, ENGLISH))


def settle() -> None:
    """Set the language of this run: the chosen one, else the browser's, else English. Called by app.py."""
    if _CHOICE_KEY not in st.session_state:
        stored = browser.read_cookie(_COOKIE)
        st.session_state[_CHOICE_KEY] = stored if stored in LANGUAGES else _BROWSER
    chosen = str(st.session_state[_CHOICE_KEY])
    asked = chosen or locales.language_code(st.context.locale or "") or ENGLISH
    st.session_state[_SHOWN_KEY] = asked if asked in LANGUAGES else ENGLISH
    browser.save_cookie(_COOKIE, chosen)
    browser.set_language(language())


def choose_language() -> None:
    """Draw the choice of the language."""
    st.selectbox(
        _("Language"),
        [_BROWSER, *LANGUAGES],
        key=_CHOICE_KEY,
        format_func=lambda code: LANGUAGES.get(code) or _("As in the browser"),
        persist_state="session",
        width=200,
    )


def numeral(value: float, decimals: int = 0, *, signed: bool = False) -> str:
    """Return a number with its thousands separated, such as '1,234.50'."""
    text = f"{value:{'+' if signed else ''},.{decimals}f}"
    if language() == ENGLISH:
        return text
    pattern = _number_pattern(decimals)
    rounded = Decimal(text.replace(",", ""))  # as in English, which rounds the float itself
    if not rounded.is_finite():
        return text
    return "+" * text.startswith("+") + str(pattern.apply(rounded, _locale()))


def percent(share: float, decimals: int = 0) -> str:
    """Return a share of 1 as a percent, such as '10%'."""
    if language() == ENGLISH:
        return f"{share:.{decimals}%}"
    sign = _locale().percent_formats[None].pattern.replace("#,##0", "")  # with the blank before it, if there is one
    return f"{numeral(share * 100, decimals)}{sign}"


def day(value: date, *, padded: bool = False, named: bool = False) -> str:
    """Return a date, such as '5 Mar 2026'.

    Args:
        value: The date.
        padded: Whether the day has two digits in English, as in a column of dates.
        named: Whether the month's whole name is written.
    """
    if language() == ENGLISH:
        return f"{f'{value:%d}' if padded else value.day} {value:{'%B' if named else '%b'} %Y}"
    return str(format_date(value, "long" if named else "medium", locale=_locale()))


def joined(items: Sequence[str]) -> str:
    """Return texts as a list, such as 'cook, chef and baker'."""
    if len(items) < 2:
        return "".join(items)
    return _("{others} and {last}", others=", ".join(items[:-1]), last=items[-1])


def within(label: str) -> str:
    """Return a label for the middle of a sentence: in lower case, except in German, whose nouns have a capital."""
    return label if language() == "de" else label.lower()


def uncapital(text: str) -> str:
    """Return a text with its first letter in lower case."""
    return text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def language_name(code: str) -> str:
    """Return the name of a language, or the code itself if unknown."""
    if language() == ENGLISH:
        return locales.language_name(code)
    return str(_locale().languages.get(code) or code)


def country_name(code: str) -> str:
    """Return the name of a country, or the code itself if unknown."""
    if language() == ENGLISH:
        return locales.country_name(code)
    return str(_locale().territories.get(code) or code)


def _locale() -> Locale:
    return _parsed_locale(language())


# parsing a locale or a pattern takes longer than all else
@cache
def _parsed_locale(code: str) -> Locale:
    return Locale.parse(code)


@cache
def _number_pattern(decimals: int) -> NumberPattern:
    return parse_pattern("#,##0" + "." * bool(decimals) + "0" * decimals)


@cache
def _translations(code: str) -> NullTranslations:
    path = catalogue_path(code)
    if not path.exists():
        return NullTranslations()
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return GNUTranslations(compiled)
