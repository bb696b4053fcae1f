"""The map to take away: a still picture for a paper, a page of its own, its points."""

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import streamlit as st

from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.map_file import save_map
from jobmatch_core.maps.map_table import map_rows
from jobmatch_core.maps.picture import Picture, Theme
from pages.latent_map.map_choice import MapChoice, model_title

_KINDS: tuple[tuple[str, str, Theme, str], ...] = (
    ("PNG, light", "png", "light", "image/png"), ("PNG, dark", "png", "dark", "image/png"),
    ("SVG, light", "svg", "light", "image/svg+xml"), ("SVG, dark", "svg", "dark", "image/svg+xml"),
    ("Page (HTML)", "html", "light", "text/html"), ("Points (CSV)", "csv", "light", "text/csv"),
    ("Points (Parquet)", "parquet", "light", "application/vnd.apache.parquet"),
)  # fmt: skip


def show(chosen: MapChoice, latent: LatentMap, picture: Picture) -> None:
    """Draw the button; a file is made when it is asked for."""
    with st.popover("Download", icon=":material/download:"):
        for label, ending, theme, mime in _KINDS:
            name = f"map-{theme}.{ending}" if ending in ("png", "svg") else f"map.{ending}"
            st.download_button(
                label, data=partial(_as_file, chosen.title, picture, ending, theme), file_name=name, mime=mime,
                key=f"map_download_{ending}_{theme}", on_click="ignore", width="stretch",
            )  # fmt: skip
    _offer_atlas(latent)


def _as_file(title: str, picture: Picture, ending: str, theme: Theme) -> bytes:
    latent = picture.latent
    note = f"{latent.setting.method.upper()} of {len(latent.items):,} points, model {model_title(latent.model)}"
    with TemporaryDirectory(prefix="jobmatch-") as folder:
        path = Path(folder) / f"map.{ending}"
        save_map(picture, title, path, theme=theme, note=note)
        return path.read_bytes()


def _offer_atlas(latent: LatentMap) -> None:
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
