"""Progress bar while a fresh server loads its libraries; every page calls it before its other imports."""

import importlib
import sys

import streamlit as st

from pages.shared.language import N_, _

_LIBRARIES = {  # the slow imports of all pages: module -> name on the progress bar
    "pandas": "pandas",
    "scipy.stats": "SciPy",
    "sklearn.feature_extraction.text": "scikit-learn",
    "alembic.context": N_("the label store"),
    "plotly.graph_objects": "Plotly",
    "pages.shared.resources": N_("the matching library"),
}


def load_libraries() -> None:
    """Load the slow libraries that are not loaded yet, under a progress bar."""
    place = st.empty()  # in every run: what stands below it keeps its place, and its focus
    missing = [module for module in _LIBRARIES if module not in sys.modules]
    if not missing:
        return
    bar = place.progress(0.0)
    for done, module in enumerate(missing):
        text = _(
            "Starting jobmatch: loading {library} ({done} of {n_missing})",
            library=_(_LIBRARIES[module]),
            done=done + 1,
            n_missing=len(missing),
        )
        bar.progress(done / len(missing), text=text)
        importlib.import_module(module)
    bar.empty()
