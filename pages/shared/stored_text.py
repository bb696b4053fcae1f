"""A pasted text that is kept on the server: its id stands in the address, the text never does."""

from collections.abc import Callable, Mapping

import streamlit as st

from jobmatch_core.errors import TextError
from jobmatch_core.io.text_store import Fields, TextStore
from jobmatch_core.settings import Settings
from pages.shared.widgets import error_box, errors_held


def keep(kind: str, fields: Mapping[str, str]) -> str:
    """Keep a text and return its id; '' where it cannot be kept, which `held_error_shown` then says."""
    last, last_id = st.session_state.get(_last(kind), ({}, ""))
    if fields == last:
        return str(last_id)
    with errors_held():
        text_id = TextStore.open(kind).add(fields)
        st.session_state[_last(kind)] = (dict(fields), text_id)
        return text_id
    return ""


def read(kind: str, text_id: str) -> Fields | None:
    """Return a kept text; where it is not there any more, say so and return None."""
    try:
        fields = TextStore.open(kind).read(text_id)
    except TextError as error:
        error_box(error)
        return None
    st.session_state[_last(kind)] = (fields, text_id)
    return fields


def note(kind: str, key: str, forget: Callable[[], None]) -> None:
    """Draw how long a text is kept, and a way to delete it.

    Args:
        kind: of text.
        key: of the session's state, where the text's id is; nothing is drawn where that is ''.
        forget: is called when the text is deleted.
    """
    if not st.session_state.get(key):
        return
    days = Settings.from_environment().keep_days
    kept = f"for {days:,} days" if days else "until it is deleted"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"Stored on this server {kept}. Anyone with this page's address can read it.", width="content")
        if st.button("Delete the text", key=f"{key}_delete", type="tertiary", icon=":material/delete:"):
            _confirm(kind, key, forget)


@st.dialog("Delete this text?")
def _confirm(kind: str, key: str, forget: Callable[[], None]) -> None:
    st.markdown("The text is deleted from the server; addresses that lead to it stop working. This cannot be undone.")
    with st.container(horizontal=True):
        kept = st.button("Cancel", key=f"{key}_keep", type="primary")
        deleted = st.button("Delete", key=f"{key}_delete_confirmed", on_click=_delete, args=(kind, key, forget))
    if kept or deleted:
        st.rerun()


def _delete(kind: str, key: str, forget: Callable[[], None]) -> None:
    with errors_held():
        TextStore.open(kind).remove(str(st.session_state[key]))
        st.session_state[key] = ""
        st.session_state.pop(_last(kind), None)
        forget()


def _last(kind: str) -> str:
    return f"last_kept_{kind}"
