"""Who judges: a name, kept in the session and in the address, so that it outlives a reload."""

import unicodedata

import streamlit as st

from db.models import NAME_LENGTH
from pages import _address
from pages._widgets import plain

ANNOTATOR_KEY = "annotator"
DEFAULT_NAME = "me"
_ADDRESS = {"annotator": ANNOTATOR_KEY}
_FIELD_KEY = "annotator_field"


def annotator_name() -> str:
    """Return who judges: the name in the session or the address, else 'me'. Draws nothing, and never fails."""
    _address.adopt(_ADDRESS)
    return _cleaned(str(st.session_state.get(ANNOTATOR_KEY) or "")) or DEFAULT_NAME


def annotator_popover() -> str:
    """Draw who judges, as a button that opens a field to change it; return the name."""
    name = annotator_name()
    st.session_state[ANNOTATOR_KEY] = "" if name == DEFAULT_NAME else name
    _address.write(_ADDRESS)
    st.session_state[_FIELD_KEY] = name
    with st.popover(plain(name, limit=30), icon=":material/person:", key="annotator_popover"):
        st.text_input(
            "Your name", key=_FIELD_KEY, max_chars=NAME_LENGTH, on_change=_rename,
            help="It is kept with every judgment, so that agreement between people can be measured. No password is "
            "asked for: give your own.",
        )  # fmt: skip
        st.caption("Kept with each judgment. Whoever opens this page's address judges by this name.")
    return name


def _rename() -> None:
    st.session_state[ANNOTATOR_KEY] = _cleaned(str(st.session_state.get(_FIELD_KEY) or ""))


def _cleaned(name: str) -> str:
    """Leave out what no name holds and no database keeps: control characters and halves of characters."""
    letters = (" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in name)
    return " ".join("".join(letters).split())[:NAME_LENGTH].strip()
