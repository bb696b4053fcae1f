"""Card of a search result: title, reasons and, once opened, details and links to other pages."""

from collections.abc import Callable

import streamlit as st

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.retrieval.places import place_name
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import OccupationCard, Record, item_title
from jobmatch_core.text.countries import country_name
from jobmatch_core.text.folding import fold, visible
from jobmatch_core.text.languages import language_name
from pages.search import recording
from pages.search.scope import Scope
from pages.shared import occupation_view, skill_chips
from pages.shared.widgets import plain

OPENED_KEY = "search_opened"
_SNIPPET, _TEXT = 240, 5000


def show(hit: SearchHit[Record], chosen: Scope, *, on_like: Callable[[Record], None]) -> None:
    """Draw a card.

    Args:
        hit: what was found.
        chosen: what was searched.
        on_like: called with the item to show what is like it.
    """
    record = hit.record
    is_open = st.session_state.get(OPENED_KEY) == record.id
    with st.container(border=True, key=f"search_card_{hit.rank}", gap="xsmall"):
        name, buttons = st.columns([7, 4], vertical_alignment="center")
        name.markdown(f":gray[{hit.rank}] **{plain(item_title(record, chosen.language), limit=120)}**")
        with buttons.container(horizontal=True, horizontal_alignment="right", gap="small"):
            st.button(
                "Close" if is_open else "Open", key=f"search_open_{hit.rank}",
                icon=":material/expand_less:" if is_open else ":material/expand_more:", on_click=_toggle,
                args=(record,),
            )  # fmt: skip
            st.button(
                "More like this", key=f"search_like_{hit.rank}", type="tertiary", icon=":material/join_inner:",
                on_click=on_like, args=(record,),
            )  # fmt: skip
        if facts := _facts(record, chosen):
            st.caption(" · ".join(facts))
        if not is_open and (text := _text(record)):
            st.markdown(plain(text, limit=_SNIPPET))
        st.caption(_why(hit))
        if is_open:
            _details(record, chosen, hit.rank)


def _toggle(record: Record) -> None:
    if st.session_state.get(OPENED_KEY) == record.id:
        st.session_state[OPENED_KEY] = ""
        return
    st.session_state[OPENED_KEY] = record.id
    recording.opened(record)


def _why(hit: SearchHit[Record]) -> str:
    words = [
        f"**{plain(asked)}**" if fold(asked) == matched else f"**{plain(asked)}** ({plain(matched)})"
        for asked, matched in hit.words
    ]
    meaning = f"similarity of meaning {max(hit.likeness, 0.0):.2f}"
    return f"Why? Words {', '.join(words)} · {meaning}" if words else f"Why? No shared words · {meaning}"


def _facts(record: Record, chosen: Scope) -> list[str]:
    if isinstance(record, OccupationCard):
        group = chosen.taxonomy.group_name(record.isco, chosen.language) if record.isco else ""
        named = "" if group in (record.isco, record.name(chosen.language)) else group
        return [plain(f"ISCO {record.isco} {named}")] if record.isco else []
    category = chosen.market.category_name(record.category, record.category_name) if chosen.market else ""
    where = [place_name(record.place)] if record.place else []
    where += [country_name(record.country)] if record.country else []
    rate = record.day_rate if isinstance(record, Freelancer) else None
    facts = [
        language_name(record.language), category, ", ".join(where),
        f"{rate:,.0f} € per day" if rate is not None else "", "synthetic" if record.generated else "",
    ]  # fmt: skip
    return [plain(fact, limit=120) for fact in facts if fact]


def _text(record: Record) -> str:
    return record.description


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
        _chips("Must have", record.mandatory)
        _chips("Nice to have", record.bonus)
        st.page_link(
            "pages/find_freelancers/find_freelancers.py", label="Find freelancers for it",
            icon=":material/person_search:",
            query_params={"source": "stored", "project": record.id, "marketplace": chosen.source},
        )  # fmt: skip
    else:
        _chips("Skills", record.skills)
    st.code(visible(record.id), language=None)


def _chips(label: str, skills: tuple[NamedSkill, ...]) -> None:
    if skills:
        st.markdown(f"{label}: {' '.join(skill_chips.other(skill.text) for skill in skills)}")


def _links_of_occupation(record: OccupationCard, chosen: Scope) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.page_link(
            "pages/taxonomies/taxonomies.py", label="Show it in the taxonomy", icon=":material/account_tree:",
            query_params={"section": "browse", "taxonomy": chosen.source, "occupation": record.uri},
        )  # fmt: skip
        st.page_link(
            "pages/link_titles/link_titles.py", label="Link its name as a title", icon=":material/link:",
            query_params={"title": record.name(chosen.language), "taxonomy": chosen.source},
        )  # fmt: skip
