"""People who signed in: their roles, the changes of these, the end of their sessions, and claims of older judgments."""

from collections.abc import Sequence

import streamlit as st

from db.people import Person
from jobmatch_core.text.folding import visible
from pages.shared import resources
from pages.shared.annotator import annotator_name, shown
from pages.shared.label_words import when
from pages.shared.widgets import errors_deferred, plain, readable

_CLAIM_FROM, _CLAIM_TO = "account_claim_from", "account_claim_to"


def show() -> None:
    """Draw the part.

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
        _row(person)
    _changes()
    _claim(people)


def _row(person: Person) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"account_{person.id}"):
        st.markdown(f"**{plain(person.name, limit=60)}** · {person.role or 'no role'} :small[since {when(person.at)}]")
        st.space("stretch")
        st.button(
            "End sessions", key=f"account_end_{person.id}", icon=":material/logout:", type="tertiary",
            on_click=_end_sessions, args=(person,),
            help="Wherever this person is signed in, they have to sign in again within seconds.",
        )  # fmt: skip


def _end_sessions(person: Person) -> None:
    with errors_deferred():
        resources.label_store().access.end_sessions(person.id, annotator_name())
        st.toast(f"Ended the sessions of {plain(person.name, limit=60)}.", icon=":material/logout:")


def _changes() -> None:
    with st.expander("Changes of names and roles"):
        changes = resources.label_store().access.role_changes()
        rows = [
            {"When": when(each.at), "Name": each.name, "Role": each.role or "none", "Provider": each.issuer,
             "Id there": each.subject, "Annotator": each.id}
            for each in changes
        ]  # fmt: skip
        st.dataframe(readable(rows), hide_index=True, key="account_changes")


def _claim(people: Sequence[Person]) -> None:
    """Draw the form that gives the judgments under a typed name to a person."""
    names = {person.id: person.name for person in people}
    typed = sorted(set(resources.label_store().counts().by_annotator) - set(names))
    if not typed:
        return
    with st.expander("Claim judgments that were made before sign-in"):
        st.caption("They then count as the person's own. The rows under the old name stay, withdrawn.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Judged as", typed, key=_CLAIM_FROM, format_func=lambda each: visible(shown(each)))
            st.selectbox("Belongs to", list(names), key=_CLAIM_TO, format_func=lambda each: visible(names[each]))
            st.button("Claim", key="account_claim", icon=":material/assignment_ind:", on_click=_claimed)


def _claimed() -> None:
    with errors_deferred():
        old, new = str(st.session_state[_CLAIM_FROM]), str(st.session_state[_CLAIM_TO])
        count = resources.label_store().claim(old, new, annotator_name())
        st.toast(f"{count:,} judgments count for {plain(shown(new), limit=60)} now.", icon=":material/check:")
