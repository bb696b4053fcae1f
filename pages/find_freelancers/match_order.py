"""Order of the listed freelancers, and the option to list only those with all must-haves."""

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.match_order import Arrangement, MatchOrder

_ORDER_KEY, _COMPLETE_KEY = "find_sort", "find_complete"
ADDRESS = {"sort": _ORDER_KEY, "complete": _COMPLETE_KEY}
_ORDERS = {MatchOrder.MUST_HAVES: "Must-haves, then similarity", MatchOrder.SCORE: "Similarity only"}


def chosen(project: Project) -> Arrangement:
    """Return the chosen arrangement; invalid values from the address are ignored."""
    if st.session_state.get(_ORDER_KEY) not in _ORDERS:
        st.session_state[_ORDER_KEY] = MatchOrder.MUST_HAVES
    st.session_state[_COMPLETE_KEY] = st.session_state.get(_COMPLETE_KEY) in (True, "True")
    if not project.mandatory:
        return Arrangement()
    return Arrangement(MatchOrder(st.session_state[_ORDER_KEY]), st.session_state[_COMPLETE_KEY])


def choose() -> None:
    """Draw the choice."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.selectbox(
            "Sort by", list(_ORDERS), key=_ORDER_KEY, format_func=_ORDERS.__getitem__, persist_state="session",
            label_visibility="collapsed", width=250,
        )  # fmt: skip
        st.toggle("Only with all must-haves", key=_COMPLETE_KEY, persist_state="session")


def show_all() -> None:
    """Include freelancers who lack must-haves; for callbacks."""
    st.session_state[_COMPLETE_KEY] = False
