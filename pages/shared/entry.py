"""Entry to every page: through `app.py`, and with a progress bar while a fresh server loads its libraries.

Each page calls `through_app` before its other imports, because those take seconds the first time.
"""

import importlib
import sys

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

_ENTERED = "entered"
_LIBRARIES = {  # the slow imports of all pages: module -> name on the progress bar
    "pandas": "pandas",
    "scipy.stats": "SciPy",
    "sklearn.feature_extraction.text": "scikit-learn",
    "alembic.context": "the label store",
    "plotly.graph_objects": "Plotly",
    "pages.shared.resources": "the matching library",
}


def through_app() -> None:
    """Start in `app.py` even if Streamlit runs this page alone, and show what is loading on a fresh server.

    Until `st.navigation` has run once in a server, Streamlit treats the folder `pages/` as its older way of
    having pages: it runs the page of the address alone and lists all files in a sidebar. There is no option
    against that (streamlit 1.67). Start again only when a session begins, because a new start would lose a click.
    """
    if PagesManager.uses_pages_directory and _ENTERED not in st.session_state:
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.session_state[_ENTERED] = True
    missing = [module for module in _LIBRARIES if module not in sys.modules]
    if missing:
        _load(missing)


def _load(modules: list[str]) -> None:
    bar = st.progress(0.0)
    for done, module in enumerate(modules):
        bar.progress(
            done / len(modules), text=f"Starting jobmatch: loading {_LIBRARIES[module]} ({done + 1} of {len(modules)})"
        )
        importlib.import_module(module)
    bar.empty()
