"""Administration: people with their roles, sessions and claims of older judgments; keys for programs."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from db.access_store import AccessKey, Person
from jobmatch.access.api_keys import new_key
from jobmatch.access.permissions import SCOPES
from jobmatch.access.principal import Role
from jobmatch_core.text.folding import visible
from pages.shared import resources
from pages.shared.annotator import annotator_name, shown
from pages.shared.judging import when
from pages.shared.widgets import errors_deferred, plain, readable

_CLAIM_FROM, _CLAIM_TO = "account_claim_from", "account_claim_to"
_NAME, _ROLE, _SCOPES = "account_key_name", "account_key_role", "account_key_scopes"
_NEW = "account_key_new"


def show_people() -> None:
    """Draw the people who signed in, with their roles and sessions.

    Raises:
        LabelStoreError: the label store cannot be used.
    """
    st.markdown("## People")
    people = resources.label_store().access.people()
    if not people:
        st.caption("Nobody has signed in yet.")
        return
    st.caption("Roles come from the provider's groups, or from the server's configuration, at each sign-in.")
    for person in people:
        _person_row(person)
    _changes()
    _claim(people)


def _person_row(person: Person) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"account_{person.id}"):
        st.markdown(f"**{plain(person.name, limit=60)}** · {person.role or 'no role'} :small[since {when(person.at)}]")
        st.space("stretch")
        st.button(
            "End sessions",
            key=f"account_end_{person.id}",
            icon=":material/logout:",
            type="tertiary",
            on_click=_end_sessions,
            args=(person,),
            help="Wherever this person is signed in, they have to sign in again within seconds.",
        )


def _end_sessions(person: Person) -> None:
    with errors_deferred():
        resources.label_store().access.end_sessions(person.id, annotator_name())
        st.toast(f"Ended the sessions of {plain(person.name, limit=60)}.", icon=":material/logout:")


def _changes() -> None:
    with st.expander("Changes of names and roles"):
        changes = resources.label_store().access.role_changes()
        rows = [
            {
                "When": when(person.at),
                "Name": person.name,
                "Role": person.role or "none",
                "Provider": person.issuer,
                "Id there": person.subject,
                "Annotator": person.id,
            }
            for person in changes
        ]
        st.dataframe(readable(rows), hide_index=True, key="account_changes")


def _claim(people: Sequence[Person]) -> None:
    names = {person.id: person.name for person in people}
    typed = sorted(set(resources.label_store().counts().by_annotator) - set(names))
    if not typed:
        return
    with st.expander("Claim judgments that were made before sign-in"):
        st.caption("They then count as the person's own. The rows under the old name stay, withdrawn.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Judged as", typed, key=_CLAIM_FROM, format_func=lambda annotator: visible(shown(annotator)))
            st.selectbox("Belongs to", list(names), key=_CLAIM_TO, format_func=lambda key: visible(names[key]))
            st.button("Claim", key="account_claim", icon=":material/assignment_ind:", on_click=_claimed)


def _claimed() -> None:
    with errors_deferred():
        old, new = str(st.session_state[_CLAIM_FROM]), str(st.session_state[_CLAIM_TO])
        count = resources.label_store().claim(old, new, annotator_name())
        st.toast(f"{count:,} judgments count for {plain(shown(new), limit=60)} now.", icon=":material/check:")


def show_keys() -> None:
    """Draw the keys, and the form that creates one.

    Raises:
        LabelStoreError: the label store cannot be used.
    """
    st.markdown("## Keys for programs")
    new: str | None = st.session_state.pop(_NEW, None)
    if new is not None:
        st.success("**Copy this key now:** it is not stored, and never shown again.", icon=":material/key:")
        st.code(new, language=None)
    for key in resources.label_store().access.all_keys():
        _key_row(key)
    _form()


def _key_row(key: AccessKey) -> None:
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
                st.markdown("Programs that use this key are refused within seconds. This cannot be undone.")
                st.button("Revoke the key", key=f"account_revoke_{key.id}", on_click=_revoke, args=(key,))


def _form() -> None:
    with st.form("account_key_form"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Name of the new key", key=_NAME, max_chars=200, placeholder="such as OpenRefine")
            st.selectbox("Role", [role.value for role in Role], key=_ROLE)
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
