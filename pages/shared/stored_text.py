"""Pasted texts stored on the server. The address contains a text's id, never the text."""

from collections.abc import Callable, Mapping

import streamlit as st

from jobmatch_core.errors import TextError
from jobmatch_core.io.ownership import Act, Ownership
from jobmatch_core.io.user_store import Fields, TextStore
from jobmatch_core.settings import Settings
from pages.shared import sign_in
from pages.shared.language import N_, _, numeral
from pages.shared.widgets import confirm, dialog, error_box, errors_deferred

_STORE = "texts"


def save(kind: str, fields: Mapping[str, str]) -> str:
    """Store a text and return its id; '' on failure, which `show_deferred_error` reports."""
    last, last_id = st.session_state.get(_last(kind), ({}, ""))
    if fields == last:
        return str(last_id)
    with errors_deferred():
        text_id = _texts(kind).add(fields, sign_in.owner())
        st.session_state[_last(kind)] = (dict(fields), text_id)
        return text_id
    return ""


def read(kind: str, text_id: str) -> Fields | None:
    """Return a stored text; if it no longer exists, show the error and return None."""
    try:
        fields = _texts(kind).read(text_id)
    except TextError as error:
        error_box(error)
        return None
    st.session_state[_last(kind)] = (fields, text_id)
    return fields


def note(kind: str, key: str, forget: Callable[[], None]) -> None:
    """Draw a text's retention and readers, with controls to share and delete it.

    Args:
        kind: Kind of text.
        key: Key of the session's state with the text's id; nothing is drawn for ''.
        forget: Called after the text is deleted.
    """
    text_id = str(st.session_state.get(key) or "")
    if not text_id:
        return
    try:
        ownership = _texts(kind).stored(text_id).ownership
    except TextError:  # deleted, or no longer shared
        st.caption(_("This text is not stored here any more. Change it to store it again."))
        return
    allowed = sign_in.allowed(_STORE)
    days = Settings.from_environment().keep_days
    duration = _("for {days} days", days=numeral(days)) if days else _("until it is deleted")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            _("Stored on this server {duration}. {readers}", duration=duration, readers=_readers(ownership)),
            width="content",
        )
        if allowed(Act.SHARE, ownership):
            st.session_state[f"{key}_share"] = ownership.shared  # another tab may have changed it
            st.toggle(_("Share with everybody here"), key=f"{key}_share", on_change=_share, args=(kind, key))
        if allowed(Act.DELETE, ownership) and st.button(
            _("Delete the text"), key=f"{key}_delete", type="tertiary", icon=":material/delete:"
        ):
            _confirm(kind, key, forget)


def _texts(kind: str) -> TextStore:
    return TextStore.open(kind, allowed=sign_in.allowed(_STORE))


def _readers(ownership: Ownership) -> str:
    if sign_in.person() is None:
        return _("Anyone with this page's address can read it.")
    if ownership.owner and not ownership.shared:
        return _("Only its owner and reviewers can read it.")
    return _("Everybody who can sign in can read it at this page's address.")


def _share(kind: str, key: str) -> None:
    with errors_deferred():
        _texts(kind).share(str(st.session_state[key]), shared=bool(st.session_state[f"{key}_share"]))


@dialog(N_("Delete this text?"))
def _confirm(kind: str, key: str, forget: Callable[[], None]) -> None:
    st.markdown(
        _("The text is deleted from the server; addresses that lead to it stop working. This cannot be undone.")
    )
    confirm(_("Delete"), f"{key}_delete", _delete, kind, key, forget)


def _delete(kind: str, key: str, forget: Callable[[], None]) -> None:
    with errors_deferred():
        _texts(kind).remove(str(st.session_state[key]))
        st.session_state[key] = ""
        st.session_state.pop(_last(kind), None)
        forget()


def _last(kind: str) -> str:
    return f"last_kept_{kind}"
