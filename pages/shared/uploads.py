"""Uploaded tables: columns, encoding, sheets, header and first rows, read once for each file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.sheets.sheet_choice import SheetChoice
from jobmatch_core.sheets.table_layout import TableSummary
from jobmatch_core.sheets.table_process import (
    columns_apart,
    encodings_apart,
    header_apart,
    sheets_apart,
    table_apart,
)
from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared.cache import cached


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
                raise DataFileError(file.name, "two uploaded files have this name, or it is not a file name")
            path.write_bytes(file.getbuffer())
        yield folder


@cached(lambda file, encoding, sheet=None: (file.file_id, encoding, sheet), most=20)
def columns(file: UploadedFile, encoding: str, sheet: str | None = None) -> list[str]:
    """Return the columns of an uploaded table; raises DataFileError as `tables.table_columns`."""
    with on_disk([file]) as folder:
        return columns_apart(folder / file.name, encoding, sheet)


@cached(lambda file: file.file_id, most=20)
def encodings(file: UploadedFile) -> list[str]:
    """Return the possible encodings of an uploaded table; raises DataFileError as `table_layout.table_encodings`."""
    with on_disk([file]) as folder:
        return encodings_apart(folder / file.name)


@cached(lambda file, taxonomy=BUNDLED_ID: (file.file_id, taxonomy), most=20)
def sheets(file: UploadedFile, taxonomy: str = BUNDLED_ID) -> SheetChoice:
    """Return the sheets of an uploaded table; raises JobMatchError as `table_layout.table_sheets`."""
    with on_disk([file]) as folder:
        return sheets_apart(folder / file.name, taxonomy)


@cached(lambda file, encoding, sheet, taxonomy: (file.file_id, encoding, sheet, taxonomy), most=20)
def header(file: UploadedFile, encoding: str, sheet: str | None, taxonomy: str) -> int:
    """Return the row with the column names; raises JobMatchError as `table_layout.guess_table_header`."""
    with on_disk([file]) as folder:
        return header_apart(folder / file.name, encoding, sheet, taxonomy)


@cached(
    lambda file, encoding, header_row, n_rows, sheet=None, taxonomy=BUNDLED_ID: (
        file.file_id, encoding, header_row, n_rows, sheet, taxonomy
    ),
    most=2,  # with 100,000 rows, some 100 MB each
    spinner="Reading the file …",
)  # fmt: skip
def table(
    file: UploadedFile,
    encoding: str,
    header_row: int,
    n_rows: int,
    sheet: str | None = None,
    taxonomy: str = BUNDLED_ID,
) -> TableSummary:
    """Return the first rows of an uploaded table with their summary; raises as `table_process.table_apart`."""
    with on_disk([file]) as folder:
        return table_apart(
            folder / file.name, encoding=encoding, header_row=header_row, most_rows=n_rows, sheet=sheet,
            taxonomy=taxonomy,
        )  # fmt: skip


def choose_sheet(file: UploadedFile, key: str, taxonomy: str = BUNDLED_ID) -> str | None:
    """Draw the sheets of a workbook with several, the likeliest one chosen; None for a file without sheets.

    Raises:
        JobMatchError: the file cannot be read.
    """
    found = sheets(file, taxonomy)
    if found.chosen is None or not found.others:
        return found.chosen
    return st.selectbox(
        "Sheet", [found.chosen, *found.others], key=f"{key}_{file.file_id}", width=260,
        help="The sheet that looks most like a table of job titles comes first.",
    )  # fmt: skip
