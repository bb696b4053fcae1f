"""Limits of text fields: a longer text is cut, and a notice says so.

The limit of Streamlit's own fields drops a longer paste as a whole, without a word.
"""

import streamlit as st

from pages.shared.language import _, numeral


def cut(key: str, most: int) -> None:
    """Cut the text of a field to so many characters; a callback."""
    text = str(st.session_state.get(key) or "")
    if len(text) > most:
        st.session_state[key] = text[:most]
        st.toast(
            _("Only the first {most} of {n_text} characters were kept.", most=numeral(most), n_text=numeral(len(text))),
            icon=":material/content_cut:",
        )
