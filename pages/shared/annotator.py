"""The annotator: the key of the person signed in, or else a typed name, stored in the session and in a cookie."""

import unicodedata
from collections.abc import Callable
from functools import partial

import streamlit as st

from db.models import NAME_LENGTH
from jobmatch.access.principal import PERSON
from pages.shared import browser, resources, sign_in
from pages.shared.language import N_, _
from pages.shared.widgets import dialog, plain

_ANNOTATOR_KEY = "annotator"
_DEFAULT_NAME = "this computer"  # stored with what is done without a name
_COOKIE = "jobmatch_annotator"
_FIELD_KEY, _FORM_FIELD_KEY = "annotator_field", "annotator_form_field"
_WAITING_KEY = "annotator_waiting"
_FORMER_PARAMETER = "annotator"  # of addresses of earlier releases
_HELP = N_("Stored with every judgment, so that agreement between annotators can be measured. There is no password.")


def given_name() -> str:
    """Return the annotator: the key of the person signed in, else the name from the session or cookie, '' if none."""
    if (person := sign_in.person()) is not None:
        return person.id
    if _ANNOTATOR_KEY not in st.session_state:
        st.session_state[_ANNOTATOR_KEY] = browser.read_cookie(_COOKIE)
    return _cleaned(str(st.session_state[_ANNOTATOR_KEY] or ""))


def annotator_name() -> str:
    """Return the annotator's display name, 'this computer' if none was given. Verdicts need a name: see `with_name`."""
    person = sign_in.person()
    return person.name if person is not None else given_name() or _DEFAULT_NAME


def shown(annotator: str) -> str:
    """Return an annotator's display name: the person's name for a key, else the annotator itself."""
    if annotator not in resources.annotator_names() and annotator.startswith(PERSON):
        resources.annotator_names.clear()  # a person who signed in after the names were read
    return resources.annotator_names().get(annotator, annotator)


def annotator_popover(*, always: bool = True) -> str:
    """Draw the annotator's name with a field to change it, or 'Sign out'; return the annotator, '' if there is none.

    Runs the action that waits in `with_name`, or asks for the name. Call it before drawing what that action changes.

    Args:
        always: Whether to draw it also while there is no name.
    """
    if (person := sign_in.person()) is not None:
        with st.popover(plain(person.name, limit=30), icon=":material/person:", key="annotator_popover"):
            stored = _(" Your verdicts are stored with your account.") if sign_in.may("judge") else ""
            st.caption(_("Signed in as {role}.{stored}", role=_(person.role or ""), stored=stored))
            sign_in.sign_out_button()
        return person.id
    name = given_name()
    _go_on(name)
    st.query_params.pop(_FORMER_PARAMETER, None)
    browser.save_cookie(_COOKIE, name)
    if not (name or always):
        return name
    st.session_state[_FIELD_KEY] = name
    label = plain(name, limit=30) or _("Your name")
    with st.popover(label, icon=":material/person:", key="annotator_popover"):
        st.text_input(_("Your name"), key=_FIELD_KEY, on_change=_store_name, args=(_FIELD_KEY,), help=_(_HELP))
        st.caption(_("Stored with each judgment and remembered by this browser."))
    return name


def with_name(act: Callable[..., None], *arguments: object) -> None:
    """Call *act* if the annotator has a name and may judge; otherwise ask for the name first. For callbacks."""
    if not sign_in.may("judge"):
        st.toast(sign_in.needed_for("judge"), icon=":material/lock:")
    elif given_name():
        act(*arguments)
    else:
        st.session_state[_WAITING_KEY] = partial(act, *arguments)


def name_form(button: str) -> None:
    """Draw a form that asks for the name."""
    with st.form("annotator_form", border=False):
        st.text_input(_("Your name"), key=_FORM_FIELD_KEY, help=_(_HELP))
        st.form_submit_button(
            button, type="primary", key="annotator_form_go", on_click=_store_name, args=(_FORM_FIELD_KEY,)
        )
    browser.focus(_FORM_FIELD_KEY)


def _dismissed() -> None:
    # a closing dialog may report a dismissal although the name was given
    if not given_name():
        st.session_state.pop(_WAITING_KEY, None)


@dialog(N_("What is your name?"), icon=":material/person:", on_dismiss=_dismissed)
def _ask() -> None:
    st.write(_("Your name is stored with each of your verdicts. This browser remembers it."))
    name_form(_("Save the verdict"))
    if given_name():
        st.rerun()


def _go_on(name: str) -> None:
    # not in the dialog's callback: elements drawn there would replace the top of the page
    waiting: partial[None] | None = st.session_state.get(_WAITING_KEY)
    if waiting is None:
        return
    if name:
        waiting()  # a rerun may interrupt this run here; the next run then repeats the action
        st.session_state.pop(_WAITING_KEY, None)
    else:
        _ask()


def _store_name(field: str) -> None:
    st.session_state[_ANNOTATOR_KEY] = _cleaned(str(st.session_state.get(field) or ""))


def _cleaned(name: str) -> str:
    # control characters and lone surrogates, which no database stores
    letters = (" " if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") else letter for letter in name)
    return " ".join("".join(letters).split())[:NAME_LENGTH].strip()
