"""Choice of the project to match: one of the marketplace's, or a pasted text with its skills, title and category."""

from hashlib import sha256

import streamlit as st

from jobmatch.services.home_services import home_services
from jobmatch_core.entities import Project
from jobmatch_core.retrieval.project_reader import FormSkills, ProjectForm, ProjectReader, followed, form_of
from jobmatch_core.text.folding import visible
from pages.shared import stored_text, widgets
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, language_name, numeral, translated
from pages.shared.market_choice import Market
from pages.shared.text_limits import cut
from pages.shared.widgets import errors_shown, finished, plain, show_deferred_error

_TITLE, _TEXT, _CATEGORY = "find_own_title", "find_own_text", "find_own_category"
_MANDATORY, _BONUS = "find_own_mandatory", "find_own_bonus"  # with the text's hash behind, see `_chips_key`
_READ = "find_own_read"  # the text whose skills the chips last showed
_KEYS = {"text": _TEXT, "title": _TITLE, "group": _CATEGORY}
_CHIPS = {"must": _MANDATORY, "nice": _BONUS}
_LINK = "find_own_link"  # id of the stored form; '' for none
_KIND = "projects"
_SEPARATOR = "\n"  # of skills
_TEXT_HEIGHT = 220
_LONGEST_TEXT = 20_000  # characters
_EXAMPLE = """Umzug unserer Auswertungen in die Cloud
Für ein Team im Großhandel suchen wir Unterstützung bei der Datenmodellierung und beim Aufbau eines Data Warehouse. \
Die Abfragen laufen in SQL und Python.
Von Vorteil: Docker, Power BI"""
_SOURCE_KEY, _PROJECT_KEY = "find_source", "find_project"
ADDRESS = {"source": _SOURCE_KEY, "project": _PROJECT_KEY, "text": _LINK}
_SOURCES = {"stored": N_("From the marketplace"), "own": N_("Your own text")}
_LISTED = 1000  # more make the list slow; others are selected by their id
_TEXT_SHOWN, _SKILLS_SHOWN = 280, 8  # characters and skills of a kind above 'Whole project'


def choose(market: Market) -> Project | None:
    """Draw the choice of a project; None while there is none.

    Raises:
        JobMatchError: the marketplace's project or the names of skills cannot be read.
    """
    if select_segment(_("Project"), translated(_SOURCES), _SOURCE_KEY, label_shown=True, width="stretch") == "own":
        return _own_project(market)
    st.session_state[_LINK] = ""
    project = _stored(market)
    if project is not None:
        _card(project, market)
    return project


def links() -> dict[str, str]:
    """Return the values of the address as last read."""
    return {_LINK: str(st.session_state.get(_LINK, ""))}


def follow(before: dict[str, str]) -> None:
    """Fill the form from the address if it names another stored text than in *before*."""
    text_id = links()[_LINK]
    if text_id == before[_LINK]:
        return
    fields = stored_text.read(_KIND, text_id) if text_id else None
    if fields is None:
        _start()
    else:
        fields = dict.fromkeys((*_KEYS, *_CHIPS), "") | fields
        _start(fields["text"])
        st.session_state[_TITLE], st.session_state[_CATEGORY] = fields["title"], fields["group"] or None
        _set_skills(fields["text"], FormSkills(_split(fields["must"]), _split(fields["nice"])))
    if text_id:
        st.session_state[_SOURCE_KEY] = "own"


