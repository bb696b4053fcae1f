"""Limits of text fields: a longer text is cut, and a notice says so.

The limit of Streamlit's own fields drops a longer paste as a whole, without a word.
"""

import streamlit as st


def cut(key: str, most: int) -> None:
    """Cut the text of a field to so many characters; a callback."""
    text = str(st.session_state.get(key) or "")
    if len(text) > most:
        st.session_state[key] = text[:most]
        st.toast(f"Only the first {most:,} of {len(text):,} characters were kept.", icon=":material/content_cut:")
