"""Page 'Scoreboard': our systems and 15 published ones on benchmarks, and the linker on the user's own titles."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from pages.scoreboard import choice, measuring, queries_tab, search_tab, standings_tab, titles_tab
from pages.shared import resources
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, translated
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import PAGE_WIDTH, WIDE_KEY, errors_shown, plain, title_line

_ADDRESS = {
    "task": choice.TASK_KEY,
    "section": choice.SECTION_KEY,
    "setting": choice.SETTING_KEY,
    "ranking": choice.RANKING_KEY,
    "metric": choice.METRIC_KEY,
    "dataset": queries_tab.DATASET_KEY,
    "first": queries_tab.FIRST_KEY,
    "second": queries_tab.SECOND_KEY,
    "set": search_tab.SET_KEY,
    "system": measuring.SYSTEM_KEY,
    **choice.LISTS,
    "taxonomy": TAXONOMY_KEY,
}
_SECTIONS = {
    "standings": N_("Standings"),
    "queries": N_("Queries won and lost"),
    "overlap": N_("Lexical overlap"),
    "measure": N_("Measure"),
}


def _page() -> None:
    choice.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH, key=WIDE_KEY), errors_shown():
        with title_line(_("Scoreboard")):
            task = choice.task()
        if task == choice.SEARCH_TASK:
            search_tab.show()
        elif task == choice.OWN_TITLES_TASK:
            titles_tab.show()
        else:
            _rankings(task)
    choice.write(_ADDRESS)


def _rankings(task: str) -> None:
    stored = resources.stored_results()
    imported = resources.workrb_results()
    for problem in (*stored.damaged, *imported.damaged):
        st.warning(plain(problem), icon=":material/broken_image:")
    board = Scoreboard.of(stored.results, task, workrb=imported.results)
    section = select_segment(_("Section"), translated(_SECTIONS), choice.SECTION_KEY)
    if section == "measure":
        measuring.show(task)
    elif not board.entries and section != "overlap":
        st.info(
            _(
                "No figures have been measured or published for '{label}' yet. Measure a system below, and "
                "it will appear here.",
                label=_(TASKS[task].label),
            ),
            icon=":material/info:",
        )
        measuring.show(task)
    elif section == "queries":
        queries_tab.show(board)
    elif section == "overlap":
        queries_tab.show_overlap(board, task)
    else:
        standings_tab.show(board)


_page()
