"""Every page is reached through `app.py`, also by the first address that a fresh server is asked for."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

_ENTERED = "entered"


def through_app() -> None:
    """Start anew in `app.py` where Streamlit runs this page on its own when a session begins.

    Until `st.navigation` has run once in a server, Streamlit takes the folder `pages/` for its older way of
    having pages, runs the one in the address alone and lists all files in a sidebar. There is no option
    against that (streamlit 1.67). Only when a session begins, because a new start would lose a click.
    """
    if PagesManager.uses_pages_directory and _ENTERED not in st.session_state:
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.session_state[_ENTERED] = True
