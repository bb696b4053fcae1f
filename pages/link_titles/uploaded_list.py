"""Upload of a list of titles: encoding, header, column of titles, preview."""

from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import table_format
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.sheets.table_summary import ColumnSummary, TableSummary
from jobmatch_core.sheets.text_encoding import encoding_name
from pages.shared import uploads
from pages.shared.widgets import errors_shown, plain, readable

MAX_ROWS = 100_000  # about 500 MB of links; more belongs to the command line
_N_SHOWN = 5  # values of a column
_COLUMN_WIDTH = 180


def show() -> tuple[TableSummary, ColumnSummary] | None:
    """Draw the upload and how the file is read; return the table and its column of titles once both are there."""
    file = st.file_uploader(
        f"A table with a column of job titles: CSV, XLSX, Parquet or JSON lines, up to {UPLOAD_LIMIT_MB} MB "
        f"and {MAX_ROWS:,} rows",
        type=["csv", "tsv", "txt", "xlsx", "parquet", "jsonl", "ndjson"], key="many_upload",
    )  # fmt: skip
    if file is None:
        st.caption("The other columns stay; the links are added on the right.")
        return None
    with errors_shown():
        table = _table(file)
        column = _column(file, table)
        return (table, column) if column else None
    return None


def _table(file: UploadedFile) -> TableSummary:
    """Draw the choices of how the file is read, and read it.

    Raises:
        DataFileError: it cannot be read.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        encoding = _encoding(file)
        header_row = _header_row(file, encoding)
    table = uploads.table(file, encoding, header_row, MAX_ROWS + 1)
    if not table.rows:
        raise DataFileError(file.name, "the file has no rows below its header")
    return table


def _encoding(file: UploadedFile) -> str:
    """Draw the encodings that fit, where more than one does."""
    fitting = uploads.encodings(file)
    if len(fitting) == 1:
        return fitting[0]
    return st.selectbox(
        "File encoding", fitting, key=f"many_encoding_{file.file_id}", format_func=encoding_name, width=330,
        help="The file does not declare its encoding. Check the values below; the most likely encoding comes first.",
    )  # fmt: skip


def _header_row(file: UploadedFile, encoding: str) -> int:
    """Draw whether the table has a header, and in which row; 0 where it has none."""
    if table_format(Path(file.name)) not in ("csv", "xlsx"):
        return 1
    guess = uploads.header(file, encoding)
    row_key = f"many_header_row_{file.file_id}"
    row = int(st.session_state.get(row_key, max(guess, 1)))
    label = "The first row is a header" if row == 1 else f"Row {row:,} is the header"
    has_header = st.toggle(label, value=guess > 0, key=f"many_header_{file.file_id}")
    chosen = st.number_input(
        "Header row", 1, MAX_ROWS, max(guess, 1), key=row_key, width=150, disabled=not has_header,
        help="Rows above it are ignored.",
    )  # fmt: skip
    return int(chosen) if has_header else 0


def _column(file: UploadedFile, table: TableSummary) -> ColumnSummary | None:
    columns = {column.name: column for column in table.columns}
    names = tuple(columns)
    guess = names.index(table.title_column) if table.title_column else None
    name = st.selectbox(
        "Column with job titles", names, index=guess, key=f"many_column_{file.file_id}_{hash(names)}",
        placeholder="No column looks like job titles; choose one",
    )  # fmt: skip
    _examples(table.columns, name)
    if name is None:
        return None
    if not columns[name].has_text:
        st.warning(
            f"{plain(name)} contains numbers, dates, codes or addresses rather than job titles.", icon=":material/pin:"
        )
    return columns[name]


def _examples(columns: tuple[ColumnSummary, ...], chosen: str | None) -> None:
    """Draw five values of each column, the chosen one at the left."""
    shown = sorted(columns, key=lambda column: column.name != chosen)
    values = {column.name: [*column.examples, *[""] * (_N_SHOWN - len(column.examples))] for column in shown}
    st.caption(f"The first {_N_SHOWN} distinct values of each column:")
    st.dataframe(
        readable(values), hide_index=True, key="many_examples", height="content",
        alt="The first values of each column",
        column_config={name: st.column_config.TextColumn(
            f"✓ {name}" if name == chosen else name, width=_COLUMN_WIDTH
        ) for name in values},
    )  # fmt: skip