def _own_project(market: Market) -> Project | None:
    if _TEXT not in st.session_state:
        _start()
    reader = finished(home_services().matching.opening_reader(market.manifest), _("Reading skill names"))
    text = st.text_area(
        _("Text, in any language"),
        key=_TEXT,
        height=_TEXT_HEIGHT,
        on_change=cut,
        args=(_TEXT, _LONGEST_TEXT),
        persist_state="session",
        placeholder=_("Paste the project's text here: the tasks and the required skills."),
        help=_(
            "The first line, or one that starts with 'Title:', is the title. Skills after 'Nice to "
            "have:' or 'Von Vorteil:' are optional."
        ),
    )
    _find_skills(reader, text)
    st.button(_("Find freelancers"), key="find_own_go", type="primary", icon=":material/search:")
    understood = st.container()
    mandatory = _chips(_("Must have"), _MANDATORY, _BONUS, text)
    bonus = _chips(_("Nice to have"), _BONUS, _MANDATORY, text)
    with st.expander(_("Title and category"), key="find_own_more", icon=":material/edit_note:"):
        title = st.text_input(_("Title"), key=_TITLE, placeholder=_("The text's first line"), persist_state="session")
        category = _category(market)
    _forget_earlier_chips(text)
    _save()
    show_deferred_error()
    if not text.strip() and not title.strip():
        understood.info(_("Paste a project's text above, then press Find freelancers."), icon=":material/edit:")
        return None
    project = None
    with understood, errors_shown():
        project = reader.form(ProjectForm(title, text, category, FormSkills(mandatory, bonus)))
        _understood(project)
    stored_text.note(_KIND, _LINK, _start)
    return project


def _start(text: str = _EXAMPLE) -> None:
    for key in (_TITLE, _CATEGORY, _READ, *_chips_keys(_read_text()), *_chips_keys(text)):
        st.session_state.pop(key, None)
    st.session_state[_TEXT] = text


def _save() -> None:
    fields = {parameter: st.session_state.get(key) or "" for parameter, key in _KEYS.items()}
    for parameter, part in _CHIPS.items():
        fields[parameter] = _SEPARATOR.join(_chosen(part, fields["text"]))
    own = any(value.strip() for value in fields.values()) and fields["text"] != _EXAMPLE
    st.session_state[_LINK] = stored_text.save(_KIND, fields) if own else ""


def _split(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(_SEPARATOR) if name)


def _find_skills(reader: ProjectReader, text: str) -> None:
    before = _read_text()
    if text == before or _chips_key(_MANDATORY, text) in st.session_state:
        return
    chosen = FormSkills(_chosen(_MANDATORY, before), _chosen(_BONUS, before))
    _set_skills(text, followed(chosen, reader.mentioned(before), reader.mentioned(text)))


def _set_skills(text: str, skills: FormSkills) -> None:
    st.session_state[_chips_key(_MANDATORY, text)] = list(skills.mandatory)
    st.session_state[_chips_key(_BONUS, text)] = list(skills.bonus)


def _forget_earlier_chips(text: str) -> None:
    # once the chips of this text are drawn, those of the earlier text need no longer be carried over
    if (before := _read_text()) != text:
        for key in _chips_keys(before):
            st.session_state.pop(key, None)
        st.session_state[_READ] = text


def _read_text() -> str:
    return str(st.session_state.get(_READ, ""))


def _chosen(part: str, text: str) -> tuple[str, ...]:
    return tuple(st.session_state.get(_chips_key(part, text), ()))


def _chips_keys(text: str) -> tuple[str, str]:
    return _chips_key(_MANDATORY, text), _chips_key(_BONUS, text)


def _chips_key(part: str, text: str) -> str:
    return f"{part}_{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _category(market: Market) -> str:
    names = {facet.value: market.group_name(facet) for facet in market.facets.categories}
    if st.session_state.get(_CATEGORY) not in names:
        st.session_state[_CATEGORY] = None
    category = st.selectbox(
        _("Category"),
        sorted(names, key=names.__getitem__),
        key=_CATEGORY,
        format_func=names.__getitem__,
        placeholder=_("Not set"),
        persist_state="session",
    )
    return category or ""


def _chips(label: str, part: str, other: str, text: str) -> tuple[str, ...]:
    offered = list(dict.fromkeys([*_chosen(part, text), *_chosen(other, text)]))
    return tuple(
        st.multiselect(
            label,
            offered,
            key=_chips_key(part, text),
            accept_new_options=True,
            persist_state="session",
            select_all=False,
            placeholder=_("Type a skill and press Enter"),
            wrap=True,
        )
    )


