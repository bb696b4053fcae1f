"""Download buttons: files of any kind, and tables in several formats. A file is written on a click."""

import io
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st

from jobmatch_core.io.tables import Record, write_csv_rows
from jobmatch_core.io.temporary import temporary_folder
from pages.shared.language import N_, _

_FORMAT_NAMES = {"xlsx": N_("Excel"), "jsonl": N_("JSON lines"), "parquet": N_("Parquet")}
_MEDIA_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "jsonld": "application/ld+json",
    "parquet": "application/vnd.apache.parquet",
    "png": "image/png",
    "svg": "image/svg+xml",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


def download(
    label: str,
    data: str | bytes | Callable[[], str | bytes],
    name: str,
    key: str,
    *,
    icon: str = "download",
    explanation: str = "",
    disabled: bool = False,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """Draw a download button, whose click does not run the page again.

    Args:
        label: Label of the button.
        data: The file, or a function that returns it on a click.
        name: Name of the file; its ending says what kind it is.
        key: Key of the button.
        icon: Name of a Material icon; '' for none.
        explanation: Help text.
        disabled: Whether the button cannot be clicked.
        width: Width of the button.
    """
    st.download_button(
        label,
        data,
        name,
        _MEDIA_TYPES[name.rpartition(".")[2]],
        key=key,
        icon=f":material/{icon}:" if icon else None,
        on_click="ignore",
        help=explanation or None,
        disabled=disabled,
        width=width,
    )


def csv_button(rows: Callable[[], Iterable[Record]], name: str, key: str, explanation: str = "") -> None:
    """Draw the button 'Download CSV'; the rows are made on a click."""

    def written() -> bytes:
        file = io.StringIO()
        write_csv_rows(file, rows())
        return file.getvalue().encode("utf-8-sig")  # with a mark by which spreadsheets recognise UTF-8

    download(_("Download CSV"), written, name, key, explanation=explanation)


def csv_heading(text: str, rows: Callable[[], Iterable[Record]], name: str, key: str, explanation: str = "") -> None:
    """Draw the heading of a table, as Markdown, with the button 'Download CSV' at its right."""
    heading, place = st.columns([4, 1], vertical_alignment="bottom")
    heading.markdown(text)
    with place, st.container(horizontal=True, horizontal_alignment="right"):
        csv_button(rows, name, key, explanation)


def table_buttons(write: Callable[[Path], object], name: Callable[[str], str], key: str, *endings: str) -> None:
    """Draw a download button for each format of a table, which is written on a click.

    Args:
        write: Writes the table into a file, in the format of its ending.
        name: Returns the name of the downloaded file for an ending.
        key: Key prefix of the buttons.
        endings: Endings of the formats, such as 'csv'.
    """

    def written(ending: str) -> bytes:
        with temporary_folder() as folder:
            path = folder / f"table.{ending}"
            write(path)
            return path.read_bytes()

    for ending in endings:
        label = _(_FORMAT_NAMES.get(ending, ending.upper()))
        download(label, partial(written, ending), name(ending), f"{key}_{ending}", icon="", width="stretch")
