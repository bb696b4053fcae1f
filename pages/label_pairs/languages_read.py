"""The languages that an annotator reads, kept in the session and in the browser's cookie."""

import streamlit as st

from jobmatch_core.text.languages import LANGUAGE_NAMES, language_name
from pages.shared import browser

LANGUAGES_KEY = "label_languages"
_COOKIE = "jobmatch_languages"


def choose() -> tuple[str, ...]:
    """Draw the languages; return the codes of those that were chosen, none for all."""
    if LANGUAGES_KEY not in st.session_state:
        codes = browser.read_cookie(_COOKIE).split(",")
        st.session_state[LANGUAGES_KEY] = [code for code in LANGUAGE_NAMES if code in codes]
    chosen = st.multiselect(
        "Languages that you read", sorted(LANGUAGE_NAMES, key=language_name), key=LANGUAGES_KEY,
        format_func=language_name, placeholder="All languages", persist_state="session",
        help="Only pairs with both sides in these languages are offered. This browser remembers your choice.",
    )  # fmt: skip
    return tuple(sorted(chosen))


def store() -> None:
    """Store the languages in the browser. Separate from their choice, because a closed popover's content is not run."""
    browser.save_cookie(_COOKIE, ",".join(sorted(st.session_state.get(LANGUAGES_KEY, []))))
