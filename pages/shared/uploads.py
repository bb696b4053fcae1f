"""Uploaded tables: the detected encoding, sheet and header with selectors to correct them, and the first rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import table_format
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.sheets.table_layout import TableLayout, TableSummary
from jobmatch_core.sheets.table_process import (
    GuessedTable,
    encodings_apart,
    guess_apart,
    header_apart,
    list_apart,
    table_apart,
)
from jobmatch_core.sheets.text_encoding import encoding_name
from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared.cache import cached
from pages.shared.language import N_, _
from pages.shared.widgets import plain

_LAST_HEADER_ROW = 1000


@contextmanager
def on_disk(files: Sequence[UploadedFile]) -> Iterator[Path]:
    """Write files to a temporary folder under their names, and remove it afterwards.

    Raises:
        DataFileError: two files have the same name, or a name is not a file name.
    """
    with temporary_folder() as folder:
        for file in files:
            path = folder / Path(file.name).name
            if path.exists() or path.name != file.name:
                raise DataFileError(file.name, _("two uploaded files have this name, or it is not a file name"))
            path.write_bytes(file.getbuffer())
        yield folder


@cached(lambda file: file.file_id, most=20)
def encodings(file: UploadedFile) -> list[str]:
    """Return the possible encodings of an uploaded table; raises DataFileError as `table_layout.table_encodings`."""
    with on_disk([file]) as folder:
        return encodings_apart(folder / file.name)


@cached(lambda file, encoding, taxonomy: (file.file_id, encoding, taxonomy), most=20, spinner=N_("Reading the file …"))
def _guessed(file: UploadedFile, encoding: str, taxonomy: str) -> GuessedTable:
    with on_disk([file]) as folder:
        return guess_apart(folder / file.name, encoding, taxonomy)


@cached(lambda file, encoding, sheet, taxonomy: (file.file_id, encoding, sheet, taxonomy), most=20)
def _header(file: UploadedFile, encoding: str, sheet: str | None, taxonomy: str) -> int:
    with on_disk([file]) as folder:
        return header_apart(folder / file.name, encoding, sheet, taxonomy)


@cached(lambda file, encoding, separator: (file.file_id, encoding, separator), most=20)
def list_layout(file: UploadedFile, encoding: str | None, separator: str) -> TableLayout:
    """Return how a list of codes and names is read; raises JobMatchError as `code_list_columns.code_list_table`."""
    with on_disk([file]) as folder:
        return list_apart(folder / file.name, encoding, separator)


def table(file: UploadedFile, layout: TableLayout, n_rows: int, taxonomy: str = BUNDLED_ID) -> TableSummary:
    """Return the first rows of an uploaded table with their summary; raises as `table_process.table_apart`."""
    if layout.column is None:  # of `choose_layout`, which has read the first rows
        guess = _guessed(file, layout.encoding, taxonomy)
        same = (guess.layout.header_row, guess.layout.sheet) == (layout.header_row, layout.sheet)
        if same and guess.is_whole and len(guess.table.rows) <= n_rows:
            return guess.table
    return _table(file, layout, n_rows, taxonomy)


@cached(
    lambda file, layout, n_rows, taxonomy: (file.file_id, layout, n_rows, taxonomy),
    most=2,  # with 100,000 rows, some 100 MB each
    spinner=N_("Reading the file …"),
)
def _table(file: UploadedFile, layout: TableLayout, n_rows: int, taxonomy: str) -> TableSummary:
    with on_disk([file]) as folder:
        return table_apart(folder / file.name, layout, most_rows=n_rows, taxonomy=taxonomy)


def choose_layout(file: UploadedFile, key: str, taxonomy: str = BUNDLED_ID) -> TableLayout:
    """Draw the layout of a table as detected; return the selected one, without a column of titles.

    Args:
        file: The table.
        key: Key prefix of the widgets.
        taxonomy: Id of the taxonomy whose words detect titles.

    Raises:
        JobMatchError: the file cannot be read.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        encoding = _choose_encoding(file, key)
        guess = _guessed(file, encoding, taxonomy).layout
        sheets = [guess.sheet, *guess.other_sheets] if guess.sheet else []
        sheet = _choose_sheet(file, key, sheets)
        header_row = guess.header_row if sheet == guess.sheet else _header(file, encoding, sheet, taxonomy)
        header_row = _choose_header_row(file, key, sheet, header_row)
    if others := [name for name in sheets if name != sheet]:
        st.caption(
            _(
                "Only the sheet {sheet} is read, and comes back in a download. Not read: {others}.",
                sheet=plain(sheet or ""),
                others=plain(", ".join(others), limit=200),
            )
        )
    return TableLayout(encoding, header_row, None, sheet)


def _choose_encoding(file: UploadedFile, key: str) -> str:
    fitting = encodings(file)
    if len(fitting) == 1:
        return fitting[0]
    return st.selectbox(
        _("File encoding"),
        fitting,
        key=f"{key}_encoding_{file.file_id}",
        format_func=encoding_name,
        width=330,
        help=_("The file does not declare its encoding. Check the values below; the most likely encoding comes first."),
    )


def _choose_header_row(file: UploadedFile, key: str, sheet: str | None, guess: int) -> int:
    if table_format(Path(file.name)) not in ("csv", "xlsx"):
        return 1
    chosen = st.number_input(
        _("Header row"),
        0,
        _LAST_HEADER_ROW,
        guess,
        key=f"{key}_header_row_{file.file_id}_{sheet}",
        width=150,
        help=_("Rows above it are ignored. 0: the file has no header."),
    )
    return int(chosen)


def _choose_sheet(file: UploadedFile, key: str, sheets: Sequence[str]) -> str | None:
    if len(sheets) < 2:
        return sheets[0] if sheets else None
    return st.selectbox(
        _("Sheet"),
        sheets,
        key=f"{key}_sheet_{file.file_id}",
        width=260,
        help=_("The sheet that looks most like a table of job titles comes first."),
    )
