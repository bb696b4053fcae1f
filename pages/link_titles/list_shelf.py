"""The lists that are kept on this server: opened, renamed and deleted here."""

from datetime import UTC, datetime

import streamlit as st

from jobmatch_core.linking.list_store import NAME_LENGTH, Listed, ListStore
from jobmatch_core.settings import Settings
from pages.shared.label_words import when
from pages.shared.widgets import errors_deferred, plain, show_deferred_error

LIST_KEY = "many_list"  # the id of the open list; '' for none
_SHOWN = 10  # lists, before the rest is folded away


def show() -> None:
    """Draw the lists, the last used first; nothing where there are none."""
    show_deferred_error()
    lists = ListStore.open().listed()
    if not lists:
        return
    with st.container(key="shelf", gap="small"):
        st.markdown("**Lists**")
        for listed in lists[:_SHOWN]:
            _line(listed)
        if len(lists) > _SHOWN:
            with st.expander(f"{len(lists) - _SHOWN:,} older lists", key="shelf_older"):
                for listed in lists[_SHOWN:]:
                    _line(listed)
        st.caption(_show_retention())


def _line(listed: Listed) -> None:
    name, progress, edit, remove = st.columns([6, 5, 1.4, 1.4], vertical_alignment="center")
    name.button(
        plain(listed.card.name), key=f"open_{listed.id}", icon=":material/list_alt:", type="tertiary",
        on_click=_open, args=(listed,),
    )  # fmt: skip
    used = when(datetime.fromtimestamp(listed.used, UTC))
    progress.caption(f"{listed.decided:,} of {listed.card.rows:,} decided · used {used}")
    with edit.popover("Rename", type="tertiary"):
        key = f"name_{listed.id}"
        st.text_input("Name", listed.card.name, key=key, max_chars=NAME_LENGTH, on_change=_rename, args=(listed.id,))
    if remove.button("Delete", key=f"delete_{listed.id}", type="tertiary"):
        _confirm(listed)


def _open(listed: Listed) -> None:
    st.session_state[LIST_KEY] = listed.id
    st.session_state["taxonomy"] = listed.card.options.taxonomy


def _rename(list_id: str) -> None:
    with errors_deferred():
        ListStore.open().rename(list_id, str(st.session_state[f"name_{list_id}"]))


@st.dialog("Delete this list?")
def _confirm(listed: Listed) -> None:
    decisions = f"{listed.decided:,} decision{'s' if listed.decided != 1 else ''}"
    st.markdown(
        f"**{plain(listed.card.name)}** will be deleted for everybody: {listed.card.rows:,} rows, their links and "
        f"{decisions}. This cannot be undone. Judgments recorded with these decisions remain."
    )
    with st.container(horizontal=True):
        cancelled = st.button("Cancel", key="delete_cancelled", type="primary")
        deleted = st.button(
            "Delete", key="delete_confirmed", icon=":material/delete:", on_click=_delete, args=(listed.id,)
        )
    if cancelled or deleted:
        st.rerun()


def _delete(list_id: str) -> None:
    with errors_deferred():
        ListStore.open().remove(list_id)


def _show_retention() -> str:
    days = Settings.from_environment().keep_days
    retention = (
        f"A list is deleted when nobody has opened it for {days:,} days."
        if days
        else ("Lists are stored until deleted.")
    )
    return f"{retention} Everybody who can open this page sees the lists."
