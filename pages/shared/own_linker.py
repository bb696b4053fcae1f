"""Linker with the accepted titles, for every page that links."""

import streamlit as st

from jobmatch_core.errors import LabelStoreError
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Manifest
from pages.shared import resources
from pages.shared.widgets import open_linker, plain


def open_own_linker(manifest: Manifest, *, groups: bool = False) -> Linker:
    """Return a taxonomy's linker with the accepted titles; if these cannot be read, warn and return it without them.

    Raises:
        JobMatchError: the linker cannot be opened.
    """
    linker = open_linker(manifest, groups=groups)
    try:
        return resources.with_own_names(manifest, groups=groups)
    except LabelStoreError as error:
        st.warning(f"Accepted titles are not used. {plain(str(error), limit=1000)}", icon=":material/label_off:")
        return linker
