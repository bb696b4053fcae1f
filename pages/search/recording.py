"""Recording of searches for people who opted in: the results in the order shown, and the results opened.

While somebody types, each pause is a search. A search is stored when one of its results is opened, or when the next
search does not continue it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

import streamlit as st

from jobmatch.services.search_log import record_opened, record_shown, shown_search
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import Record, item_title
from jobmatch_core.search_events import SearchShown
from jobmatch_core.settings import Settings
from pages.search.scope import Scope
from pages.shared import browser, resources
from pages.shared.widgets import errors_deferred

KEEP_KEY, SWAP_KEY = "search_keep", "search_swap"
_COOKIE, _WITH_SWAPS, _WITHOUT = "jobmatch_search_log", "swaps", "plain"
_SHOWN_KEY, _SESSION_KEY, _TITLES_KEY = "search_shown", "search_session", "search_titles"


@dataclass(frozen=True, slots=True)
class _Pending:
    """A search that is shown, and what identifies it in this tab."""

    key: tuple[object, ...]
    shown: SearchShown


def remember_consent() -> None:
    """Read this browser's consent from its cookie, off by default, and store changes; to be called in every run."""
    if KEEP_KEY not in st.session_state:
        cookie = browser.read_cookie(_COOKIE)
        st.session_state[KEEP_KEY] = cookie in (_WITH_SWAPS, _WITHOUT)
        st.session_state[SWAP_KEY] = cookie != _WITHOUT
    swaps = _WITH_SWAPS if st.session_state[SWAP_KEY] else _WITHOUT
    browser.save_cookie(_COOKIE, swaps if st.session_state[KEEP_KEY] else "")
    if not st.session_state[KEEP_KEY]:
        st.session_state.pop(_SHOWN_KEY, None)


def session() -> str:
    """Return the random id of this tab."""
    return str(st.session_state.setdefault(_SESSION_KEY, str(uuid4())))


def title_of(id_: str) -> str:
    """Return the title of an item opened in this tab; its id if it was opened in another tab."""
    titles: dict[str, str] = st.session_state.get(_TITLES_KEY, {})
    return titles.get(id_, id_)


def in_shown_order(chosen: Scope, query: str, model: str, hits: Sequence[SearchHit[Record]]) -> list[SearchHit[Record]]:
    """Return hits in the order shown; if the search is recorded, two neighbours may be swapped at random.

    Raises:
        LabelStoreError: the search before cannot be stored.
    """
    if not st.session_state.get(KEEP_KEY) or not hits:
        return list(hits)
    ids = [hit.record.id for hit in hits]
    key = (chosen.kind, chosen.source, query.strip(), model, tuple(ids))
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if pending is None or pending.key != key:
        shown = shown_search(
            chosen.kind, chosen.source, query, model, ids, session=session(), swaps=bool(st.session_state.get(SWAP_KEY))
        )
        previous, pending = pending, _Pending(key, shown)
        st.session_state[_SHOWN_KEY] = pending
        if previous is not None and not _goes_on(previous.shown, shown):
            record_shown(resources.label_store(), previous.shown, Settings.from_environment())
    found = {hit.record.id: hit for hit in hits}
    return [replace(found[id_], rank=rank) for rank, id_ in enumerate(pending.shown.items, start=1)]


def opened(record: Record) -> None:
    """Record that an item was opened, with consent; for callbacks."""
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if not st.session_state.get(KEEP_KEY) or pending is None or record.id not in pending.shown.items:
        return
    st.session_state[_TITLES_KEY] = st.session_state.get(_TITLES_KEY, {}) | {record.id: item_title(record)}
    with errors_deferred():
        store = resources.label_store()
        record_shown(store, pending.shown, Settings.from_environment())
        record_opened(store, pending.shown, record.id)


def _goes_on(before: SearchShown, after: SearchShown) -> bool:
    """Return whether somebody is still typing: one of the queries begins with the other."""
    one, other = before.query.strip().casefold(), after.query.strip().casefold()
    same_place = (before.kind, before.source) == (after.kind, after.source)
    return same_place and one != other and (one.startswith(other) or other.startswith(one))
