"""Search log: this browser's consent, recording, the log's size and age, export and erasure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

import streamlit as st

from db.label_store import LabelStore
from db.search_log import SearchLogSize
from jobmatch.services.home_services import home_services
from jobmatch.services.search_log import Ranking, pairs_as_jsonl, record_opened, shown_search, training_pairs
from jobmatch_core.io.user_store import is_id, new_id
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import Record, item_title
from jobmatch_core.search_events import SearchShown
from jobmatch_core.settings import Settings
from pages.search.scope import Scope
from pages.shared import browser, resources, sign_in
from pages.shared.widgets import errors_deferred, plain, readable

_KEEP_KEY, _VARY_KEY = "search_keep", "search_swap"
_COOKIE, _WITH_SWAPS, _WITHOUT = "jobmatch_search_log", "swaps", "plain"
_SEARCHER_COOKIE, _SEARCHER_KEY = "jobmatch_searcher", "search_searcher"
_SHOWN_KEY, _SESSION_KEY, _TITLES_KEY = "search_shown", "search_session", "search_titles"
_LISTED = 20
_LONGEST_NOTE = 1000
_EMPTY = SearchLogSize(0, 0, None, None)


@dataclass(frozen=True, slots=True)
class _Pending:
    key: tuple[object, ...]  # identifies the search in this tab
    shown: SearchShown
    hits: tuple[SearchHit[Record], ...]  # as shown, so that nothing moves while it is read
    erased: bool = False  # an erased search is not stored


def remember_consent() -> None:
    """Read this browser's consent from its cookie, off by default, and store changes. Must be called in every run."""
    if _KEEP_KEY not in st.session_state:
        cookie = browser.read_cookie(_COOKIE)
        st.session_state[_KEEP_KEY] = cookie in (_WITH_SWAPS, _WITHOUT)
        st.session_state[_VARY_KEY] = cookie != _WITHOUT
    swaps = _WITH_SWAPS if st.session_state[_VARY_KEY] else _WITHOUT
    browser.save_cookie(_COOKIE, swaps if st.session_state[_KEEP_KEY] else "")
    browser.save_cookie(_SEARCHER_COOKIE, _searcher())
    if not st.session_state[_KEEP_KEY]:
        st.session_state.pop(_SHOWN_KEY, None)


def _session() -> str:
    return str(st.session_state.setdefault(_SESSION_KEY, str(uuid4())))


def _searcher() -> str:
    if _SEARCHER_KEY not in st.session_state:
        cookie = browser.read_cookie(_SEARCHER_COOKIE)
        st.session_state[_SEARCHER_KEY] = cookie if is_id(cookie) else ""
    if st.session_state[_KEEP_KEY] and not st.session_state[_SEARCHER_KEY]:
        st.session_state[_SEARCHER_KEY] = new_id()
    return str(st.session_state[_SEARCHER_KEY])


def in_shown_order(chosen: Scope, query: str, model: str, hits: Sequence[SearchHit[Record]]) -> list[SearchHit[Record]]:
    """Return hits in the order shown.

    If the search is recorded, two neighbours may be swapped at random, or hits of the online comparison's candidate
    come between.
    """
    if not st.session_state.get(_KEEP_KEY) or not hits:
        return list(hits)
    ranking = _ranking(model, hits)
    key = (chosen.kind, chosen.source, query.strip(), ranking)
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if pending is None or pending.key != key:
        previous, pending = pending, _drawn(key, chosen, query, ranking, hits)
        st.session_state[_SHOWN_KEY] = pending
        if previous is not None and not previous.erased and not _typing_continues(previous.shown, pending.shown):
            with errors_deferred():  # the hits are shown even if the earlier search cannot be stored
                resources.label_store().record_search(previous.shown, _searcher())
    return list(pending.hits)


def _drawn(
    key: tuple[object, ...], chosen: Scope, query: str, ranking: Ranking, hits: Sequence[SearchHit[Record]]
) -> _Pending:
    varied = bool(st.session_state.get(_VARY_KEY))
    model, others = _candidate_hits(chosen, query, len(hits)) if varied else ("", [])
    shown = shown_search(
        chosen.kind,
        chosen.source,
        query,
        ranking,
        session=_session(),
        varied=varied,
        candidate=_ranking(model, others) if model else None,
    )
    by_id = {hit.record.id: hit for hit in (*others, *hits)}
    return _Pending(key, shown, tuple(replace(by_id[id_], rank=rank) for rank, id_ in enumerate(shown.items, start=1)))


def _candidate_hits(chosen: Scope, query: str, limit: int) -> tuple[str, list[SearchHit[Record]]]:
    with errors_deferred():  # the model in use answers alone if the candidate cannot
        index = home_services().searching.compared(chosen.kind, chosen.source)
        if index is not None:
            return index.model, index.search(query, chosen.filters, limit)
    return "", []


def _ranking(model: str, hits: Sequence[SearchHit[Record]]) -> Ranking:
    return Ranking(model, tuple(hit.record.id for hit in hits))


