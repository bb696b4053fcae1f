"""'Open in Atlas', where Apple's embedding-atlas is installed: the points of a map, by WebGPU."""

from importlib import import_module
from importlib.util import find_spec

import pandas as pd
import streamlit as st

from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.map_table import map_rows


def offer(latent: LatentMap) -> None:
    """Draw the button; nothing where the package is not installed."""
    if find_spec("embedding_atlas") is None:
        return
    if st.button("Open in Atlas", key="map_atlas", icon=":material/public:"):
        _atlas(latent)


@st.dialog("Atlas", width="large")
def _atlas(latent: LatentMap) -> None:
    st.caption(
        "Atlas fetches its database from cdn.jsdelivr.net and stays empty without the internet. The plotted data "
        "does not leave your browser."
    )
    atlas = import_module("embedding_atlas.streamlit").embedding_atlas
    atlas(pd.DataFrame(map_rows(latent)), text="text", x="x", y="y")
