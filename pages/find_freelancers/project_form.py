"""A project of one's own: a pasted text, the skills found in it as chips, a title and a category.

The chips' keys hold a hash of the text. A browser that still shows the chips of an earlier text when it sends its next
request so cannot pass them off as chips of the new one.
"""

from hashlib import sha256

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.project_form import FormReader, FormSkills, ProjectForm, followed, form_of
from jobmatch_core.text.languages import language_name
from pages.shared import markets, stored_text
from pages.shared.market_choice import Market
from pages.shared.widgets import finished, plain, show_deferred_error

_TITLE, _TEXT, _CATEGORY = "find_own_title", "find_own_text", "find_own_category"
_MANDATORY, _BONUS = "find_own_mandatory", "find_own_bonus"  # with the text's hash behind, see `_chips_key`
_READ = "find_own_read"  # the text that the chips were last found in
_KEYS = {"text": _TEXT, "title": _TITLE, "group": _CATEGORY}
_CHIPS = {"must": _MANDATORY, "nice": _BONUS}
_LINK = "find_own_link"  # the id under which the form is kept; '' for none
ADDRESS = {"text": _LINK}
_KIND = "projects"
_SEPARATOR = "\n"  # of skills
_TEXT_HEIGHT = 220
_LONGEST_TEXT = 20_000  # characters
_EXAMPLE = """Umzug unserer Auswertungen in die Cloud
Für ein Team im Großhandel suchen wir Unterstützung bei der Datenmodellierung und beim Aufbau eines Data Warehouse. \
Die Abfragen laufen in SQL und Python.
Von Vorteil: Docker, Power BI"""


def show(market: Market) -> Project | None:
    """Draw the form, filled in with an example at first; None while it is empty.

    Raises:
        JobMatchError: the text cannot be read.
    """
    if _TEXT not in st.session_state:
        start(_EXAMPLE)
    reader = finished(markets.opening_reader(market.taxonomy), "Reading skill names")
    text = st.text_area(
        "Text, in any language", key=_TEXT, height=_TEXT_HEIGHT, max_chars=_LONGEST_TEXT, persist_state="session",
        placeholder="Paste the project's text here: the tasks and the required skills.",
        help="The first line, or one that starts with 'Title:', is the title. Skills after 'Nice to have:' or 'Von "
            "Vorteil:' are optional.",
    )  # fmt: skip
    _find_skills(reader, text)
    st.button("Find freelancers", key="find_own_go", type="primary", icon=":material/search:")
    title = st.text_input("Title", key=_TITLE, placeholder="The text's first line", persist_state="session")
    category = _category(market)
    mandatory = _chips("Must have", _MANDATORY, _BONUS, text)
    bonus = _chips("Nice to have", _BONUS, _MANDATORY, text)
    _forget_earlier_chips(text)
    _save()
    show_deferred_error()
    if not text.strip() and not title.strip():
        st.info("Paste a project's text above, then press Find freelancers.", icon=":material/edit:")
        return None
    project = reader.project(ProjectForm(title, text, category, FormSkills(mandatory, bonus)))
    _understood(project)
    stored_text.note(_KIND, _LINK, _restart)
    return project


def start(text: str) -> None:
    """Begin a new form with a text alone."""
    for key in (_TITLE, _CATEGORY, _READ, *_chips_keys(_read()), *_chips_keys(text)):
        st.session_state.pop(key, None)
    st.session_state[_TEXT] = text


def _restart() -> None:
    start(_EXAMPLE)


def fill(project: Project) -> None:
    """Fill the form in with a project."""
    form = form_of(project)
    start(form.text)
    st.session_state[_TITLE], st.session_state[_CATEGORY] = form.title, form.category or None
    _set_skills(form.text, form.skills)


def links() -> dict[str, str]:
    """Return the values of the address as last read."""
    return {_LINK: str(st.session_state.get(_LINK, ""))}


