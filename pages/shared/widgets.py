"""Elements of several pages: error box, escaped text, selectors, progress of long work, skill chips, search box."""

import re
import string
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

import pandas as pd
import streamlit as st
from pandas.api.types import is_numeric_dtype
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.background_call import Background
from jobmatch.services.linking import LinkOptions, linking_service
from jobmatch_core.entities import Freelancer, IscoGroup, NamedSkill, Project
from jobmatch_core.errors import JobMatchError, LabelStoreError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_counts import seconds_left
from jobmatch_core.retrieval.matches import SkillMatch, SkillState, place_name
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.taxonomy.tables import Manifest
from jobmatch_core.text.folding import visible
from jobmatch_core.text.locales import ENGLISH
from pages.shared.choices import Width, select
from pages.shared.composed import composed
from pages.shared.language import _, country_name, language, language_name, numeral, plural

P = ParamSpec("P")
T = TypeVar("T")

PAGE_WIDTH = 1200
WIDE_KEY = "wide_page"  # container of a page with wide tables, which theme.css widens in a wide window
_POLL_SECONDS = 0.1
_LEAST_OF_CUT = 0.8  # of the limit, for a text that is cut between two words
_SAID_SECONDS = 2.0  # wait of unknown length after which its seconds are counted
_UNSEEN_SECONDS = 0.3  # work shorter than this needs no bar
_JOINER = "\u2060"  # word joiner: has no width, and Streamlit reads no emoji or arrow across it
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"  # so that a right-to-left name does not reorder the text around it
_DIRECTION_MARKS = re.compile("[\u200e\u200f]")  # useless inside the isolates above
_READ_BY_STREAMLIT = re.compile(r":(?=[\w+-])|(?<!\S)[<>~-](?=[<>=-]{1,2}(?!\S))")  # :emoji:, :red[...], -> as arrows
_ADDRESS = re.compile(r"://|www\.|@", re.IGNORECASE)  # bare addresses become links, whatever is escaped
_CALLBACK_ERROR_KEY = "callback_error"
_CALLBACK_DONE_KEY = "callback_done"
_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]")
_SEARCH_KEY, _QUERY_KEY = "search_box", "search_box_query"
_LONGEST_NAME = 60
_ARROWS = {"previous": ":material/chevron_left:", "next": ":material/chevron_right:"}


def plain(text: str, limit: int = 500) -> str:
    """Escape untrusted text so that Markdown shows it literally, without links, pictures, formulas, emojis or HTML.

    Line breaks become blanks; control characters and direction overrides are spelled out; texts longer than *limit*
    are cut, between words if possible.
    """
    text = _DIRECTION_MARKS.sub("", visible(" ".join(text.split())))
    if len(text) > limit:
        whole_words = text[: limit + 1].rpartition(" ")[0]
        text = (whole_words if len(whole_words) >= limit * _LEAST_OF_CUT else text[:limit]).rstrip() + "…"
    escaped = _ADDRESS.sub(lambda sign: f"{sign.group()[:-1]}{_JOINER}{sign.group()[-1]}", text)
    escaped = _READ_BY_STREAMLIT.sub(lambda sign: sign.group() + _JOINER, escaped)
    escaped = _PUNCTUATION.sub(lambda sign: f"\\{sign.group()}", escaped)
    turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"{_ISOLATE}{escaped}{_END_ISOLATE}" if turned else escaped


def without_isolates(line: str) -> str:
    """Return joined pieces of `plain` so that a text in Arabic is laid out as a whole, not piece by piece."""
    return line.replace(_ISOLATE, "").replace(_END_ISOLATE, "")


def readable(table: Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]] | pd.DataFrame) -> pd.DataFrame:
    """Return a table with control characters and direction overrides in its cells spelled out."""
    frame = pd.DataFrame(table)
    for name in frame:
        if not is_numeric_dtype(frame[name]):
            frame[name] = frame[name].map(_readable_cell)
    # Streamlit needs unique column names
    names = [visible(str(name)) for name in frame]
    repeats = [names[:place].count(name) for place, name in enumerate(names)]
    frame.columns = pd.Index(
        [f"{name} ({count + 1})" if count else name for name, count in zip(names, repeats, strict=True)]
    )
    return frame


def _readable_cell(cell: object) -> object:
    if isinstance(cell, list):
        return [_readable_cell(item) for item in cell]
    return visible(cell) if isinstance(cell, str) else cell


