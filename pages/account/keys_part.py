"""Keys for programs: made here and shown once, listed, revoked."""

from datetime import UTC, datetime

import streamlit as st

from db.access_keys import AccessKey
from jobmatch.serve.access.api_keys import new_key
from jobmatch.serve.access.permissions import SCOPES
from jobmatch.serve.access.roles import Role
from pages.shared import resources
from pages.shared.annotator import annotator_name
from pages.shared.label_words import when
from pages.shared.widgets import errors_deferred, plain

_NAME, _ROLE, _SCOPES = "account_key_name", "account_key_role", "account_key_scopes"
_NEW = "account_key_new"


def show() -> None:
    """Draw the part.

    Raises:
        LabelStoreError: the label store cannot be used.
    """
    st.markdown("## Keys for programs")
    made: str | None = st.session_state.pop(_NEW, None)
    if made is not None:
        st.success("**Copy this key now:** it is not stored, and never shown again.", icon=":material/key:")
        st.code(made, language=None)
    for key in resources.label_store().access.all_keys():
        _row(key)
    _form()


def _row(key: AccessKey) -> None:
    scopes = ", ".join(key.scopes) or "all of the API"
    used = f"last used {key.last_day}" if key.last_day else "never used"
    state = f":red[revoked {when(key.revoked)}]" if key.revoked else used
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plain(key.name, limit=60)}** · {key.role} · {scopes} :small[`{key.id}`, made by "
            f"{plain(key.made_by, limit=60)}, {when(key.at)}, {state}]"
        )
        st.space("stretch")
        if key.revoked is None:
            with st.popover("Revoke …", icon=":material/key_off:", type="tertiary", key=f"account_revoking_{key.id}"):
                st.markdown("Programs that use this key are refused within seconds. That cannot be undone.")
                st.button("Revoke the key", key=f"account_revoke_{key.id}", on_click=_revoke, args=(key,))


def _form() -> None:
    with st.form("account_key_form"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Name of the new key", key=_NAME, max_chars=200, placeholder="such as OpenRefine")
            st.selectbox("Role", [each.value for each in Role], key=_ROLE)
            st.multiselect("Opens", list(SCOPES), key=_SCOPES, placeholder="all of the API")
        st.form_submit_button("Make a key", key="account_key_make", icon=":material/key:", on_click=_make)


def _make() -> None:
    with errors_deferred():
        name, role = str(st.session_state[_NAME]), Role(str(st.session_state[_ROLE]))
        key, stored = new_key(name, role, st.session_state[_SCOPES], annotator_name(), datetime.now(UTC))
        resources.label_store().access.add_key(stored)
        st.session_state[_NEW], st.session_state[_NAME] = key, ""


def _revoke(key: AccessKey) -> None:
    with errors_deferred():
        resources.label_store().access.revoke_key(key.id, annotator_name())