def _understood(project: Project) -> None:
    language = language_name(project.language) if project.language else _("uncertain")
    role = _(" · role: {job_title}", job_title=plain(project.job_title, limit=80)) if project.job_title else ""
    st.caption(
        _(
            "Read as: “{title}” · language: {language}{role}  \nPay, places and dates in the text exclude "
            "nobody; set them under 'Filters'.",
            title=plain(project.title, limit=120),
            language=language,
            role=role,
        )
    )


def _stored(market: Market) -> Project | None:
    projects = market.records.projects
    listed = {project.id: project for project in projects[:_LISTED]}
    if not listed:
        st.info(_("This marketplace has no projects. Choose 'Your own text' and paste one."), icon=":material/info:")
        return None
    project_id = str(st.session_state.get(_PROJECT_KEY) or "").strip()
    if project_id and project_id not in listed and (row := market.records.project_rows.get(project_id)) is not None:
        listed[project_id] = projects[row]
    if project_id not in listed:
        st.session_state[_PROJECT_KEY] = next(iter(listed))
        if project_id:
            st.warning(
                _("There is no project {project_id} in this marketplace.", project_id=plain(project_id, limit=60)),
                icon=":material/info:",
            )
    more = (
        _(" The first {listed} are listed; enter the id of any other project.", listed=numeral(_LISTED))
        if len(projects) > _LISTED
        else ""
    )
    chosen = st.selectbox(
        _("Select a project"),
        list(listed),
        key=_PROJECT_KEY,
        format_func=lambda key: _label(key, listed),
        accept_new_options=True,
        persist_state="session",
        label_visibility="collapsed",
        help=_("Type part of a title to search.{more}", more=more) if more else None,
    )
    return listed[str(chosen)]


def _label(key: str, listed: dict[str, Project]) -> str:
    project = listed.get(key)
    return visible(key if project is None else f"{project.title} · {language_name(project.language)} · {key}")


def _card(project: Project, market: Market) -> None:
    with st.container(border=True, key="find_project_card", gap="small"):
        made_up = f":orange-badge[:material/science: {_('synthetic')}]" if project.generated else ""
        st.markdown(f"**{plain(project.title or project.job_title, limit=200)}** {made_up}")
        st.caption(" · ".join(_facts(project, market)))
        lines = [line for line in project.description.splitlines() if line.strip()]
        kinds = ((_("Must have"), project.mandatory), (_("Nice to have"), project.bonus))
        cut = len(project.description) > _TEXT_SHOWN or any(len(skills) > _SKILLS_SHOWN for _unused, skills in kinds)
        st.markdown(plain(project.description, limit=_TEXT_SHOWN) if cut else "\n\n".join(map(plain, lines)))
        for label, skills in kinds:
            widgets.show_skills(label, skills, _SKILLS_SHOWN)
        if cut:
            with st.expander(_("Whole project"), key="find_whole_text", type="compact"):
                st.markdown("\n\n".join(plain(line, limit=5000) for line in lines))
                for label, skills in kinds:
                    widgets.show_skills(label, skills)
        st.button(_("Edit a copy"), key="find_copy", icon=":material/edit:", on_click=_copy, args=(project,))


def _facts(project: Project, market: Market) -> list[str]:
    facts = (
        project.job_title if project.title else "",
        market.category_name(project.category, project.category_name),
        language_name(project.language),
        widgets.place_and_country(project),
    )
    return [plain(fact, limit=120) for fact in facts if fact]


def _copy(project: Project) -> None:
    form = form_of(project)
    _start(form.text)
    st.session_state[_TITLE], st.session_state[_CATEGORY] = form.title, form.category or None
    _set_skills(form.text, form.skills)
    st.session_state[_SOURCE_KEY] = "own"
