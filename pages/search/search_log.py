"""The search log: consent of this browser, size and age of the log, export and erasure."""

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
    label = "Search log · on: your searches are stored" if keeps else "Search log · off: nothing is stored"
    # the label changes; a key keeps the box open
    with st.expander(label, key="search_log", icon=":material/history:"):
        _consent(keeps)
        settings = Settings.from_environment()
        store = resources.label_store() if settings.may_have_labels else None
        size = store.search_log_size() if store else _EMPTY
        st.markdown(_summary(size))
        if store and size.searches:
            _own_choices(store)
            if sign_in.may("administer"):
                _export_and_erase(store, size, settings)


def _consent(keeps: bool) -> None:
    days = Settings.from_environment().keep_days
    how_long = f"for {days} days" if days else "until they are erased"
    st.markdown(
        "While the log is on, jobmatch stores your searches, the results in the order shown, the name of the search "
        f"model, and the results that you open, {how_long}. No name is stored, and nothing leaves this installation. "
        "The log is used to train a better search. You can switch it off and erase it here at any time."
    )
    st.toggle("Store my searches", key=recording.KEEP_KEY, persist_state="session")
    st.toggle(
        "Swap two neighbouring results at random", key=recording.SWAP_KEY, disabled=not keeps,
        persist_state="session",
        help="Results at the top are opened more often, however relevant they are. Random swaps measure this position "
            "bias, so that training can correct for it. Two neighbours may be swapped in half of the searches.",
    )  # fmt: skip


def _summary(size: SearchLogSize) -> str:
    if size.oldest is None or size.newest is None:
        return "No searches are stored here."
    first, last = (f"{moment.day} {moment:%B %Y}" for moment in (size.oldest, size.newest))
    when = first if first == last else f"{first} to {last}"
    searches = f"{size.searches:,} search{'es' if size.searches != 1 else ''}"
    opened = f"{size.choices:,} {'results' if size.choices != 1 else 'result'} opened"
    return f"**{searches}** of all users, {when}; {opened}."


def _own_choices(store: LabelStore) -> None:
    own = {each.id: each for each in store.searches() if each.session == recording.session()}
    choices = [each for each in store.search_choices() if each.shown in own][-_LISTED:][::-1]
    if choices:
        st.caption("Opened in this tab, newest first")
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
            help="Pairs of a query and an opened result, weighted to correct the position bias. "
                "`jobmatch search-log export` writes the same.",
        )  # fmt: skip
        with st.popover("Erase …", icon=":material/delete:", key="search_log_erasing"):
            st.markdown(f"This permanently deletes all {size.searches:,} stored searches, of all users.")
            st.button("Erase all searches", key="search_log_erase", on_click=_erase, args=(store,))


def _erase(store: LabelStore) -> None:
    with errors_deferred():
        store.erase_searches()
