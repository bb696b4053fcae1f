"""Entry to every page: a progress bar while a fresh server loads its libraries.

Each page calls `load_libraries` before its other imports, because those take seconds the first time.
"""

import importlib
import sys

import streamlit as st

_LIBRARIES = {  # the slow imports of all pages: module -> name on the progress bar
    "pandas": "pandas",
    "scipy.stats": "SciPy",
    "sklearn.feature_extraction.text": "scikit-learn",
    "alembic.context": "the label store",
    "plotly.graph_objects": "Plotly",
    "pages.shared.resources": "the matching library",
}


def load_libraries() -> None:
    """Load the slow libraries that are not loaded yet, and show which."""
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
