"""Shelf of stored lists, to open, rename, share and delete."""

from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.io.ownership import Act, Ownership
from jobmatch_core.linking.list_store import Listed, ListStore
from jobmatch_core.settings import Settings
from pages.shared import sign_in
from pages.shared.annotator import shown
from pages.shared.judging import when
from pages.shared.language import N_, _, numeral, plural
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import confirm, dialog, errors_deferred, plain, show_deferred_error

LIST_KEY = "many_list"  # id of the open list; '' for none
_STORE = "lists"
_SHOWN = 10  # lists before 'older lists'


def stored_lists() -> ListStore:
    """Open the store of lists with the viewer's permissions."""
    return ListStore.open(allowed=sign_in.allowed(_STORE))


def whose(ownership: Ownership) -> str:
    """Return a list's owner and whether it is shared, in words; '' where nobody signs in."""
    person = sign_in.person()
    if person is None:
        return ""
    if not ownership.owner:
        return _("everybody's")
    name = _("yours") if ownership.owner == person.id else plain(shown(ownership.owner), limit=40)
    return f"{name}, {_('shared') if ownership.shared else _('private')}"


def show() -> None:
    """Draw the lists, most recently used first."""
    show_deferred_error()
    lists = stored_lists().listed()
    if not lists:
        if sign_in.person() is not None:
            st.caption(_("You have no lists yet."))
        return
    with st.container(key="shelf", gap="small"):
        st.markdown(_("**Lists**"))
        for listed in lists[:_SHOWN]:
            _line(listed)
        if len(lists) > _SHOWN:
            with st.expander(_("{n_lists} older lists", n_lists=numeral(len(lists) - _SHOWN)), key="shelf_older"):
                for listed in lists[_SHOWN:]:
                    _line(listed)
        st.caption(_retention())


def _line(listed: Listed) -> None:
    name, progress, edit, remove = st.columns([6, 5, 1.4, 1.4], vertical_alignment="center")
    name.button(
        plain(listed.card.name),
        key=f"open_{listed.id}",
        icon=":material/list_alt:",
        type="tertiary",
        on_click=_open,
        args=(listed,),
    )
    used = when(datetime.fromtimestamp(listed.used, UTC))
    facts = [
        _("{decided} of {rows} decided in this list", decided=numeral(listed.decided), rows=numeral(listed.card.rows)),
        _("used {used}", used=used),
        whose(listed.card.ownership),
    ]
    progress.caption(" · ".join(filter(None, facts)))
    allowed, ownership = sign_in.allowed(_STORE), listed.card.ownership
    rename, share = allowed(Act.RENAME, ownership), allowed(Act.SHARE, ownership)
    if rename or share:
        _edit_menu(listed, edit, rename=rename, share=share)
    if allowed(Act.DELETE, ownership) and remove.button(_("Delete"), key=f"delete_{listed.id}", type="tertiary"):
        _confirm(listed)


def _edit_menu(listed: Listed, place: DeltaGenerator, *, rename: bool, share: bool) -> None:
    with place.popover(_("Edit") if share else _("Rename"), type="tertiary"):
        if rename:
            st.text_input(
                _("Name"),
                listed.card.name,
                key=f"name_{listed.id}",
                on_change=_rename,
                args=(listed.id,),
            )
        if share:
            key = f"share_{listed.id}"
            st.session_state[key] = listed.card.ownership.shared  # another tab may have changed it
            st.toggle(_("Share with everybody here"), key=key, on_change=_share, args=(listed.id,))


def _open(listed: Listed) -> None:
    st.session_state[LIST_KEY] = listed.id
    st.session_state[TAXONOMY_KEY] = listed.card.options.taxonomy


def _rename(list_id: str) -> None:
    with errors_deferred():
        stored_lists().rename(list_id, str(st.session_state[f"name_{list_id}"]))


def _share(list_id: str) -> None:
    with errors_deferred():
        stored_lists().share(list_id, shared=bool(st.session_state[f"share_{list_id}"]))


@dialog(N_("Delete this list?"))
def _confirm(listed: Listed) -> None:
    decisions = plural("{n} decision", "{n} decisions", listed.decided)
    st.markdown(
        _(
            "**{name}** will be deleted for everybody: {rows} rows, their links and {decisions}. This "
            "cannot be undone. Judgments recorded with these decisions remain.",
            name=plain(listed.card.name),
            rows=numeral(listed.card.rows),
            decisions=decisions,
        )
    )
    confirm(_("Delete"), "delete", _delete, listed.id)


def _delete(list_id: str) -> None:
    with errors_deferred():
        stored_lists().remove(list_id)


def _retention() -> str:
    days = Settings.from_environment().keep_days
    retention = _("Lists are stored until deleted.")
    if days:
        retention = _("A list is deleted when nobody has opened it for {days} days.", days=numeral(days))
    if sign_in.person() is None:
        return _("{retention} Everybody who can open this page sees the lists.", retention=retention)
    return _("{retention} Only its owner and reviewers see a private list.", retention=retention)
