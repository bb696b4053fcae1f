"""Choice of the posting: a pasted or uploaded text, or an example. The form is folded once there is an own text."""

import hashlib
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch.services.demo_home import DemoHome
from jobmatch.services.describing import posting_of
from jobmatch_core.descriptions.postings import ExamplePosting, Posting, example_postings, postings_of_rows
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import ENDINGS
from pages.shared import demo_note, stored_text, uploads
from pages.shared.language import _, language_name, numeral
from pages.shared.text_limits import cut
from pages.shared.widgets import errors_shown, plain, show_deferred_error

OUT_KEY = "describe_out"
_POSTING_KEY, _TITLE_KEY, _TEXT_KEY = "describe_posting", "describe_title", "describe_text"
_TEXT_ID_KEY = "describe_text_id"  # id of the user's stored text; '' for none
ADDRESS = {"posting": _POSTING_KEY, "text": _TEXT_ID_KEY}
_OWN = "own"  # instead of an example's id
_KIND = "postings"
_FORM_KEY = "describe_edit"  # whether the folded form is open
_EXAMPLES_KEY = "describe_examples"  # whether the list of examples is open
_DEMO_KEY = "describe_demo"  # whether the list of a demo's postings is open
_FIELD_HEIGHT = 120  # pixels
_UPLOAD_KEY, _LOADED_KEY, _UPLOADED_KEY = "describe_upload", "describe_loaded", "describe_uploaded"
_FRESH_KEY = "describe_fresh"  # posting uploaded in this run
_BEFORE_KEY = "describe_before"  # posting at the last change of its text
_LISTED = 500  # postings of an uploaded table
_PHRASE = 3  # words
LONGEST, _LONGEST_TITLE = 100_000, 300  # letters of a pasted text, and of its title
_TABLES = tuple(ending for ending in ENDINGS if ending != "txt")  # a text file is one posting


def choose() -> Posting | None:
    """Draw the form; return the posting, None while there is no text.

    Raises:
        DataFileError: an uploaded file cannot be read.
    """
    examples = _examples()
    if st.session_state.get(_POSTING_KEY) not in (*examples, _OWN):
        st.session_state[_POSTING_KEY] = _OWN if st.session_state.get(_TEXT_ID_KEY) else next(iter(examples))
    show_deferred_error()
    _follow()
    example = examples.get(st.session_state[_POSTING_KEY])
    place: DeltaGenerator
    if example is None and str(st.session_state.get(_TEXT_KEY) or "").strip():
        label = _("Edit this posting, or paste another one")
        place = st.expander(label, key=_FORM_KEY, icon=":material/edit:", on_change="rerun")
    else:
        place = st.container(key="describe_form")
    with place:
        title, text = _form()
        _other_ways(examples)
    if example is not None:
        return posting_of("", example.posting.description, example.posting.title)
    posting = posting_of("", text, title)
    return posting if posting.title or posting.description else None


def show_example_note() -> None:
    """Say that the posting is an example, with a button that edits a copy; nothing for an own text."""
    example = _examples().get(st.session_state[_POSTING_KEY])
    if example is not None:
        st.badge(_("synthetic example, {language}", language=language_name(example.language)), color="gray")
        st.button(_("Edit a copy"), key="describe_copy", type="tertiary", icon=":material/edit:", on_click=_copy)


def restore_all() -> None:
    """Restore all sentences; for callbacks."""
    st.session_state[OUT_KEY] = []


def _examples() -> dict[str, ExamplePosting]:
    return {example.posting.id: example for example in example_postings()}


def _form() -> tuple[str, str]:
    # a form, because a click beside a field would carry the field's earlier value over what its change did
    with st.form("describe_fields", border=False):
        text = st.text_area(
            _("Description"),
            key=_TEXT_KEY,
            height=_FIELD_HEIGHT,
            persist_state="session",
            placeholder=_("Paste the text of a posting, in any language"),
            label_visibility="collapsed",
        )
        with st.container(horizontal=True, gap="small"):
            title = st.text_input(
                _("Title"),
                key=_TITLE_KEY,
                persist_state="session",
                placeholder=_("Title, unless it is the first line"),
                label_visibility="collapsed",
            )
            st.form_submit_button(
                _("Read the posting"),
                key="describe_read",
                type="primary",
                icon=":material/description:",
                on_click=_read,
            )
    return title, text


def _other_ways(examples: dict[str, ExamplePosting]) -> None:
    with st.container(horizontal=True, gap="small"):
        upload = st.popover(_("Upload a file"), icon=":material/upload:")
        listed = st.popover(_("Try an example"), icon=":material/lightbulb:", key=_EXAMPLES_KEY, on_change="rerun")
        with listed, st.container(gap="xxsmall"):
            for key, example in examples.items():
                st.button(
                    f"{plain(example.posting.title)} · {language_name(example.language)}",
                    key=f"describe_example_{key}",
                    type="tertiary",
                    on_click=_select,
                    args=(key,),
                )
        if (demo := demo_note.demo()) is not None:
            with st.popover(_("Open a made-up posting"), icon=":material/science:", key=_DEMO_KEY, on_change="rerun"):
                _stored_postings(demo)
        if any(st.session_state.get(key) for key in (_TEXT_KEY, _TITLE_KEY)):
            st.button(_("Clear"), key="describe_clear", icon=":material/close:", on_click=_select, args=(_OWN,))
    with errors_shown():
        _upload(upload)
    stored_text.note(_KIND, _TEXT_ID_KEY, restore_all)


