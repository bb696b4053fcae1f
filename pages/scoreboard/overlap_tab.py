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
    overlaps = {overlap.dataset: overlap for overlap in finished(resources.overlaps(task), "Comparing letters")}
    if not overlaps:
        st.info(
            "Here would be how close the queries are to their right names, letter by letter. That needs the datasets "
            "themselves; the section Measure says where to put them.",
            icon=":material/info:",
        )
        return
    st.caption(
        "Each query's least edit distance to a right name: 0 is the same but for case, 1 shares no letter. The less "
        "overlap, the more a system must know what names mean."
    )
    choice = choose(board)
    left, right = st.columns(2)
    with left:
        _histogram(overlaps)
    points = best_of_each(overlap_points(choice.board, list(overlaps.values()), choice.metric, choice.ranking))
    if points:
        right.plotly_chart(score_charts.overlap_scatter(points, choice.metric, choice.setting), key="board_scatter")
    else:
        right.caption("None of the chosen datasets is installed here.")


def _histogram(overlaps: dict[str, Overlap]) -> None:
    if st.session_state.get(_DATASET_KEY) not in overlaps:
        st.session_state[_DATASET_KEY] = next(iter(overlaps))
    name = st.selectbox("Dataset", list(overlaps), key=_DATASET_KEY, format_func=dataset_title, persist_state="session")
    overlap, title = overlaps[name], plain(dataset_title(name))
    if not len(overlap.distances):
        st.info(
            f"No query of {title} has a right name here. Vacancy titles need the taxonomy that their occupations are "
            "of, such as ESCO: it is imported on the page 'Taxonomies'.",
            icon=":material/info:",
        )
        return
    st.plotly_chart(score_charts.overlap_histogram(overlap), key="board_histogram")
    st.caption(f"{title} ({plain(name)}): median {overlap.median:.2f} over {len(overlap.distances):,} queries.")
