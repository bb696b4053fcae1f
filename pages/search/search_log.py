"""The search log: whether this browser's searches are kept, how much there is, how old, export and erasure."""

import streamlit as st

from db.label_store import LabelStore
from db.search_log import SearchLogSize
from jobmatch.services.search_log import pairs_as_jsonl, training_pairs
from jobmatch_core.settings import Settings
from pages.search import recording
from pages.shared import resources, sign_in
from pages.shared.widgets import errors_deferred, readable

_LISTED = 20
_EMPTY = SearchLogSize(0, 0, None, None)


def show() -> None:
    """Draw the consent and the log.

    Raises:
        LabelStoreError: the label store cannot be read.
    """
    keeps = bool(st.session_state[recording.KEEP_KEY])
    label = "Search log · on: your searches are kept" if keeps else "Search log · off: nothing is kept"
    # the label changes; a key keeps the box open
    with st.expander(label, key="search_log", icon=":material/history:"):
        _consent(keeps)
        settings = Settings.from_environment()
        store = resources.label_store() if settings.may_have_labels else None
        size = store.search_log_size() if store else _EMPTY
        st.markdown(_told(size))
        if store and size.searches:
            _own_choices(store)
            if sign_in.may("administer"):
                _export_and_erase(store, size, settings)


def _consent(keeps: bool) -> None:
    days = Settings.from_environment().keep_days
    how_long = f"for {days} days" if days else "until somebody erases it"
    st.markdown(
        "Switched on, jobmatch keeps what you search for, what it showed you in which order and by which model, and "
        f"what you opened, {how_long}. It keeps no name; nothing leaves this installation. It serves to train a "
        "better search. You can switch it off and erase it here at any time."
    )
    st.toggle("Keep my searches", key=recording.KEEP_KEY, persist_state="session")
    st.toggle(
        "Let chance swap two neighbours now and then", key=recording.SWAP_KEY, disabled=not keeps,
        persist_state="session",
        help="What stands first is opened more often, however good it is. Swaps tell by how much, so that training "
            "can make up for it. At most two neighbours of a search change places.",
    )  # fmt: skip


def _told(size: SearchLogSize) -> str:
    if size.oldest is None or size.newest is None:
        return "No searches are kept here."
    first, last = (f"{moment.day} {moment:%B %Y}" for moment in (size.oldest, size.newest))
    when = first if first == last else f"{first} to {last}"
    searches = f"{size.searches:,} search{'es' if size.searches != 1 else ''}"
    opened = f"{size.choices:,} {'things were' if size.choices != 1 else 'thing was'} opened"
    return f"**{searches}** of everybody here, {when}; {opened}."


def _own_choices(store: LabelStore) -> None:
    own = {each.id: each for each in store.searches() if each.session == recording.session()}
    choices = [each for each in store.search_choices() if each.shown in own][-_LISTED:][::-1]
    if choices:
        st.caption("What you opened in this tab, the last first")
        st.dataframe(
            readable({
                "Search": [own[each.shown].query for each in choices],
                "Opened": [recording.title_of(each.item) for each in choices],
                "Rank": [each.rank for each in choices],
            }),
            hide_index=True, key="search_log_choices",
        )  # fmt: skip


def _export_and_erase(store: LabelStore, size: SearchLogSize, settings: Settings) -> None:
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Export for training", lambda: pairs_as_jsonl(training_pairs(store, settings)), "searches.jsonl",
            "application/jsonl", key="search_log_export", icon=":material/download:", on_click="ignore",
            help="Pairs of a query and what was opened, weighed against the advantage of the first ranks. "
                "`jobmatch search-log export` writes the same.",
        )  # fmt: skip
        with st.popover("Erase …", icon=":material/delete:", key="search_log_erasing"):
            st.markdown(f"This deletes all {size.searches:,} kept searches for good, of everybody who uses this.")
            st.button("Erase all searches", key="search_log_erase", on_click=_erase, args=(store,))


def _erase(store: LabelStore) -> None:
    with errors_deferred():
        store.erase_searches()
