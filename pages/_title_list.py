"""Take in a list of titles: pasted, or as a file with a column of titles."""

from itertools import chain, islice

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError, JobMatchError
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.tables import Record, read_table
from pages import _resources
from pages._uploads import on_disk
from pages._widgets import error_box, errors_shown, plain

MAX_ROWS = 100_000  # about 500 MB of links; more belongs to the command line
_ENCODINGS = {
    "utf-8-sig": "UTF-8", "cp1252": "Windows, Western Europe (cp1252)", "latin-1": "Latin-1",
    "cp1250": "Windows, Central Europe (cp1250)", "utf-16": "UTF-16",
}  # fmt: skip
_TITLE_COLUMNS = (
    "title", "job title", "job_title", "jobtitle", "position", "job", "role", "occupation", "beruf", "stellentitel",
    "berufsbezeichnung", "poste", "intitulé", "puesto", "stanowisko", "functie",
)  # fmt: skip
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

TitleList = tuple[list[Record], str]  # rows, and the column of the titles


def show() -> TitleList | None:
    """Draw the input; return the list when the user presses Link."""
    way = st.segmented_control(
        "How to give the titles", ["Paste", "Upload a file"], key="many_way", default="Paste", required=True,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    return _pasted() if way == "Paste" else _uploaded()


def _pasted() -> TitleList | None:
    if "many_paste" not in st.session_state:
        st.session_state["many_paste"] = _EXAMPLE
    text = st.text_area(
        "Job titles, one a line", key="many_paste", height=260, persist_state="session",
        help="A column copied from a spreadsheet works.",
    )  # fmt: skip
    titles = [line.strip() for line in text.splitlines() if line.strip()]
    label = f"Link {len(titles):,} title{'s' if len(titles) != 1 else ''}" if titles else "Link"
    if not st.button(label, key="many_link", type="primary", disabled=not titles):
        return None
    return _within_limit([{"title": title} for title in titles], "title")


def _uploaded() -> TitleList | None:
    file = st.file_uploader(
        f"A table with a column of job titles: CSV, XLSX, Parquet or JSON lines, up to {UPLOAD_LIMIT_MB} MB "
        f"and {MAX_ROWS:,} rows",
        type=["csv", "tsv", "txt", "xlsx", "parquet", "jsonl", "ndjson"], key="many_upload",
    )  # fmt: skip
    if file is None:
        st.caption("Its other columns are kept; the links are added on the right.")
        return None
    encoding = "utf-8-sig"
    try:
        columns = _resources.upload_columns(file.file_id, encoding, file)
    except DataFileError as error:
        if not isinstance(error.__cause__, UnicodeError):
            error_box(error)
            return None
        return _otherwise_encoded(file)
    return _column(file, columns, encoding)


def _otherwise_encoded(file: UploadedFile) -> TitleList | None:
    """Ask how a text that is not UTF-8 is encoded."""
    st.warning(
        "This file is not UTF-8 text. Choose how it was saved; the titles below show whether it is right.",
        icon=":material/translate:",
    )
    encoding = st.selectbox("The file's encoding", list(_ENCODINGS), index=1, key="many_encoding",
                            format_func=_ENCODINGS.__getitem__)  # fmt: skip
    with errors_shown():
        return _column(file, _resources.upload_columns(file.file_id, encoding, file), encoding)
    return None


def _column(file: UploadedFile, columns: list[str], encoding: str) -> TitleList | None:
    guess = next((n for n, name in enumerate(columns) if name.strip().lower() in _TITLE_COLUMNS), 0)
    column = st.selectbox("The column of job titles", columns, index=guess, key=f"many_column_{file.file_id}")
    if not st.button("Link the file's titles", key="many_link", type="primary"):
        return None
    try:
        with on_disk([file]) as folder, st.spinner("Reading the file …"):
            batches = read_table(folder / file.name, encoding=encoding)
            rows = list(islice(chain.from_iterable(batches), MAX_ROWS + 1))
    except JobMatchError as error:
        error_box(error)
        return None
    return _within_limit(rows, column)


def _within_limit(rows: list[Record], column: str) -> TitleList | None:
    if len(rows) > MAX_ROWS:
        st.error(
            f"The list has more than {MAX_ROWS:,} titles, the most that this page takes. "
            "Split it, or use the command line: " + plain("jobmatch link"),
            icon=":material/error:",
        )
        return None
    return rows, column
