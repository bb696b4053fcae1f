"""Recording of searches with this browser's consent: the order shown, a candidate's results in it, what is opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from uuid import uuid4

import streamlit as st

from jobmatch.services.search_log import Ranking, record_opened, shown_search
from jobmatch_core.io.user_store import is_id, new_id
from jobmatch_core.search_events import SearchKind, SearchShown
from pages.shared import browser, resources
from pages.shared.widgets import errors_deferred

KEEP_KEY, VARY_KEY = "search_keep", "search_swap"
_COOKIE, _WITH_SWAPS, _WITHOUT = "jobmatch_search_log", "swaps", "plain"
_SEARCHER_COOKIE, _SEARCHER_KEY = "jobmatch_searcher", "search_searcher"
_SHOWN_KEY, _SESSION_KEY, _TITLES_KEY = "search_shown", "search_session", "search_titles"

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Asked:
    """A search: what is searched for, and where."""

    kind: SearchKind  # kind of the items
    source: str  # the taxonomy or marketplace
    query: str  # as typed; the title of a project


@dataclass(frozen=True, slots=True)
class Ranked(Generic[ResultT]):
    """The results of a model by the ids of their items, best first."""

    model: str
    results: Mapping[str, ResultT]

    @property
    def ranking(self) -> Ranking:
        """The model with the ids."""
        return Ranking(self.model, tuple(self.results))


@dataclass(frozen=True, slots=True)
class _Pending:
    key: tuple[Asked, Ranking]  # identifies the search in this tab
    shown: SearchShown
    results: tuple[Any, ...]  # as shown, so that nothing moves while it is read
    stored: bool  # False for one that was erased, or that need not be known


def remember_consent() -> None:
    """Read this browser's consent from its cookie, off by default, and store changes. Must be called in every run."""
    if KEEP_KEY not in st.session_state:
        cookie = browser.read_cookie(_COOKIE)
        st.session_state[KEEP_KEY] = cookie in (_WITH_SWAPS, _WITHOUT)
        st.session_state[VARY_KEY] = cookie != _WITHOUT
    swaps = _WITH_SWAPS if st.session_state[VARY_KEY] else _WITHOUT
    browser.save_cookie(_COOKIE, swaps if st.session_state[KEEP_KEY] else "")
    browser.save_cookie(_SEARCHER_COOKIE, searcher())
    if not st.session_state[KEEP_KEY]:
        st.session_state.pop(_SHOWN_KEY, None)


def session() -> str:
    """Return the random id of this tab."""
    return str(st.session_state.setdefault(_SESSION_KEY, str(uuid4())))


def searcher() -> str:
    """Return the random id that this browser remembers, '' if it has none and stores nothing."""
    if _SEARCHER_KEY not in st.session_state:
        cookie = browser.read_cookie(_SEARCHER_COOKIE)
        st.session_state[_SEARCHER_KEY] = cookie if is_id(cookie) else ""
    if st.session_state[KEEP_KEY] and not st.session_state[_SEARCHER_KEY]:
        st.session_state[_SEARCHER_KEY] = new_id()
    return str(st.session_state[_SEARCHER_KEY])


def in_shown_order(
    asked: Asked,
    ranked: Ranked[ResultT],
    compared: Callable[[], Ranked[ResultT] | None],
    *,
    only_compared: bool = False,
) -> list[ResultT]:
    """Return results in the order shown.

    If the search is recorded, two neighbours may be swapped at random, or results of the online comparison's candidate
    come between.

    Args:
        asked: the search.
        ranked: results of the model in use.
        compared: ranks the candidate's results; None without a comparison.
        only_compared: swap and store nothing unless results of a candidate come between.
    """
    if not st.session_state.get(KEEP_KEY) or not ranked.results:
        return list(ranked.results.values())
    key = (asked, ranked.ranking)
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if pending is None or pending.key != key:
        previous, pending = pending, _drawn(key, ranked, compared, only_compared=only_compared)
        st.session_state[_SHOWN_KEY] = pending
        if previous is not None and previous.stored and not _typing_continues(previous.key[0], asked):
            with errors_deferred():  # the results are shown even if the earlier search cannot be stored
                resources.label_store().record_search(previous.shown, searcher())
    return list(pending.results)


def _drawn(
    key: tuple[Asked, Ranking],
    ranked: Ranked[ResultT],
    compared: Callable[[], Ranked[ResultT] | None],
    *,
    only_compared: bool,
) -> _Pending:
    asked, ranking = key
    others: Ranked[ResultT] | None = None
    if varied := bool(st.session_state.get(VARY_KEY)):
        with errors_deferred():  # the model in use answers alone if the candidate cannot
            others = compared()
    shown = shown_search(
        asked.kind,
        asked.source,
        asked.query,
        ranking,
        session=session(),
        varied=varied and (others is not None or not only_compared),
        candidate=others.ranking if others else None,
    )
    results = {**(others.results if others else {}), **ranked.results}
    return _Pending(key, shown, tuple(results[id_] for id_ in shown.items), bool(shown.teams) or not only_compared)


def opened(item: str, title: str) -> None:
    """Record that an item of the search on display was opened, with consent; for callbacks."""
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if not st.session_state.get(KEEP_KEY) or pending is None or not pending.stored:
        return
    if item not in pending.shown.items:
        return
    st.session_state[_TITLES_KEY] = titles() | {item: title}
    with errors_deferred():
        store = resources.label_store()
        store.record_search(pending.shown, searcher())
        record_opened(store, pending.shown, item)


def titles() -> dict[str, str]:
    """Return the titles of the items that were opened in this tab, by id."""
    found: dict[str, str] = st.session_state.get(_TITLES_KEY, {})
    return found


def forget() -> None:
    """Do not store the search on display when the next one replaces it; for callbacks."""
    pending: _Pending | None = st.session_state.get(_SHOWN_KEY)
    if pending is not None:
        st.session_state[_SHOWN_KEY] = replace(pending, stored=False)


def _typing_continues(before: Asked, after: Asked) -> bool:
    one, other = before.query.strip().casefold(), after.query.strip().casefold()
    same_place = (before.kind, before.source) == (after.kind, after.source)
    return same_place and one != other and (one.startswith(other) or other.startswith(one))
