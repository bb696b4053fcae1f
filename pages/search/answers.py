"""Hits of a search: cards with reasons, details, similar items and links to other pages."""

import streamlit as st

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.search.search_index import LONGEST_QUERY, SearchHit, SearchIndex
from jobmatch_core.search.search_items import OccupationCard, Record, item_title
from jobmatch_core.search_events import SearchKind
from jobmatch_core.text.folding import fold, visible
from jobmatch_core.text.locales import language_name
from jobmatch_core.vector_stores.vector_store import NO_FILTERS
from pages.search import scope, search_log
from pages.search.scope import Scope
from pages.shared import occupation_view, widgets
from pages.shared.browser import announce
from pages.shared.widgets import plain

QUERY_KEY, LIKE_KEY, _OPENED_KEY = "search_query", "search_like", "search_opened"
_SNIPPET, _TEXT = 240, 5000
_SHOWN = 20
_LONGEST_SHOWN = 80


def _card(hit: SearchHit[Record], chosen: Scope) -> None:
    record = hit.record
    is_open = st.session_state.get(_OPENED_KEY) == record.id
    with st.container(border=True, key=f"search_card_{hit.rank}", gap="xsmall"):
        name, buttons = st.columns([7, 4])
        with name, st.container(gap="xxsmall"):
            st.markdown(f":gray[{hit.rank}] **{plain(item_title(record, chosen.language), limit=120)}**")
            if facts := _facts(record, chosen):
                st.caption(" · ".join(facts))
        with buttons.container(horizontal=True, horizontal_alignment="right", gap="small"):
            st.button(
                "Close" if is_open else "Open",
                key=f"search_open_{hit.rank}",
                icon=":material/expand_less:" if is_open else ":material/expand_more:",
                on_click=_toggle,
                args=(record,),
            )
            st.button(
                "More like this",
                key=f"search_like_{hit.rank}",
                type="tertiary",
                icon=":material/join_inner:",
                on_click=_show_like,
                args=(record,),
            )
        if not is_open and record.description:
            st.markdown(f":small[{plain(record.description, limit=_SNIPPET)}]")
        st.caption(_why(hit))
        if is_open:
            _details(record, chosen, hit.rank)


def _toggle(record: Record) -> None:
    if st.session_state.get(_OPENED_KEY) == record.id:
        st.session_state[_OPENED_KEY] = ""
        return
    st.session_state[_OPENED_KEY] = record.id
    search_log.opened(record)


def _why(hit: SearchHit[Record]) -> str:
    words = [
        f"**{plain(word)}**" if fold(word) == matched else f"**{plain(word)}** ({plain(matched)})"
        for word, matched in hit.words
    ]
    meaning = f"similarity of meaning {max(hit.likeness, 0.0):.2f}"
    return f"Why? Words {', '.join(words)} · {meaning}" if words else f"Why? No shared words · {meaning}"


def _facts(record: Record, chosen: Scope) -> list[str]:
    if isinstance(record, OccupationCard):
        group = chosen.taxonomy.group_name(record.isco, chosen.language) if record.isco else ""
        named = "" if group in (record.isco, record.name(chosen.language)) else group
        return [plain(f"ISCO {record.isco} {named}")] if record.isco else []
    category = chosen.market.category_name(record.category, record.category_name) if chosen.market else ""
    rate = record.day_rate if isinstance(record, Freelancer) else None
    facts = [
        language_name(record.language),
        category,
        widgets.place_and_country(record),
        f"{rate:,.0f} € per day" if rate is not None else "",
        "synthetic" if record.generated else "",
    ]
    return [plain(fact, limit=120) for fact in facts if fact]


