"""Link a list of titles: take it in, link it piece by piece, sum it up, give it away again."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.linking import Linker
from jobmatch_core.linking.records import confidence
from jobmatch_core.linking.review import LinkOptions, Review
from jobmatch_core.linking.summary import count_confidences
from jobmatch_core.tables import write_table
from pages import _charts, _judging, _review_table, _title_list
from pages._widgets import plain, time_left

REVIEW_KEY = "review"
_CHUNK = 200  # titles between two looks at the Stop button: about a quarter of a second
_FILE_TYPES = {"csv": "text/csv", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
               "jsonl": "application/jsonl"}  # fmt: skip


def show(linker: Linker, options: LinkOptions) -> None:
    """Draw the list's input, its progress, or what came of it."""
    review: Review | None = st.session_state.get(REVIEW_KEY)
    same_taxonomy = review is not None and review.options.taxonomy == linker.taxonomy.id
    # each state has its own place, and an empty one wipes what the state before has left there
    with _place(review is None):
        if review is None:
            _take_in(options)
            return
    with _place(same_taxonomy and review.running):
        if same_taxonomy and review.running:
            _link(review, linker)
            st.rerun()
    with _place(True):
        if same_taxonomy:
            if options.show != review.options.show:
                review.show_in(options.show, linker.taxonomy)
            _outcome(review, linker)
        else:
            _other_taxonomy(review, options)


def _place(used: bool) -> DeltaGenerator:
    return st.container() if used else st.empty()


def _take_in(options: LinkOptions) -> None:
    taken = _title_list.show()
    if taken is not None:
        _begin(Review(*taken, options))


def _begin(review: Review) -> None:
    _review_table.forget()
    st.session_state[REVIEW_KEY] = review
    st.rerun()


def _link(review: Review, linker: Linker) -> None:
    """Link the rest; a click on Stop interrupts the script between two chunks, and what is done stays."""
    total = len(review.rows)
    bar = st.progress(len(review.results) / total, text=f"Linking {total:,} titles …")
    st.button("Stop and keep what is done", key="stop", icon=":material/stop_circle:", on_click=review.stop)
    while review.running:
        review.step(linker, _CHUNK)
        done = len(review.results)
        bar.progress(done / total, text=f"{done:,} of {total:,} titles · {time_left(done, total, review.seconds)}")


def _other_taxonomy(review: Review, options: LinkOptions) -> None:
    st.info(
        f"Your list of {len(review.rows):,} titles was linked to {plain(review.options.taxonomy)}. "
        "Choose that taxonomy at the top to see it, or link the list anew.",
        icon=":material/info:",
    )
    if st.button("Link it to the chosen taxonomy", key="relink", type="primary"):
        _begin(Review(review.rows, review.column, options))


def _outcome(review: Review, linker: Linker) -> None:
    line, downloads = st.columns([3, 2], vertical_alignment="center")
    with line:
        _summary_line(review)
    with downloads, st.container(horizontal=True, horizontal_alignment="right"):
        _downloads(review)
        st.button("New list", key="new_list", icon=":material/restart_alt:", on_click=_forget)
    if len(review.results) < len(review.rows):
        _stopped(review)
    if not review.results:
        return
    _judging.held_shown()
    _review_table.show(review, linker)
    charts = st.expander("Charts", key="charts", icon=":material/bar_chart:", on_change="rerun")
    if charts.open:
        with charts:
            _charts.show(review, linker.taxonomy)


def _summary_line(review: Review) -> None:
    counts = count_confidences(confidence(result) for result in review.results)
    parts = [f"{count.share:.0%} {count.word}" for count in counts]
    st.markdown(f"**{len(review.results):,} rows** · " + " · ".join(parts))


def _stopped(review: Review) -> None:
    left = len(review.rows) - len(review.results)
    st.info(f"Stopped: {len(review.results):,} titles are linked, {left:,} are not.", icon=":material/pause_circle:")
    st.button("Link the rest", key="resume", type="primary", on_click=review.resume)


def _downloads(review: Review) -> None:
    with st.popover("Download", icon=":material/download:", disabled=not review.results):
        for ending, mime in _FILE_TYPES.items():
            st.download_button(
                ending.upper(), data=partial(_as_file, review, ending), file_name=f"linked_titles.{ending}",
                mime=mime, key=f"download_{ending}", on_click="ignore", width="stretch",
            )  # fmt: skip


def _as_file(review: Review, ending: str) -> bytes:
    with TemporaryDirectory(prefix="jobmatch-") as folder:
        path = Path(folder) / f"linked_titles.{ending}"
        write_table(path, review.to_records() if ending == "jsonl" else review.to_rows())
        return path.read_bytes()


def _forget() -> None:
    _review_table.forget()
    st.session_state.pop(REVIEW_KEY, None)
