"""Hits of a search: cards with reasons, details, similar items and links to other pages."""

import streamlit as st

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.search.search_index import LONGEST_QUERY, SearchHit, SearchIndex
from jobmatch_core.search.search_items import NearText, OccupationCard, Record, item_title
from jobmatch_core.search_events import SearchKind
from jobmatch_core.text.folding import fold, visible
from jobmatch_core.vector_stores.vector_store import NO_FILTERS
from pages.search import scope, search_log
from pages.search.scope import Scope
from pages.shared import occupation_view, widgets
from pages.shared.browser import announce
from pages.shared.language import N_, _, language_name, numeral
from pages.shared.widgets import plain

QUERY_KEY, LIKE_KEY, _OPENED_KEY = "search_query", "search_like", "search_opened"
_NEAREST = {
    NearText.NAMES: N_("nearest: its names"),
    NearText.DESCRIPTION: N_("nearest: its description"),
    NearText.DUTIES: N_("nearest: what people of its unit group do"),
}
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
                _("Close") if is_open else _("Open"),
                key=f"search_open_{hit.rank}",
                icon=":material/expand_less:" if is_open else ":material/expand_more:",
                on_click=_toggle,
                args=(record,),
            )
            st.button(
                _("More like this"),
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
    meaning = _("similarity of meaning {likeness}", likeness=numeral(max(hit.likeness, 0.0), 2))
    if hit.nearest:
        meaning = f"{meaning} · {_(_NEAREST[hit.nearest])}"
    return (
        _("Why? Words {words} · {meaning}", words=", ".join(words), meaning=meaning)
        if words
        else _("Why? No shared words · {meaning}", meaning=meaning)
    )


def _facts(record: Record, chosen: Scope) -> list[str]:
    if isinstance(record, OccupationCard):
        group = chosen.taxonomy.group_name(record.isco, chosen.language) if record.isco else ""
        named = "" if group in (record.isco, record.name(chosen.language)) else group
        return [plain(_("ISCO {isco} {named}", isco=record.isco, named=named))] if record.isco else []
    category = chosen.market.category_name(record.category, record.category_name) if chosen.market else ""
    rate = record.day_rate if isinstance(record, Freelancer) else None
    facts = [
        language_name(record.language),
        category,
        widgets.place_and_country(record),
        _("{rate} € per day", rate=numeral(rate)) if rate is not None else "",
        _("synthetic") if record.generated else "",
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
        widgets.show_skills(_("Must have"), record.mandatory)
        widgets.show_skills(_("Nice to have"), record.bonus)
        st.page_link(
            "pages/find_freelancers/find_freelancers.py",
            label=_("Find freelancers for it"),
            icon=":material/person_search:",
            query_params={"source": "stored", "project": record.id, "marketplace": chosen.source},
        )
    else:
        widgets.show_skills(_("Skills"), record.skills)
    st.code(visible(record.id), language=None, wrap_lines=True)


def _links_of_occupation(record: OccupationCard, chosen: Scope) -> None:
    with st.container(horizontal=True, gap="medium"):
        occupation_view.link(chosen.source, record.uri)
        st.page_link(
            "pages/link_titles/link_titles.py",
            label=_("Link its name as a title"),
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
    announce(
        _(
            "{n_hits} {kind} found. The first: {item_title}.",
            n_hits=len(hits),
            kind=_(chosen.kind),
            item_title=visible(item_title(hits[0].record, chosen.language)),
        )
    )


def _show_like(record: Record) -> None:
    search_log.opened(record)
    st.session_state[LIKE_KEY] = record.id


def _like(title: str, query: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_("Like **{title}**", title=plain(title, limit=_LONGEST_SHOWN)), width="content")
        label = _("Back to “{query}”", query=plain(query, limit=40)) if query.strip() else _("Back")
        st.button(label, key="search_back", icon=":material/arrow_back:", type="tertiary", on_click=forget_like)


def _counted(chosen: Scope, index: SearchIndex[Record], hits: list[SearchHit[Record]], query: str) -> str:
    among = index.passing(chosen.filters)
    first = _("The first {n_hits}", n_hits=len(hits)) if len(hits) == _SHOWN else _("{n_hits} found", n_hits=len(hits))
    filtered = _(" that pass the filters") if chosen.filters != NO_FILTERS else ""
    cut = (
        _(" Only the first {longest_query} characters were read.", longest_query=numeral(LONGEST_QUERY))
        if len(query) > LONGEST_QUERY
        else ""
    )
    return _(
        "{first} of {among} {kind}{filtered}, by shared words and by similar meaning.{cut}",
        first=first,
        among=numeral(among),
        kind=_(chosen.kind),
        filtered=filtered,
        cut=cut,
    )


def _nothing(chosen: Scope, index: SearchIndex[Record], query: str) -> None:
    among = index.passing(chosen.filters)
    if not among:
        tried, advice = (
            _("None of the {n_index} {kind} passes the filters.", n_index=numeral(len(index)), kind=_(chosen.kind)),
            _("Clear one of them."),
        )
        if not len(index):
            tried, advice = (
                _("{name} has no {kind}.", name=plain(chosen.name), kind=_(chosen.kind)),
                _("Choose another one at the top right."),
            )
    else:
        tried = _(
            "None of the {among} {kind} has a word like yours, and the search model knows none of your words.",
            among=numeral(among),
            kind=_(chosen.kind),
        )
        advice = (
            _("Try other words, another language, or the freelancers.")
            if chosen.kind is SearchKind.OCCUPATIONS
            else _("Try other words, another language, or the occupations.")
        )
    st.warning(
        _(
            "**Nothing found** for “{query}”. {tried} {advice}",
            query=plain(query, limit=_LONGEST_SHOWN),
            tried=tried,
            advice=advice,
        ),
        icon=":material/search_off:",
    )
    announce(_("Nothing found."))
