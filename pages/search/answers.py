"""Results of a search: a card for each item with the reasons, its details, and similar items."""

import streamlit as st

from jobmatch_core.search.search_index import LONGEST_QUERY, SearchHit, SearchIndex
from jobmatch_core.search.search_items import Record, item_title
from jobmatch_core.search_events import SearchKind
from jobmatch_core.text.folding import visible
from jobmatch_core.vector_stores.vector_store import NO_FILTERS
from pages.search import recording, scope, search_card
from pages.search.scope import Scope
from pages.shared.browser import announce
from pages.shared.widgets import plain

QUERY_KEY, LIKE_KEY = "search_query", "search_like"
SHOWN = 20
_LONGEST_SHOWN = 80


def ask(query: str) -> None:
    """Search for something; for callbacks."""
    st.session_state[QUERY_KEY] = query
    forget_like()


def forget_like() -> None:
    """Go back from 'more like this' to the query; for callbacks."""
    st.session_state[LIKE_KEY] = ""


def show(chosen: Scope, query: str) -> None:
    """Draw the results.

    Raises:
        JobMatchError: the index cannot be made.
    """
    index = scope.opened(chosen)
    like = index.record(str(st.session_state.get(LIKE_KEY) or ""))
    if like is not None:
        hits = index.alike(like.id, chosen.filters, SHOWN)
        _like(item_title(like, chosen.language), query)
    else:
        hits = recording.in_shown_order(chosen, query, index.model, index.search(query, chosen.filters, SHOWN))
    if not hits:
        _nothing(chosen, index, query)
        return
    st.caption(_counted(chosen, index, hits, query))
    for hit in hits:
        search_card.show(hit, chosen, on_like=_show_like)
    announce(f"{len(hits)} {chosen.name} found. The first: {visible(item_title(hits[0].record, chosen.language))}.")


def _show_like(record: Record) -> None:
    recording.opened(record)
    st.session_state[LIKE_KEY] = record.id


def _like(title: str, query: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Like **{plain(title, limit=_LONGEST_SHOWN)}**", width="content")
        label = f"Back to “{plain(query, limit=40)}”" if query.strip() else "Back"
        st.button(label, key="search_back", icon=":material/arrow_back:", type="tertiary", on_click=forget_like)


def _counted(chosen: Scope, index: SearchIndex[Record], hits: list[SearchHit[Record]], query: str) -> str:
    among = index.passing(chosen.filters)
    first = f"The first {len(hits)}" if len(hits) == SHOWN else f"{len(hits)} found"
    filtered = " that pass the filters" if chosen.filters != NO_FILTERS else ""
    cut = f" Only the first {LONGEST_QUERY:,} characters were read." if len(query) > LONGEST_QUERY else ""
    return f"{first} of {among:,} {chosen.name}{filtered}, by shared words and by similar meaning.{cut}"


def _nothing(chosen: Scope, index: SearchIndex[Record], query: str) -> None:
    """Draw the reason why nothing was found, and a suggestion."""
    among = index.passing(chosen.filters)
    if not among:
        tried, advice = f"None of the {len(index):,} {chosen.name} passes the filters.", "Clear one of them."
        if not len(index):
            tried, advice = f"{plain(chosen.source)} has no {chosen.name}.", "Choose another one at the top right."
    else:
        tried = (
            f"None of the {among:,} {chosen.name} has a word like yours, and the search model knows none of your words."
        )
        other = "the freelancers" if chosen.kind is SearchKind.OCCUPATIONS else "the occupations"
        advice = f"Try other words, another language, or {other}."
    st.warning(
        f"**Nothing found** for “{plain(query, limit=_LONGEST_SHOWN)}”. {tried} {advice}", icon=":material/search_off:"
    )
    announce("Nothing found.")
