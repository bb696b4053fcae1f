"""Tour of three steps for a first visit: shown until the viewer closes it, and again only on request."""

from dataclasses import dataclass

import streamlit as st

from jobmatch.services.tours import close_tour, is_tour_closed
from jobmatch_core.errors import JobMatchError
from jobmatch_core.settings import Settings
from pages.shared import sign_in
from pages.shared.composed import composed
from pages.shared.language import N_, _
from pages.shared.page_links import page_link
from pages.shared.widgets import plain

_STEP_KEY = "tour_step"  # number of the step shown in this session
_CLOSED = -1
_LINK_TITLES = "link_titles"


@dataclass(frozen=True, slots=True)
class _Step:
    reader: str
    text: str
    page: str  # its folder; the step is left out for those who may not see it
    query: dict[str, str] | None = None


_STEPS = (
    _Step(
        N_("Recruiters"),
        N_(
            "Type a title below, in any language. For a whole list, open 'Many titles', then paste the "
            "list or upload it."
        ),
        _LINK_TITLES,
    ),
    _Step(
        N_("Data scientists"),
        N_("Measure how many of your own titles can be coded automatically, with a table that people have coded."),
        "scoreboard",
        {"task": "own-titles"},
    ),
    _Step(
        N_("Annotators"),
        N_("Read a project and a freelancer side by side, and press 1 to 4 to judge whether they fit."),
        "label_pairs",
    ),
)


def show() -> None:
    """Draw the current step, unless the viewer has closed the tour."""
    if _step() == _CLOSED:
        return
    steps = [step for step in _STEPS if sign_in.may_see(step.page)]
    number = min(_step(), len(steps) - 1)
    step = steps[number]
    with st.container(border=True, key="tour", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            _(
                ":small[:gray[{number} of {n_steps}]] **{reader}:** {text}",
                number=number + 1,
                n_steps=len(steps),
                reader=_(step.reader),
                text=_(step.text),
            ),
            width="stretch",
        )
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall"):
            if step.page != _LINK_TITLES:
                page_link(step.page, query=step.query)
            if number + 1 < len(steps):
                st.button(_("Next"), key="tour_next", on_click=st.session_state.update, args=({_STEP_KEY: number + 1},))
            st.button(_("Close"), key="tour_close", type="tertiary", icon=":material/close:", on_click=_close)


def reopen() -> None:
    """Show the tour from its first step in this session, also if it was closed; for callbacks."""
    st.session_state[_STEP_KEY] = 0


def _step() -> int:
    if _STEP_KEY not in st.session_state:
        closed = is_tour_closed(Settings.from_environment(), sign_in.owner())
        st.session_state[_STEP_KEY] = _CLOSED if closed else 0
    return int(st.session_state[_STEP_KEY])


def _close() -> None:
    st.session_state[_STEP_KEY] = _CLOSED
    try:
        close_tour(Settings.from_environment(), sign_in.owner())
    except JobMatchError as error:
        st.toast(plain(composed(str(error))), icon=":material/error:")