def follow(before: dict[str, str]) -> bool:
    """Fill the form in with what the address leads to, where that has changed; say whether it leads to anything."""
    text_id = str(st.session_state.get(_LINK, ""))
    if text_id == before[_LINK]:
        return False
    fields = stored_text.read(_KIND, text_id) if text_id else None
    if fields is None:
        start(_EXAMPLE)
        return bool(text_id)
    fields = dict.fromkeys((*_KEYS, *_CHIPS), "") | fields
    start(fields["text"])
    st.session_state[_TITLE], st.session_state[_CATEGORY] = fields["title"], fields["group"] or None
    _set_skills(fields["text"], FormSkills(_split(fields["must"]), _split(fields["nice"])))
    return True


def put_aside() -> None:
    """Remove the form from the address while a project of the marketplace is shown."""
    st.session_state[_LINK] = ""


def _save() -> None:
    """Keep what is filled in, unless it is empty or only the example, and let the address lead to it."""
    fields = _fields()
    own = any(value.strip() for value in fields.values()) and fields["text"] != _EXAMPLE
    st.session_state[_LINK] = stored_text.save(_KIND, fields) if own else ""


def _fields() -> dict[str, str]:
    fields = {parameter: st.session_state.get(key) or "" for parameter, key in _KEYS.items()}
    chips = {parameter: _chosen(part, fields["text"]) for parameter, part in _CHIPS.items()}
    return fields | {parameter: _SEPARATOR.join(names) for parameter, names in chips.items()}


def _split(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(_SEPARATOR) if name)


def _find_skills(reader: FormReader, text: str) -> None:
    """Update the skill chips after the text changed."""
    before = _read()
    if text == before or _chips_key(_MANDATORY, text) in st.session_state:
        return
    chosen = FormSkills(_chosen(_MANDATORY, before), _chosen(_BONUS, before))
    _set_skills(text, followed(chosen, reader.skills(before), reader.skills(text)))


def _set_skills(text: str, skills: FormSkills) -> None:
    """Set the chips of a text."""
    st.session_state[_chips_key(_MANDATORY, text)] = list(skills.mandatory)
    st.session_state[_chips_key(_BONUS, text)] = list(skills.bonus)


def _forget_earlier_chips(text: str) -> None:
    """Note that the chips of a text were drawn; those of the text before are no longer needed to follow it."""
    if (before := _read()) != text:
        for key in _chips_keys(before):
            st.session_state.pop(key, None)
        st.session_state[_READ] = text


def _read() -> str:
    return str(st.session_state.get(_READ, ""))


def _chosen(part: str, text: str) -> tuple[str, ...]:
    return tuple(st.session_state.get(_chips_key(part, text), ()))


def _chips_keys(text: str) -> tuple[str, str]:
    return _chips_key(_MANDATORY, text), _chips_key(_BONUS, text)


def _chips_key(part: str, text: str) -> str:
    return f"{part}_{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _category(market: Market) -> str:
    names = {facet.value: market.group_name(facet) for facet in market.facets.categories}
    chosen = st.session_state.get(_CATEGORY)
    if chosen not in names:
        st.session_state[_CATEGORY] = None
    return st.selectbox(
        "Category", sorted(names, key=names.__getitem__), key=_CATEGORY, format_func=names.__getitem__,
        placeholder="Not set", persist_state="session",
    ) or ""  # fmt: skip


def _chips(label: str, part: str, other: str, text: str) -> tuple[str, ...]:
    """Draw a text's skills, which can be removed and added; what is among the others is offered here, too."""
    offered = list(dict.fromkeys([*_chosen(part, text), *_chosen(other, text)]))
    return tuple(st.multiselect(
        label, offered, key=_chips_key(part, text), accept_new_options=True, persist_state="session", select_all=False,
        placeholder="Type a skill and press Enter", wrap=True,
    ))  # fmt: skip


def _understood(project: Project) -> None:
    language = language_name(project.language) if project.language else "uncertain"
    role = f" · role: {plain(project.job_title, limit=80)}" if project.job_title else ""
    st.caption(f"Read as: “{plain(project.title, limit=120)}” · language: {language}{role}")
