"""Search log: consent, the order of hits, the log's size and age, export and erasure."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from db.label_store import LabelStore
from db.search_log import SearchLogSize
from jobmatch.services.home_services import home_services
from jobmatch.services.search_log import pairs_as_jsonl, training_pairs
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import Record, item_title
from jobmatch_core.settings import Settings
from pages.search.scope import Scope
from pages.shared import resources, search_recording, sign_in
from pages.shared.language import _, day, numeral, plural
from pages.shared.search_recording import KEEP_KEY, VARY_KEY, Asked, Ranked
from pages.shared.widgets import errors_deferred, plain, readable

_LISTED = 20
_LONGEST_NOTE = 1000
_EMPTY = SearchLogSize(0, 0, None, None)


def in_shown_order(chosen: Scope, query: str, model: str, hits: Sequence[SearchHit[Record]]) -> list[SearchHit[Record]]:
    """Return hits in the order shown, see `search_recording.in_shown_order`."""

    def compared() -> Ranked[SearchHit[Record]] | None:
        index = home_services().searching.compared(chosen.kind, chosen.source)
        return None if index is None else _ranked(index.model, index.search(query, chosen.filters, len(hits)))

    asked = Asked(chosen.kind, chosen.source, query.strip())
    shown = search_recording.in_shown_order(asked, _ranked(model, hits), compared)
    return [replace(hit, rank=rank) for rank, hit in enumerate(shown, start=1)]


def _ranked(model: str, hits: Sequence[SearchHit[Record]]) -> Ranked[SearchHit[Record]]:
    return Ranked(model, {hit.record.id: hit for hit in hits})


def opened(record: Record) -> None:
    """Record that an item was opened, with consent; for callbacks."""
    search_recording.opened(record.id, item_title(record))


def show() -> None:
    """Draw the consent and the log; raises LabelStoreError if the label store cannot be read."""
    keeps = bool(st.session_state[KEEP_KEY])
    label = _("Search log · on: your searches are stored") if keeps else _("Search log · off: nothing is stored")
    # the label changes; the key keeps the box open
    with st.expander(label, key="search_log", icon=":material/history:"):
        _consent(keeps)
        settings = Settings.from_environment()
        store = resources.label_store() if settings.may_have_labels else None
        size = store.search_log_size() if store else _EMPTY
        st.markdown(_summary(size))
        if store and size.searches:
            _own_choices(store)
            _export_and_erase(store, size, settings)


def _consent(keeps: bool) -> None:
    days = Settings.from_environment().keep_days
    how_long = _("for {days} days", days=days) if days else _("until they are erased")
    st.markdown(
        _(
            "While the log is on, jobmatch stores your searches, the results in the order shown, the "
            "name of the model, and the results that you open, {how_long}. While two models of 'Find "
            "freelancers' are compared, it stores the titles of your projects there in the same way. No "
            "name is stored, and nothing leaves this installation. The log is used to train a better "
            "search and to compare models. You can switch it off here at any time, and erase the "
            "searches of this browser: they are stored with a random id that it remembers in a cookie. "
            "Without the cookie, only an administrator can erase them.",
            how_long=how_long,
        )
    )
    st.toggle(_("Store my searches"), key=KEEP_KEY, persist_state="session")
    st.toggle(
        _("Vary the order at random"),
        key=VARY_KEY,
        disabled=not keeps,
        persist_state="session",
        help=_(
            "Results at the top are opened more often, however relevant they are. Random swaps measure "
            "this position bias, so that training can correct for it: two neighbours may be swapped in "
            "half of the searches. While two models are compared, the results of both are mixed instead."
        ),
    )


def _summary(size: SearchLogSize) -> str:
    if size.oldest is None or size.newest is None:
        return _("No searches are stored here.")
    first, last = (day(moment, named=True) for moment in (size.oldest, size.newest))
    when = first if first == last else _("{first} to {last}", first=first, last=last)
    opened = plural("{n} result opened", "{n} results opened", size.choices)
    return _("**{counted}** of all users, {when}; {opened}.", counted=_counted(size.searches), when=when, opened=opened)


def _counted(searches: int) -> str:
    return plural("{n} search", "{n} searches", searches)


def _own_choices(store: LabelStore) -> None:
    own = {search.id: search for search in store.searches() if search.session == search_recording.session()}
    choices = [choice for choice in store.search_choices() if choice.shown in own][-_LISTED:][::-1]
    titles = search_recording.titles()
    if choices:
        st.caption(_("Opened in this tab, newest first"))
        st.dataframe(
            readable(
                {
                    _("Search"): [own[choice.shown].query for choice in choices],
                    _("Opened"): [titles.get(choice.item, choice.item) for choice in choices],
                    _("Rank"): [choice.rank for choice in choices],
                }
            ),
            hide_index=True,
            key="search_log_choices",
        )


def _export_and_erase(store: LabelStore, size: SearchLogSize, settings: Settings) -> None:
    searcher = search_recording.searcher()
    own = store.searches_of(searcher) if searcher else 0
    with st.container(horizontal=True, gap="small"):
        if own:
            with st.popover(_("Erase mine …"), icon=":material/delete:", key="search_log_erasing_own"):
                st.markdown(
                    _("This permanently deletes the {counted} that this browser stored.", counted=_counted(own))
                )
                st.button(_("Erase my searches"), key="search_log_erase_own", on_click=_erase, args=(store, searcher))
        if not sign_in.may("administer"):
            return
        st.download_button(
            _("Export for training"),
            lambda: pairs_as_jsonl(training_pairs(store, settings)),
            "searches.jsonl",
            "application/jsonl",
            key="search_log_export",
            icon=":material/download:",
            on_click="ignore",
            help=_(
                "Pairs of a query and an opened result, weighted to correct the position bias. `jobmatch "
                "search-log export` writes the same."
            ),
        )
        with st.popover(_("Erase all …"), icon=":material/delete_sweep:", key="search_log_erasing"):
            st.markdown(
                _(
                    "This permanently deletes all {searches} stored searches, of all users.",
                    searches=numeral(size.searches),
                )
            )
            st.button(_("Erase all searches"), key="search_log_erase", on_click=_erase, args=(store,))


def _erase(store: LabelStore, searcher: str | None = None) -> None:
    with errors_deferred():
        erased = store.erase_searches(searcher=searcher)
        search_recording.forget()
        remains = plain(erased.remains, limit=_LONGEST_NOTE)
        st.toast(
            _("Erased {counted}. {remains}", counted=_counted(erased.count), remains=remains), icon=":material/delete:"
        )
