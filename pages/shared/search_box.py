"""Box that leads to the page 'Search'."""

import streamlit as st

from jobmatch_core.search_events import SearchKind

_KEY, _ASKED_KEY = "search_box", "search_box_asked"


def show(label: str, kind: SearchKind, **source: str) -> None:
    """Draw the box, and open the page once something is typed into it.

    Args:
        label: what is searched.
        kind: sort of the items.
        source: what is searched, as the page's address has it: `taxonomy` or `marketplace`.
    """
    st.text_input(
        label, key=_KEY, on_change=_ask, placeholder="A few words in any language", icon=":material/search:"
    )  # fmt: skip
    if query := st.session_state.pop(_ASKED_KEY, ""):
        st.switch_page("pages/search/search.py", query_params={"in": kind, "query": query, **source})


def _ask() -> None:
    st.session_state[_ASKED_KEY] = st.session_state[_KEY].strip()
    st.session_state[_KEY] = ""
