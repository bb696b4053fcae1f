"""The posting that is looked at: one of the examples, changed or not, or one that is pasted or uploaded."""

import hashlib

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.descriptions.example_postings import ExamplePosting, example_postings
from jobmatch_core.descriptions.postings import Posting, read_postings
from jobmatch_core.errors import DataFileError
from jobmatch_core.languages import language_name
from pages._uploads import on_disk
from pages._widgets import errors_shown

POSTING_KEY, TITLE_KEY, TEXT_KEY, OUT_KEY = "describe_posting", "describe_title", "describe_text", "describe_out"
OWN = "own"  # in place of an example's id
_UPLOAD_KEY, _LOADED_KEY, _UPLOADED_KEY = "describe_upload", "describe_loaded", "describe_uploaded"
_FRESH_KEY = "describe_fresh"  # what was uploaded in this run
_LISTED = 500  # postings of an uploaded table
_LONGEST = 100_000  # letters of a pasted text
_TABLES = ("csv", "xlsx", "parquet", "jsonl")


def choose() -> Posting | None:
    """Draw the choice and the text; None while there is no text.

    Raises:
        DataFileError: an uploaded file cannot be read.
    """
    examples = {each.posting.id: each for each in example_postings()}
    if st.session_state.get(POSTING_KEY) not in (*examples, OWN):
        st.session_state[POSTING_KEY] = next(iter(examples))
    _follow(examples)  # before the selector is drawn, whose value cannot be changed afterwards
    st.selectbox(
        "Posting", [*examples, OWN], key=POSTING_KEY, format_func=lambda key: _label(examples.get(key)),
        persist_state="session", on_change=take_all_back, label_visibility="collapsed",
    )  # fmt: skip
    with st.expander("Edit, paste or upload", key="describe_edit", icon=":material/edit:"):
        with errors_shown():
            _upload()
        title = st.text_input("Title", key=TITLE_KEY, max_chars=300, persist_state="session", on_change=take_all_back)
        text = st.text_area(
            "Description", key=TEXT_KEY, height=260, max_chars=_LONGEST, persist_state="session",
            on_change=take_all_back, placeholder="Paste the text of a posting, in any language.",
        )  # fmt: skip
    return Posting("", title.strip(), text.strip()) if text.strip() or title.strip() else None


def take_all_back() -> None:
    """Let no sentence be left out any more; for callbacks."""
    st.session_state[OUT_KEY] = []


def _follow(examples: dict[str, ExamplePosting]) -> None:
    """Put into the form what was uploaded, or the example that was chosen last, where it is not there yet."""
    uploaded: Posting | None = st.session_state.pop(_FRESH_KEY, None)
    if uploaded is not None:
        st.session_state[POSTING_KEY] = st.session_state[_LOADED_KEY] = OWN
        _load(uploaded)
        return
    chosen = st.session_state[POSTING_KEY]
    if st.session_state.get(_LOADED_KEY) == chosen:
        return
    own = chosen == OWN
    _load(Posting("", "", "") if own else examples[chosen].posting)
    st.session_state[_LOADED_KEY] = chosen


def _load(posting: Posting) -> None:
    st.session_state[TITLE_KEY], st.session_state[TEXT_KEY] = posting.title, posting.description[:_LONGEST]
    take_all_back()


def _label(example: ExamplePosting | None) -> str:
    if example is None:
        return "My own text"
    return f"{example.posting.title} · {language_name(example.language)} · an example, made up"


def _upload() -> None:
    """Read an uploaded text, or let the user choose a posting of an uploaded table."""
    file = st.file_uploader(
        "A text file, or a table with the columns title and description", type=["txt", "md", *_TABLES], key=_UPLOAD_KEY
    )
    if file is None:
        return
    digest = hashlib.sha256(file.getbuffer()).hexdigest()
    if not file.name.lower().endswith(_TABLES):
        if st.session_state.get(_UPLOADED_KEY) != digest:
            _take(digest, Posting("", "", _decoded(file)))
        return
    with on_disk([file]) as folder:
        rows = [posting for posting, _ in zip(read_postings(folder / file.name), range(_LISTED), strict=False)]
    if not rows:
        raise DataFileError(file.name, "there is no posting in it")
    number = st.selectbox(
        f"Which of its {len(rows):,} postings" + (" (the first ones)" if len(rows) == _LISTED else ""),
        range(len(rows)), format_func=lambda row: f"{row + 1} · {rows[row].title}", key="describe_row",
    )  # fmt: skip
    if st.session_state.get(_UPLOADED_KEY) != f"{digest} {number}":
        _take(f"{digest} {number}", rows[number])


def _take(key: str, posting: Posting) -> None:
    st.session_state[_UPLOADED_KEY], st.session_state[_FRESH_KEY] = key, posting
    st.rerun()


def _decoded(file: UploadedFile) -> str:
    try:
        return file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(file.name, f"this is no text in UTF-8 ({error}); save it as UTF-8 and try again") from error
