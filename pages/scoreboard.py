"""How good our systems are beside 15 published ones, on data with known answers."""

from pages import _entry

_entry.through_app()

import streamlit as st

from jobmatch_core.evaluation.scoreboard import Scoreboard
from pages import (
    _address,
    _resources,
    _scoreboard_choice,
    _scoreboard_measure,
    _scoreboard_overlap,
    _scoreboard_queries,
    _scoreboard_standings,
)
from pages._widgets import PAGE_WIDTH, errors_shown, plain

_ADDRESS = {
    "task": _scoreboard_choice.TASK_KEY, "section": _scoreboard_choice.SECTION_KEY,
    "setting": _scoreboard_choice.SETTING_KEY, "ranking": _scoreboard_choice.RANKING_KEY,
    "metric": _scoreboard_choice.METRIC_KEY, "dataset": _scoreboard_queries.DATASET_KEY,
    "first": _scoreboard_queries.FIRST_KEY, "second": _scoreboard_queries.SECOND_KEY,
}  # fmt: skip
_SECTIONS = {"standings": "Standings", "queries": "Queries won and lost", "overlap": "Lexical overlap",
             "measure": "Measure"}  # fmt: skip


def _page() -> None:
    _address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        heading, task_choice = st.columns([3, 4], vertical_alignment="bottom")
        heading.title("Scoreboard", anchor=False)
        with task_choice:
            task = _scoreboard_choice.task()
        stored = _resources.stored_results()
        for problem in stored.damaged:
            st.warning(plain(problem), icon=":material/broken_image:")
        board = Scoreboard.of(stored.results, task)
        if st.session_state.get(_scoreboard_choice.SECTION_KEY) not in _SECTIONS:
            st.session_state[_scoreboard_choice.SECTION_KEY] = "standings"
        section = st.segmented_control(
            "Section", list(_SECTIONS), key=_scoreboard_choice.SECTION_KEY, format_func=_SECTIONS.__getitem__,
            required=True, label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        if section == "measure":
            _scoreboard_measure.show(task)
        elif not board.entries:
            _nothing()
        elif section == "queries":
            _scoreboard_queries.show(board)
        elif section == "overlap":
            _scoreboard_overlap.show(board, task)
        else:
            _scoreboard_standings.show(board)
    _address.write(_ADDRESS)


def _nothing() -> None:
    st.info("Nothing has been measured for this task yet, and nobody published figures for it.", icon=":material/info:")
    st.button("Measure a system", key="board_to_measure", type="primary", on_click=_scoreboard_choice.to_measure)


_page()