def error_box(error: JobMatchError) -> None:
    """Show an error's message."""
    st.error(plain(composed(str(error)), limit=2000), icon=":material/error:")


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show a JobMatchError in an error box; any other exception is a bug and stays visible."""
    try:
        yield
    except JobMatchError as error:
        error_box(error)


@contextmanager
def errors_deferred() -> Iterator[None]:
    """Store a JobMatchError for `show_deferred_error`; for callbacks, which cannot draw."""
    try:
        yield
    except JobMatchError as error:
        st.session_state[_CALLBACK_ERROR_KEY] = error


def done_deferred(text: str) -> None:
    """Store what came of an act for `show_deferred_error`; the rerun that closes a dialog would drop a toast."""
    st.session_state[_CALLBACK_DONE_KEY] = text


def show_deferred_error() -> None:
    """Show the error of the last callback, or what came of it, once."""
    if done := st.session_state.pop(_CALLBACK_DONE_KEY, ""):
        st.toast(done, icon=":material/check:")
    error: JobMatchError | None = st.session_state.pop(_CALLBACK_ERROR_KEY, None)
    if error is not None:
        error_box(error)


def taxonomy_name(manifest: Manifest) -> str:
    """Return a taxonomy's name and version, such as 'ESCO 1.0.3'; the bundled one has its version in its name."""
    return manifest.name if manifest.id == BUNDLED_ID else visible(f"{manifest.name} {manifest.version}")


def taxonomy_title(manifest: Manifest) -> str:
    """Return a taxonomy's name, version and number of languages."""
    count = len(manifest.languages)
    return plural(
        "{taxonomy} · {n} language",
        "{taxonomy} · {n} languages",
        count,
        taxonomy=taxonomy_name(manifest),
    )


def title_line(title: str) -> DeltaGenerator:
    """Draw a page's title; return the container beside it, which wraps below in a narrow window."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, anchor=False, width="content")
        st.space("stretch")
        return st.container(horizontal=True, vertical_alignment="bottom", width="content")


def select_language(key: str, manifest: Manifest, *, width: Width = "stretch") -> str:
    """Draw the taxonomy's languages, the viewer's by default, else English; return the selected one."""
    languages = sorted(manifest.languages, key=language_name)
    default = language() if language() in languages else ENGLISH
    return select(_("Show names in"), languages, key, default=default, format_func=language_name, width=width)


def group_trail(path: Sequence[IscoGroup]) -> str:
    """Return an ISCO path as one line of Markdown."""
    return " › ".join(f"{plain(group.code)} {plain(group.name)}" for group in path)


def open_linker(manifest: Manifest, *, groups: bool = False) -> Linker:
    """Return a taxonomy's linker; a bar shows the progress while its index is built for the first time."""
    opening = linking_service().opening(LinkOptions(manifest.id, groups=groups))
    return finished(
        opening,
        _("Opening {taxonomy} for the first time since the start", taxonomy=plain(taxonomy_name(manifest))),
    )


def open_own_linker(manifest: Manifest, *, groups: bool = False) -> Linker:
    """Return a taxonomy's linker with the accepted titles; if these cannot be read, warn and return it without them.

    Raises:
        JobMatchError: the linker cannot be opened.
    """
    linker = open_linker(manifest, groups=groups)
    try:
        return linking_service().with_own_names(LinkOptions(manifest.id, groups=groups))
    except LabelStoreError as error:
        st.warning(
            _("Accepted titles are not used. {error}", error=plain(composed(str(error)), limit=1000)),
            icon=":material/label_off:",
        )
        return linker


def finished(work: "Background[T]", label: str) -> T:
    """Wait for background work under a progress bar and return its result, or raise what it raised."""
    place = st.empty()  # in every run: what stands below it keeps its place, and its focus
    if not work.wait(_UNSEEN_SECONDS):
        bar, begun = place.progress(0.0, text=f"{label} …"), time.monotonic()
        while not work.wait(_POLL_SECONDS):
            if not work.total and (waited := time.monotonic() - begun) >= _SAID_SECONDS:
                bar.progress(0.0, text=_("{label} … {waited} s so far", label=label, waited=numeral(waited)))
            if total := work.total:
                done = min(work.done, total)
                left = time_left(done, total, work.reported - work.begun) if done < total else ""
                bar.progress(
                    done / total,
                    text=_("{label} … {done} of {total}", label=label, done=numeral(done), total=numeral(total))
                    + (f" · {left}" if left else ""),
                )
        bar.empty()
    return work.result()


def time_left(done: int, total: int, elapsed: float) -> str:
    """Return the estimated time left in words; '' if it is unknown. *elapsed* is in seconds."""
    seconds = seconds_left(done, total, elapsed)
    return "" if seconds is None else duration_left(seconds)


def duration_left(seconds: float) -> str:
    """Return a duration left in words."""
    return _("{duration} left", duration=about(seconds))


def about(seconds: float) -> str:
    """Return a duration in round words."""
    if seconds < 60:
        return _("about {seconds} s", seconds=max(round(seconds), 1))
    minutes, seconds = divmod(round(seconds), 60)
    return _("about {minutes} min {seconds} s", minutes=numeral(minutes), seconds=seconds)


def dialog(title: str, **options: Any) -> Callable[[Callable[P, None]], Callable[P, None]]:  # noqa: ANN401
    """Return Streamlit's decorator of a dialog whose title, a constant, is in the viewer's language."""

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        @wraps(draw)
        def opened(*args: P.args, **kwargs: P.kwargs) -> None:
            st.dialog(_(title), **options)(draw)(*args, **kwargs)

        return opened

    return decorate


