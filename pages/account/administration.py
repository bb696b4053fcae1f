"""Administration: people with their roles, sessions and claims of older judgments; keys for programs."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from db.access_store import AccessKey, Person
from jobmatch.access.api_keys import new_key
from jobmatch.access.permissions import SCOPES
from jobmatch.access.principal import Role
from jobmatch_core.errors import JobMatchError
from jobmatch_core.text.folding import visible
from pages.shared import resources, sign_in
from pages.shared.annotator import annotator_name, shown
from pages.shared.judging import when, zone
from pages.shared.language import N_, _, numeral
from pages.shared.tables import show_table
from pages.shared.widgets import confirm, dialog, done_deferred, error_box, errors_deferred, plain

_CLAIM_FROM, _CLAIM_TO = "account_claim_from", "account_claim_to"
_NAME, _ROLE, _SCOPES = "account_key_name", "account_key_role", "account_key_scopes"
_NEW, _FAULT = "account_key_new", "account_key_fault"
_SEARCH = "account_search"
_PEOPLE_SHOWN = 20


def show_people() -> None:
    """Draw the people who signed in, with their roles and sessions.

    Raises:
        LabelStoreError: the label store cannot be used.
    """
    st.markdown(_("## People"))
    people = resources.label_store().access.people()
    if not people:
        st.caption(_("Nobody has signed in yet."))
        return
    st.caption(_("Roles come from the provider's groups or the server's configuration, at each sign-in."))
    for person in _found(people):
        _person_row(person)
    _changes()
    _claim(people)


def _found(people: Sequence[Person]) -> Sequence[Person]:
    if len(people) <= _PEOPLE_SHOWN:
        return people
    name = st.text_input(_("Search people"), key=_SEARCH, icon=":material/search:", placeholder=_("Name or role"))
    words = name.casefold().split()
    matching = [person for person in people if all(word in _described(person) for word in words)]
    if not matching:
        st.caption(_("Nobody has this name or role."))
    elif len(matching) > _PEOPLE_SHOWN:
        st.caption(
            _(
                "The first {people_shown} of {n_matching} people; search for the others.",
                people_shown=_PEOPLE_SHOWN,
                n_matching=numeral(len(matching)),
            )
        )
    return matching[:_PEOPLE_SHOWN]


def _person_row(person: Person) -> None:
    viewer = sign_in.person()
    you = _(" (you)") if viewer is not None and viewer.id == person.id else ""
    with st.container(horizontal=True, vertical_alignment="center", key=f"account_{person.id}"):
        st.markdown(
            _(
                "**{name}**{you} · {role} :small[since {when}]",
                name=plain(person.name, limit=60),
                you=you,
                role=_(person.role or "no role"),
                when=when(person.at),
            ),
            width="stretch",
        )
        if st.button(_("End sessions …"), key=f"account_end_{person.id}", icon=":material/logout:", type="tertiary"):
            _ask_to_end(person, you=bool(you))


@dialog(N_("End sessions?"), icon=":material/logout:")
def _ask_to_end(person: Person, *, you: bool) -> None:
    if you:
        st.markdown(_("You will be signed out within seconds, on all your devices, and have to sign in again."))
    else:
        name = plain(person.name, limit=60)
        st.markdown(
            _("**{name}** will be signed out within seconds, on all devices, and has to sign in again.", name=name)
        )
    st.caption(_("Text typed into pages and not saved is lost. Lists, judgments and jobs stay."))
    confirm(_("End sessions"), "account_end", _end_sessions, person)


def _end_sessions(person: Person) -> None:
    with errors_deferred():
        resources.label_store().access.end_sessions(person.id, annotator_name())
        done_deferred(_("Ended the sessions of {name}.", name=plain(person.name, limit=60)))


def _changes() -> None:
    with st.expander(_("Changes of names and roles")):
        rows = [
            {
                _("When"): person.at.astimezone(zone()),
                _("Name"): person.name,
                _("Role"): _(person.role or "none"),
                _("Provider"): person.issuer,
                _("Id at the provider"): person.subject,
                _("Id in judgments"): person.id,
            }
            for person in resources.label_store().access.role_changes()
        ]
        columns = {
            _("When"): st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm"),
            _("Name"): st.column_config.TextColumn(width="medium"),
            _("Provider"): st.column_config.TextColumn(width="small"),
            _("Id at the provider"): st.column_config.TextColumn(width="small"),
        }
        show_table(rows, "account_changes", columns=columns, height="auto")


def _claim(people: Sequence[Person]) -> None:
    names = {person.id: person.name for person in people}
    typed = sorted(set(resources.label_store().counts().by_annotator) - set(names))
    if not typed:
        return
    with st.expander(_("Claim judgments made before sign-in")):
        st.caption(
            _(
                "Judgments under a typed name become those of a person. 'History' still lists the old rows, "
                "as withdrawn."
            )
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            old = st.selectbox(
                _("Judged as"), typed, None, key=_CLAIM_FROM, format_func=lambda annotator: visible(shown(annotator))
            )
            new = st.selectbox(
                _("Belongs to"), list(names), None, key=_CLAIM_TO, format_func=lambda key: visible(names[key])
            )
            chosen = old is not None and new is not None
            if st.button(_("Claim …"), key="account_claim", icon=":material/assignment_ind:", disabled=not chosen):
                _ask_to_claim(str(old), str(new))


@dialog(N_("Claim judgments?"), icon=":material/assignment_ind:")
def _ask_to_claim(old: str, new: str) -> None:
    old_name, new_name = (f"**{plain(shown(annotator), limit=60)}**" for annotator in (old, new))
    st.markdown(
        _(
            "All judgments of {old_name} will count as those of {new_name}. This cannot be undone.",
            old_name=old_name,
            new_name=new_name,
        )
    )
    confirm(_("Claim"), "account_claim", _claimed, old, new)


def _claimed(old: str, new: str) -> None:
    with errors_deferred():
        count = resources.label_store().claim(old, new, annotator_name())
        done_deferred(
            _(
                "{count} judgments now count as those of {name}.",
                count=numeral(count),
                name=plain(shown(new), limit=60),
            )
        )


def show_keys() -> None:
    """Draw the form that creates a key, or the key just created, and the keys.

    Raises:
        LabelStoreError: the label store cannot be used.
    """
    st.markdown(_("## Keys for programs"))
    st.caption(_("A program sends its key with each call of the API. Whoever has the key may do what its role may."))
    new: str | None = st.session_state.get(_NEW)
    if new is None:
        _form()
    else:
        with st.container(border=True):
            st.markdown(_(":material/key: **Copy this key now.** It is not stored and will not be shown again."))
            st.code(new, language=None, wrap_lines=True)
            st.button(_("I have copied it"), key="account_key_copied", on_click=st.session_state.pop, args=(_NEW,))
    keys = resources.label_store().access.all_keys()
    for key in keys:
        if key.revoked is None:
            _key_row(key)
    revoked = [key for key in keys if key.revoked is not None]
    if revoked:
        with st.expander(_("Revoked keys: {n_revoked}", n_revoked=numeral(len(revoked))), key="account_revoked"):
            for key in revoked:
                st.markdown(_key_text(key))


def _described(person: Person) -> str:
    role = person.role or ""
    return f"{person.name} {role} {_(role)}".casefold()


def _key_row(key: AccessKey) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_key_text(key), width="stretch")
        with st.popover(_("Revoke …"), icon=":material/key_off:", type="tertiary", key=f"account_revoking_{key.id}"):
            st.markdown(_("Programs that use this key are refused within seconds. This cannot be undone."))
            st.button(_("Revoke the key"), key=f"account_revoke_{key.id}", on_click=_revoke, args=(key,))


def _key_text(key: AccessKey) -> str:
    used = _("last used {last_day}", last_day=key.last_day) if key.last_day else _("never used")
    state = _(":red[revoked {when}]", when=when(key.revoked)) if key.revoked else used
    return _(
        "**{name}** · {role} · {scopes} :small[· made by {made_by}, {when} · {state} · id `{id}`]",
        name=plain(key.name, limit=60),
        role=_(key.role),
        scopes=", ".join(key.scopes) or _("all of the API"),
        made_by=plain(key.made_by, limit=60),
        when=when(key.at),
        state=state,
        id=key.id,
    )


def _form() -> None:
    with st.form("account_key_form"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(_("Name of the new key"), key=_NAME, placeholder=_("Such as OpenRefine"))
            st.selectbox(_("Role"), [role.value for role in Role], key=_ROLE, format_func=_)
            st.multiselect(_("Scopes"), list(SCOPES), key=_SCOPES, placeholder=_("All of the API"))
        fault: JobMatchError | None = st.session_state.pop(_FAULT, None)
        if fault is not None:
            error_box(fault)
        st.form_submit_button(_("Make a key"), key="account_key_make", icon=":material/key:", on_click=_make)


def _make() -> None:
    name, role = str(st.session_state[_NAME]), Role(str(st.session_state[_ROLE]))
    try:
        key, stored = new_key(name, role, st.session_state[_SCOPES], annotator_name(), datetime.now(UTC))
        resources.label_store().access.add_key(stored)
    except JobMatchError as error:  # shown in the form, which may be far below the top of the page
        st.session_state[_FAULT] = error
        return
    st.session_state[_NEW], st.session_state[_NAME] = key, ""


def _revoke(key: AccessKey) -> None:
    with errors_deferred():
        resources.label_store().access.revoke_key(key.id, annotator_name())