def _select(key: str) -> None:
    _fold()
    st.session_state[_EXAMPLES_KEY] = False
    restore_all()
    st.session_state[_POSTING_KEY], st.session_state[_TEXT_ID_KEY] = key, ""


def _stored_postings(demo: DemoHome) -> None:
    with st.container(gap="xxsmall"):
        for text in demo.postings:
            st.button(
                f"{plain(text.title)} · {language_name(text.language)}",
                key=f"describe_demo_{text.id}",
                type="tertiary",
                on_click=_open_stored,
                args=(text.id,),
            )


def _open_stored(text_id: str) -> None:
    _select(_OWN)
    st.session_state[_DEMO_KEY], st.session_state[_TEXT_ID_KEY] = False, text_id


def _fold() -> None:
    st.session_state[_FORM_KEY] = False


def _copy() -> None:
    posting = _examples()[st.session_state[_POSTING_KEY]].posting
    _load(posting)
    _save(posting)
    st.session_state[_FORM_KEY] = True


def _read() -> None:
    if not f"{st.session_state[_TITLE_KEY]}{st.session_state[_TEXT_KEY]}".strip():
        st.toast(_("Paste the text of a posting first."), icon=":material/content_paste:")
        return
    cut(_TEXT_KEY, LONGEST)
    cut(_TITLE_KEY, _LONGEST_TITLE)
    # the title of another text is cleared, unless it was typed since
    text, before = str(st.session_state[_TEXT_KEY]), st.session_state.get(_BEFORE_KEY) or Posting("", "", "")
    if st.session_state[_TITLE_KEY] == before.title and _is_another(text, before.description):
        st.session_state[_TITLE_KEY] = ""
    posting = Posting("", str(st.session_state[_TITLE_KEY]), text)
    if text.strip():  # people may empty the field before they fill it again
        st.session_state[_BEFORE_KEY] = posting
    _fold()
    restore_all()
    _save(posting)


def _is_another(text: str, before: str) -> bool:
    # An edited version shares at least half of the shorter text's phrases, and a word of the first lines:
    # two postings of one company share many phrases, but not their first lines.
    new, old = _phrases(text), _phrases(before)
    heading, old_heading = (set(full.strip().partition("\n")[0].casefold().split()) for full in (text, before))
    return 2 * len(new & old) < min(len(new), len(old)) or not (heading & old_heading or heading == old_heading)


def _phrases(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[place : place + _PHRASE]) for place in range(max(1, len(words) - _PHRASE + 1)) if words}


def _save(posting: Posting) -> None:
    fields = {"title": posting.title, "description": posting.description[:LONGEST]}
    text_id = stored_text.save(_KIND, fields)
    st.session_state[_POSTING_KEY], st.session_state[_TEXT_ID_KEY] = _OWN, text_id
    st.session_state[_LOADED_KEY] = f"{_OWN} {text_id}"


def _follow() -> None:
    uploaded: Posting | None = st.session_state.pop(_FRESH_KEY, None)
    if uploaded is not None:
        _save(uploaded)
        _load(uploaded)
        _fold()
        return
    chosen, text_id = st.session_state[_POSTING_KEY], str(st.session_state.get(_TEXT_ID_KEY) or "")
    selected = f"{_OWN} {text_id}" if chosen == _OWN else chosen
    if st.session_state.get(_LOADED_KEY) != selected:
        stored = stored_text.read(_KIND, text_id) if chosen == _OWN and text_id else None
        fields = stored or {}  # none for an example, so that a text can be pasted at once
        _load(Posting("", fields.get("title", ""), fields.get("description", "")))
        st.session_state[_LOADED_KEY] = selected
    if chosen != _OWN:
        st.session_state[_TEXT_ID_KEY] = ""


def _load(posting: Posting) -> None:
    st.session_state[_TITLE_KEY], st.session_state[_TEXT_KEY] = posting.title, posting.description[:LONGEST]
    st.session_state[_BEFORE_KEY] = posting
    restore_all()


def _upload(place: DeltaGenerator) -> None:
    file = place.file_uploader(
        _("A text file, or a table with the columns title and description"),
        type=["txt", "md", "html", *_TABLES],
        key=_UPLOAD_KEY,
    )
    if file is None:
        return
    digest = hashlib.sha256(file.getbuffer()).hexdigest()
    if not file.name.lower().endswith(_TABLES):
        if st.session_state.get(_UPLOADED_KEY) != digest:
            _take(digest, Posting("", "", _decoded(file)))
        return
    table = uploads.table(file, uploads.choose_layout(file, "describe"), _LISTED)
    rows = list(postings_of_rows(Path(file.name), table.rows))
    if not rows:
        raise DataFileError(file.name, _("it contains no posting"))
    number = st.selectbox(
        _("One of its first {n_rows} postings", n_rows=numeral(len(rows)))
        if len(table.rows) == _LISTED
        else _("One of its {n_rows} postings", n_rows=numeral(len(rows))),
        range(len(rows)),
        format_func=lambda row: f"{row + 1} · {rows[row].title}",
        key="describe_row",
    )
    if st.session_state.get(_UPLOADED_KEY) != f"{digest} {number}":
        _take(f"{digest} {number}", rows[number])


def _take(key: str, posting: Posting) -> None:
    st.session_state[_UPLOADED_KEY], st.session_state[_FRESH_KEY] = key, posting
    st.rerun()


def _decoded(file: UploadedFile) -> str:
    try:
        return file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(
            file.name, _("it is not UTF-8 text ({error}); save it as UTF-8 and try again", error=error)
        ) from error