def opened(record: Record) -> None:
    """Record that an item was opened, with consent; for callbacks."""
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if not st.session_state.get(_KEEP_KEY) or pending is None or pending.erased:
        return
    if record.id not in pending.shown.items:
        return
    st.session_state[_TITLES_KEY] = st.session_state.get(_TITLES_KEY, {}) | {record.id: item_title(record)}
    with errors_deferred():
        store = resources.label_store()
        store.record_search(pending.shown, _searcher())
        record_opened(store, pending.shown, record.id)


def _typing_continues(before: SearchShown, after: SearchShown) -> bool:
    one, other = before.query.strip().casefold(), after.query.strip().casefold()
    same_place = (before.kind, before.source) == (after.kind, after.source)
    return same_place and one != other and (one.startswith(other) or other.startswith(one))


def show() -> None:
    """Draw the consent and the log; raises LabelStoreError if the label store cannot be read."""
    keeps = bool(st.session_state[_KEEP_KEY])
    label = "Search log · on: your searches are stored" if keeps else "Search log · off: nothing is stored"
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
    how_long = f"for {days} days" if days else "until they are erased"
    st.markdown(
        "While the log is on, jobmatch stores your searches, the results in the order shown, the name of the search "
        f"model, and the results that you open, {how_long}. No name is stored, and nothing leaves this installation. "
        "The log is used to train a better search and to compare search models. You can switch it off here at any "
        "time, and erase the searches of this browser: they are stored with a random id that it remembers in a "
        "cookie. Without the cookie, only an administrator can erase them."
    )
    st.toggle("Store my searches", key=_KEEP_KEY, persist_state="session")
    st.toggle(
        "Vary the order at random",
        key=_VARY_KEY,
        disabled=not keeps,
        persist_state="session",
        help="Results at the top are opened more often, however relevant they are. Random swaps measure this position "
        "bias, so that training can correct for it: two neighbours may be swapped in half of the searches. While two "
        "search models are compared, the results of both are mixed instead.",
    )


def _summary(size: SearchLogSize) -> str:
    if size.oldest is None or size.newest is None:
        return "No searches are stored here."
    first, last = (f"{moment.day} {moment:%B %Y}" for moment in (size.oldest, size.newest))
    when = first if first == last else f"{first} to {last}"
    opened = f"{size.choices:,} {'results' if size.choices != 1 else 'result'} opened"
    return f"**{_counted(size.searches)}** of all users, {when}; {opened}."


def _counted(searches: int) -> str:
    return f"{searches:,} search{'es' if searches != 1 else ''}"


def _own_choices(store: LabelStore) -> None:
    own = {search.id: search for search in store.searches() if search.session == _session()}
    choices = [choice for choice in store.search_choices() if choice.shown in own][-_LISTED:][::-1]
    titles: dict[str, str] = st.session_state.get(_TITLES_KEY, {})
    if choices:
        st.caption("Opened in this tab, newest first")
        st.dataframe(
            readable(
                {
                    "Search": [own[choice.shown].query for choice in choices],
                    "Opened": [titles.get(choice.item, choice.item) for choice in choices],
                    "Rank": [choice.rank for choice in choices],
                }
            ),
            hide_index=True,
            key="search_log_choices",
        )


def _export_and_erase(store: LabelStore, size: SearchLogSize, settings: Settings) -> None:
    searcher = _searcher()
    own = store.searches_of(searcher) if searcher else 0
    with st.container(horizontal=True, gap="small"):
        if own:
            with st.popover("Erase mine …", icon=":material/delete:", key="search_log_erasing_own"):
                st.markdown(f"This permanently deletes the {_counted(own)} that this browser stored.")
                st.button("Erase my searches", key="search_log_erase_own", on_click=_erase, args=(store, searcher))
        if not sign_in.may("administer"):
            return
        st.download_button(
            "Export for training",
            lambda: pairs_as_jsonl(training_pairs(store, settings)),
            "searches.jsonl",
            "application/jsonl",
            key="search_log_export",
            icon=":material/download:",
            on_click="ignore",
            help="Pairs of a query and an opened result, weighted to correct the position bias. "
            "`jobmatch search-log export` writes the same.",
        )
        with st.popover("Erase all …", icon=":material/delete_sweep:", key="search_log_erasing"):
            st.markdown(f"This permanently deletes all {size.searches:,} stored searches, of all users.")
            st.button("Erase all searches", key="search_log_erase", on_click=_erase, args=(store,))


def _erase(store: LabelStore, searcher: str | None = None) -> None:
    # the search on display is marked, so that it is not stored when the next one replaces it
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    with errors_deferred():
        erased = store.erase_searches(searcher=searcher)
        if pending is not None:
            st.session_state[_SHOWN_KEY] = replace(pending, erased=True)
        remains = plain(erased.remains, limit=_LONGEST_NOTE)
        st.toast(f"Erased {_counted(erased.count)}. {remains}", icon=":material/delete:")
