"""The project that freelancers are found for: one of the marketplace's, or one that is pasted and filled in."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.entities import NamedSkill, Project
from jobmatch_core.retrieval.places import place_name
from jobmatch_core.text.countries import country_name
from jobmatch_core.text.folding import visible
from jobmatch_core.text.languages import language_name
from pages.find_freelancers import project_form
from pages.shared import skill_chips
from pages.shared.market_choice import Market
from pages.shared.widgets import plain

SOURCE_KEY, PROJECT_KEY = "find_source", "find_project"
ADDRESS = {"source": SOURCE_KEY, "project": PROJECT_KEY} | project_form.ADDRESS
_SOURCES = {"stored": "From the marketplace", "own": "My own"}
_LISTED = 1000  # more make the list slow; others are found by their id
_TEXT_SHOWN = 420  # characters, before the rest is folded away


def choose(market: Market) -> Project | None:
    """Draw the project; None while there is none.

    Raises:
        JobMatchError: the project cannot be read.
    """
    if st.session_state.get(SOURCE_KEY) not in _SOURCES:
        st.session_state[SOURCE_KEY] = "stored"
    source = st.segmented_control(
        "Project", list(_SOURCES), key=SOURCE_KEY, format_func=_SOURCES.__getitem__, required=True,
        width="stretch", persist_state="session",
    )  # fmt: skip
    if source == "own":
        return project_form.show(market)
    project_form.put_aside()
    project = _stored(market)
    if project is not None:
        _card(project, market)
    return project


def follow(before: dict[str, str]) -> None:
    """Read the user's own project from the address if it changed."""
    if project_form.follow(before):
        st.session_state[SOURCE_KEY] = "own"


def _stored(market: Market) -> Project | None:
    projects = market.records.projects
    listed = {each.id: each for each in projects[:_LISTED]}
    if not listed:
        st.info("This marketplace has no projects. Choose 'My own' and paste the text of one.", icon=":material/info:")
        return None
    asked = str(st.session_state.get(PROJECT_KEY) or "").strip()
    if asked and asked not in listed and (row := market.records.project_rows.get(asked)) is not None:
        listed[asked] = projects[row]
    if asked not in listed:
        st.session_state[PROJECT_KEY] = next(iter(listed))
        if asked:
            st.warning(f"There is no project {plain(asked, limit=60)} in this marketplace.", icon=":material/info:")
    more = f" The first {_LISTED:,} are listed; enter the id of any other project." if len(projects) > _LISTED else ""
    chosen = st.selectbox(
        "Select a project", list(listed), key=PROJECT_KEY, format_func=lambda key: _label(key, listed),
        accept_new_options=True, persist_state="session", label_visibility="collapsed",
        help=f"Type part of a title to search.{more}" if more else None,
    )  # fmt: skip
    return listed[str(chosen)]


def _label(key: str, listed: dict[str, Project]) -> str:
    project = listed.get(key)
    return visible(key if project is None else f"{project.title} · {language_name(project.language)} · {key}")


def _card(project: Project, market: Market) -> None:
    with st.container(border=True, key="find_project_card", gap="small"):
        made_up = ":orange-badge[:material/science: synthetic]" if project.generated else ""
        st.markdown(f"**{plain(project.title or project.job_title, limit=200)}** {made_up}")
        st.caption(" · ".join(_facts(project, market)))
        _text(project.description)
        chips("Must have", project.mandatory)
        chips("Nice to have", project.bonus)
        st.button("Edit a copy", key="find_copy", icon=":material/edit:", on_click=_copy, args=(project,))


def _facts(project: Project, market: Market) -> list[str]:
    where = [place_name(project.place)] if project.place else []
    where += [country_name(project.country)] if project.country else []
    facts = (
        project.job_title if project.title else "",
        market.category_name(project.category, project.category_name),
        language_name(project.language),
        ", ".join(where),
    )
    return [plain(fact, limit=120) for fact in facts if fact]


def _text(text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(text) <= _TEXT_SHOWN:
        st.markdown("\n\n".join(map(plain, lines)))
        return
    st.markdown(plain(text, limit=_TEXT_SHOWN))
    with st.expander("Full text", key="find_whole_text", type="compact"):
        st.markdown("\n\n".join(plain(line, limit=5000) for line in lines))


def chips(label: str, skills: Sequence[NamedSkill]) -> None:
    """Draw a project's skills; nothing where there are none."""
    if skills:
        st.markdown(f"{label}: {' '.join(skill_chips.other(skill.text) for skill in skills)}")


def _copy(project: Project) -> None:
    project_form.fill(project)
    st.session_state[SOURCE_KEY] = "own"