def confirm(act: str, key: str, on_click: Callable[..., None], *args: object, cancel: str = "") -> None:
    """Draw the buttons of a confirmation dialog, both of which close it; *on_click* is called on *act* only."""
    with st.container(horizontal=True):
        cancelled = st.button(cancel or _("Cancel"), key=f"{key}_cancelled", type="primary")
        confirmed = st.button(act, key=f"{key}_confirmed", on_click=on_click, args=args)
    if cancelled or confirmed:
        st.rerun()


def previous_and_next(
    key: str, place: int, last: int, *, button_type: Literal["secondary", "tertiary"] = "secondary"
) -> None:
    """Draw the buttons 'Previous' and 'Next', which change a place in the session's state.

    Args:
        key: Key of the state; prefix of the buttons' keys.
        place: The current place, from 0.
        last: The last place.
        button_type: Type of the buttons.
    """
    for name, label, to in (("previous", _("Previous"), place - 1), ("next", _("Next"), place + 1)):
        st.button(
            label,
            key=f"{key}_{name}",
            icon=_ARROWS[name],
            type=button_type,
            disabled=not 0 <= to <= last,
            on_click=st.session_state.update,
            args=({key: to},),
        )


def show_search_box(label: str, kind: SearchKind, **source: str) -> None:
    """Draw a search box that opens the page 'Search' with its text.

    Args:
        label: Label of the box.
        kind: Kind of the searched items.
        source: The searched `taxonomy` or `marketplace`, as in the page's address.
    """
    st.text_input(
        label,
        key=_SEARCH_KEY,
        on_change=_open_search,
        placeholder=_("A few words in any language"),
        icon=":material/search:",
    )
    if query := st.session_state.pop(_QUERY_KEY, ""):
        st.switch_page("pages/search/search.py", query_params={"in": kind, "query": query, **source})


def _open_search() -> None:
    st.session_state[_QUERY_KEY] = st.session_state[_SEARCH_KEY].strip()
    st.session_state[_SEARCH_KEY] = ""


def wanted_skills(label: str, skills: Sequence[SkillMatch], limit: int | None = None) -> str:
    """Return a line of Markdown: the number of wanted skills that a profile has, then chips, present skills first.

    If there are more than *limit*, the line has that many, half of them missing ones where there are enough of both.
    """
    present = [skill for state in (SkillState.DECLARED, SkillState.IN_TEXT) for skill in skills if skill.state is state]
    missing = [skill for skill in skills if skill.state is SkillState.NOT_FOUND]
    count = len(present)
    if limit is not None:
        missing = missing[: max(limit // 2, limit - len(present))]
        present = present[: limit - len(missing)]
    chips = [*map(_chip, present), *map(_chip, missing)]
    more = (
        _(" :gray-badge[{n_skills} more]", n_skills=numeral(len(skills) - len(chips)))
        if len(skills) > len(chips)
        else ""
    )
    return _(
        ":small[{label}, {count} of {n_skills}] {chips}{more}",
        label=label,
        count=count,
        n_skills=len(skills),
        chips=" ".join(chips),
        more=more,
    )


def declared_skill(name: str) -> str:
    """Return the chip of a declared skill that is wanted."""
    return f":blue-badge[:material/check: {_shortened(name)}]"


def other_skill(name: str) -> str:
    """Return the chip of any other skill."""
    return f":gray-badge[{_shortened(name)}]"


def show_skills(label: str, skills: Sequence[NamedSkill], limit: int | None = None) -> None:
    """Draw a line of skills as chips, at most *limit* and the number of the others; nothing if there are none."""
    if skills:
        chips = [other_skill(skill.text) for skill in skills[:limit]]
        more = (
            _(" :gray-badge[{n_skills} more]", n_skills=numeral(len(skills) - len(chips)))
            if len(skills) > len(chips)
            else ""
        )
        st.markdown(f"{label}: {' '.join(chips)}{more}")


def place_and_country(record: Project | Freelancer) -> str:
    """Return where a project or a freelancer is, such as 'Berlin, Germany'."""
    place = place_name(record.place) if record.place else ""
    return ", ".join(filter(None, (place, country_name(record.country) if record.country else "")))


def _chip(skill: SkillMatch) -> str:
    if skill.state is SkillState.NOT_FOUND:
        return _(":gray-badge[:material/close: {shortened}, missing]", shortened=_shortened(skill.wanted))
    if skill.state is SkillState.IN_TEXT:
        return _(":violet-badge[:material/article: {shortened}, in the text]", shortened=_shortened(skill.wanted))
    same = skill.offered.casefold() == skill.wanted.casefold()
    offered = "" if same else f" = {_shortened(skill.offered)}"
    return f":blue-badge[:material/check: {_shortened(skill.wanted)}{offered}]"


def _shortened(name: str) -> str:
    return plain(name, limit=_LONGEST_NAME)