def _details(record: Record, chosen: Scope, rank: int) -> None:
    if isinstance(record, OccupationCard):
        occupation_view.show(chosen.taxonomy.occupation(record.uri, chosen.language), f"search_{rank}")
        _links_of_occupation(record, chosen)
        return
    texts = (record.description, record.experience) if isinstance(record, Freelancer) else (record.description,)
    for text in texts:
        lines = [plain(line, limit=_TEXT) for line in text.splitlines() if line.strip()]
        if lines:
            st.markdown("\n\n".join(lines))
    if isinstance(record, Project):
        widgets.show_skills("Must have", record.mandatory)
        widgets.show_skills("Nice to have", record.bonus)
        st.page_link(
            "pages/find_freelancers/find_freelancers.py",
            label="Find freelancers for it",
            icon=":material/person_search:",
            query_params={"source": "stored", "project": record.id, "marketplace": chosen.source},
        )
    else:
        widgets.show_skills("Skills", record.skills)
    st.code(visible(record.id), language=None, wrap_lines=True)


def _links_of_occupation(record: OccupationCard, chosen: Scope) -> None:
    with st.container(horizontal=True, gap="medium"):
        occupation_view.link(chosen.source, record.uri)
        st.page_link(
            "pages/link_titles/link_titles.py",
            label="Link its name as a title",
            icon=":material/link:",
            query_params={"title": record.name(chosen.language), "taxonomy": chosen.source},
        )


def ask(query: str) -> None:
    """Search for a query; for callbacks."""
    st.session_state[QUERY_KEY] = query
    forget_like()


def forget_like() -> None:
    """Return from 'More like this' to the query; for callbacks."""
    st.session_state[LIKE_KEY] = ""


def show(chosen: Scope, query: str) -> None:
    """Draw the results; raises JobMatchError if the index cannot be built."""
    index = scope.open_index(chosen)
    like = index.record(str(st.session_state.get(LIKE_KEY) or ""))
    if like is not None:
        hits = index.alike(like.id, chosen.filters, _SHOWN)
        _like(item_title(like, chosen.language), query)
    else:
        hits = search_log.in_shown_order(chosen, query, index.model, index.search(query, chosen.filters, _SHOWN))
    if not hits:
        _nothing(chosen, index, query)
        return
    st.caption(_counted(chosen, index, hits, query))
    for hit in hits:
        _card(hit, chosen)
    announce(f"{len(hits)} {chosen.kind} found. The first: {visible(item_title(hits[0].record, chosen.language))}.")


def _show_like(record: Record) -> None:
    search_log.opened(record)
    st.session_state[LIKE_KEY] = record.id


def _like(title: str, query: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Like **{plain(title, limit=_LONGEST_SHOWN)}**", width="content")
        label = f"Back to “{plain(query, limit=40)}”" if query.strip() else "Back"
        st.button(label, key="search_back", icon=":material/arrow_back:", type="tertiary", on_click=forget_like)


def _counted(chosen: Scope, index: SearchIndex[Record], hits: list[SearchHit[Record]], query: str) -> str:
    among = index.passing(chosen.filters)
    first = f"The first {len(hits)}" if len(hits) == _SHOWN else f"{len(hits)} found"
    filtered = " that pass the filters" if chosen.filters != NO_FILTERS else ""
    cut = f" Only the first {LONGEST_QUERY:,} characters were read." if len(query) > LONGEST_QUERY else ""
    return f"{first} of {among:,} {chosen.kind}{filtered}, by shared words and by similar meaning.{cut}"


def _nothing(chosen: Scope, index: SearchIndex[Record], query: str) -> None:
    among = index.passing(chosen.filters)
    if not among:
        tried, advice = f"None of the {len(index):,} {chosen.kind} passes the filters.", "Clear one of them."
        if not len(index):
            tried, advice = (
                f"{plain(chosen.name)} has no {chosen.kind}.",
                "Choose another one at the top right.",
            )
    else:
        tried = (
            f"None of the {among:,} {chosen.kind} has a word like yours, and the search model knows none of your words."
        )
        other = "the freelancers" if chosen.kind is SearchKind.OCCUPATIONS else "the occupations"
        advice = f"Try other words, another language, or {other}."
    st.warning(
        f"**Nothing found** for “{plain(query, limit=_LONGEST_SHOWN)}”. {tried} {advice}", icon=":material/search_off:"
    )
    announce("Nothing found.")
