"""Lexical overlap: how close queries are to their right names, and how much that explains each system's figures."""

import streamlit as st

from jobmatch_core.benchmarks.datasets.dataset_titles import dataset_title
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap
from jobmatch_core.benchmarks.scoreboard.overlap_figures import best_of_each, overlap_points
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from pages.scoreboard import score_charts
from pages.scoreboard.choice import choose
from pages.shared import resources
from pages.shared.widgets import finished, plain

_DATASET_KEY = "board_overlap_dataset"


def show(board: Scoreboard, task: str) -> None:
    """Draw one dataset's histogram and all datasets' scatter."""
    overlaps = {overlap.dataset: overlap for overlap in finished(resources.overlaps(task), "Measuring lexical overlap")}
    if not overlaps:
        st.info(
            "This section shows the edit distance between queries and their correct names. It needs the datasets; "
            "the section 'Measure' shows where to put them.",
            icon=":material/info:",
        )
        return
    st.caption(
        "Each query's smallest edit distance to a correct name: 0 means equal except for case, 1 means no letter in "
        "common. With less overlap, a system depends more on the meaning of names."
    )
    choice = choose(board)
    left, right = st.columns(2)
    with left:
        _histogram(overlaps)
    points = best_of_each(overlap_points(choice.board, list(overlaps.values()), choice.metric, choice.ranking))
    if points:
        right.plotly_chart(score_charts.overlap_scatter(points, choice.metric, choice.setting), key="board_scatter")
    else:
        right.caption("None of the selected datasets is installed.")


def _histogram(overlaps: dict[str, Overlap]) -> None:
    if st.session_state.get(_DATASET_KEY) not in overlaps:
        st.session_state[_DATASET_KEY] = next(iter(overlaps))
    name = st.selectbox("Dataset", list(overlaps), key=_DATASET_KEY, format_func=dataset_title, persist_state="session")
    overlap, title = overlaps[name], plain(dataset_title(name))
    if not len(overlap.distances):
        st.info(
            f"No query of {title} has a correct name here. Vacancy titles need the taxonomy of their occupations, "
            "such as ESCO; import it on the page 'Taxonomies'.",
            icon=":material/info:",
        )
        return
    st.plotly_chart(score_charts.overlap_histogram(overlap), key="board_histogram")
    st.caption(f"{title} ({plain(name)}): median {overlap.median:.2f} over {len(overlap.distances):,} queries.")
