"""Input of a list of titles: pasted, or a file with its encoding, sheet, header and column of titles."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import ENDINGS, Record
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.sheets.garbled_titles import garbled_titles
from jobmatch_core.sheets.table_layout import ColumnSummary, TableSummary
from pages.shared import browser, uploads
from pages.shared.widgets import errors_shown, plain, readable

_MAX_ROWS = 100_000  # about 500 MB of links; longer lists belong on the command line
_N_SHOWN = 5  # values of a column
_COLUMN_WIDTH = 180
_UPLOAD_KEY = "many_upload"
_PASTE_KEY = "many_paste"
_EXAMPLE = """Krankenschwester
Senior Software Engineer (m/w/d) - Leeds
infirmière
camarero
Head of Vibes
Kfz-Mechatroniker
pielęgniarka
Account Executive II
truck driver
cuoco"""


def _upload(taxonomy: str) -> tuple[TableSummary, ColumnSummary] | None:
    file = st.file_uploader(
        f"A table with a column of job titles: CSV, XLSX, Parquet or JSON, up to {UPLOAD_LIMIT_MB} MB "
        f"and {_MAX_ROWS:,} rows",
        type=list(ENDINGS),
        key=_UPLOAD_KEY,
    )
    if file is None:
        st.caption("The links are added to the right of the file's columns.")
        return None
    with errors_shown():
        table = uploads.table(file, uploads.choose_layout(file, "many", taxonomy), _MAX_ROWS + 1, taxonomy)
        if not table.rows:
            raise DataFileError(file.name, "the file has no rows below its header")
        column = _column(file, table)
        return (table, column) if column else None
    return None


def _column(file: UploadedFile, table: TableSummary) -> ColumnSummary | None:
    columns = {column.name: column for column in table.columns}
    names = tuple(columns)
    guess = names.index(table.title_column) if table.title_column else None
    name = st.selectbox(
        "Column with job titles",
        names,
        index=guess,
        key=f"many_column_{file.file_id}_{hash(names)}",
        placeholder="No column looks like job titles; choose one",
    )
    _examples(table.columns, name)
    if name is None:
        return None
    if not columns[name].has_text:
        st.warning(
            f"{plain(name)} contains numbers, dates, codes or addresses rather than job titles.", icon=":material/pin:"
        )
    if columns[name].garbled:
        st.warning(plain(columns[name].garbled.message()), icon=":material/broken_image:")
    return columns[name]


def _examples(columns: tuple[ColumnSummary, ...], chosen: str | None) -> None:
    shown = sorted(columns, key=lambda column: column.name != chosen)
    values = {column.name: [*column.examples, *[""] * (_N_SHOWN - len(column.examples))] for column in shown}
    st.caption(f"The first {_N_SHOWN} distinct values of each column:")
    st.dataframe(
        readable(values),
        hide_index=True,
        key="many_examples",
        height="content",
        alt="The first values of each column",
        column_config={
            name: st.column_config.TextColumn(f"✓ {name}" if name == chosen else name, width=_COLUMN_WIDTH)
            for name in values
        },
    )


@dataclass(frozen=True, slots=True)
class TitleList:
    """List of titles.

    Attributes:
        rows: Rows of the file, or one for each pasted title.
        column: Name of the column of titles.
        numbers: Number of each row in its file, or of each pasted line.
        name: Name of the file without its ending; '' for pasted titles.
    """

    rows: Sequence[Record]
    column: str
    numbers: Sequence[int]
    name: str = ""


def show(taxonomy: str) -> TitleList | None:
    """Draw the input; return the list when the user presses Link.

    Args:
        taxonomy: Id of the taxonomy, whose words detect the column of titles.
    """
    way = st.segmented_control(
        "Input method",
        ["Paste", "Upload a file"],
        key="many_way",
        default="Paste",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return _pasted() if way == "Paste" else _uploaded(taxonomy)


def _pasted() -> TitleList | None:
    if _PASTE_KEY not in st.session_state:
        st.session_state[_PASTE_KEY] = _EXAMPLE
    text = st.text_area(
        "Job titles, one per line",
        key=_PASTE_KEY,
        height=260,
        persist_state="session",
        help="A column copied from a spreadsheet works.",
    )
    browser.send_changes(_PASTE_KEY)
    titles = {number: line.strip() for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    if garbled := garbled_titles(titles.items()):
        st.warning(plain(garbled.message("copy the titles again")), icon=":material/broken_image:")
    if not _link_button(len(titles)):
        return None
    return _within_limit(TitleList([{"title": title} for title in titles.values()], "title", list(titles)))


def _uploaded(taxonomy: str) -> TitleList | None:
    chosen = _upload(taxonomy)
    if chosen is None:
        return None
    table, column = chosen
    if not _link_button(column.n_filled, sure=column.has_text):
        return None
    name = Path(st.session_state[_UPLOAD_KEY].name).stem
    return _within_limit(TitleList(table.rows, column.name, table.numbers, name))


def _link_button(n_titles: int, *, sure: bool = True) -> bool:
    label = f"Link {n_titles:,} title{'s' if n_titles != 1 else ''}" if n_titles else "Link"
    return st.button(label, key="many_link", type="primary" if sure else "secondary", disabled=not n_titles)


def _within_limit(titles: TitleList) -> TitleList | None:
    if len(titles.rows) > _MAX_ROWS:
        st.error(
            f"The list has more than {_MAX_ROWS:,} titles, the limit of this page. Split it, or use the command "
            "line: " + plain("jobmatch link"),
            icon=":material/error:",
        )
        return None
    return titles
