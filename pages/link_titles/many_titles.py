"""List of titles: taken in, linked piece by piece, summed up, downloaded, and stored on this server."""

from functools import cache, partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.entities import UNIT_GROUP_LEVEL
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.download_names import download_name
from jobmatch_core.io.tables import write_table
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import STATUSES
from jobmatch_core.linking.link_counts import count_statuses
from jobmatch_core.linking.link_job import LINK_SCHEMA
from jobmatch_core.linking.review import ListOptions, Review
from jobmatch_core.linking.stored_list import StoredList
from pages.link_titles import list_charts, list_shelf, review_table, title_list
from pages.link_titles.list_shelf import LIST_KEY
from pages.link_titles.title_list import TitleList
from pages.shared import address, judging, sign_in
from pages.shared.annotator import shown
from pages.shared.own_linker import open_own_linker
from pages.shared.widgets import error_box, errors_shown, plain, show_deferred_error, time_left

_KEPT_KEY, _NAMED_KEY = "many_kept", "many_named"
ADDRESS = {"list": LIST_KEY}
_CHUNK = 200  # titles between two looks at the Stop button: about a quarter of a second
_FILE_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "jsonl": "application/jsonl",
}


def show(linker: Linker, options: ListOptions) -> None:
    """Draw the list's input, its progress, or what came of it."""
    try:
        stored = _opened()
    except LinkingError as error:
        error_box(error)
        st.button("New list", key="new_list", type="primary", icon=":material/restart_alt:", on_click=put_away)
        list_shelf.show()
        return
    # each state has its own place, and an empty one wipes what the state before has left there
    with _place(stored is None):
        if stored is None:
            _take_in(options)
            return
    review = stored.review
    same_taxonomy = review.options.taxonomy == linker.taxonomy.id
    if same_taxonomy:
        _name_in(options.show, stored, linker)
    with _place(same_taxonomy and review.running):
        if same_taxonomy and review.running:
            address.write(ADDRESS)  # linking takes a while, and may be cut off by a reload
            _link(review, linker, groups=options.groups)
            st.rerun()
    with _place(True):
        if same_taxonomy:
            _outcome(stored, linker.with_wish(review.options.precision), options)
        else:
            _other_taxonomy(stored, options)


def _name_in(language: str, stored: StoredList, linker: Linker) -> None:
    # the parts of an opened list may have names in several languages
    if st.session_state.get(_NAMED_KEY) != (stored.id, language):
        stored.review.show_in(language, linker.taxonomy)
        st.session_state[_NAMED_KEY] = (stored.id, language)


def put_away() -> None:
    """Leave the list, which is kept, and go back to the input of another."""
    review_table.forget()
    st.session_state[LIST_KEY] = ""
    for key in (_KEPT_KEY, _NAMED_KEY):
        st.session_state.pop(key, None)


def _opened() -> StoredList | None:
    asked = str(st.session_state.get(LIST_KEY) or "")
    stored: StoredList | None = st.session_state.get(_KEPT_KEY)
    if stored is not None and stored.id == asked:
        _refresh(stored)
        return stored
    put_away()
    if not asked:
        return None
    st.session_state[LIST_KEY] = asked
    with st.spinner("Opening the list …"):
        return _hold(list_shelf.stored_lists().load(asked))


def open_review() -> Review | None:
    """Return the review of the open list; None without one, and if the list is gone or no longer shared."""
    stored: StoredList | None = st.session_state.get(_KEPT_KEY)
    if stored is None:
        return None
    try:
        _refresh(stored)
    except LinkingError:
        return None
    return stored.review


def _refresh(stored: StoredList) -> None:
    linked = len(stored.review.results)
    if stored.refresh() or len(stored.review.results) > linked:
        st.session_state.pop(_NAMED_KEY, None)  # the other tab may show names in another language


def _hold(stored: StoredList) -> StoredList:
    st.session_state[LIST_KEY], st.session_state[_KEPT_KEY] = stored.id, stored
    return stored


def _place(used: bool) -> DeltaGenerator:
    return st.container() if used else st.empty()


def _take_in(options: ListOptions) -> None:
    taken = title_list.show(options.taxonomy)
    if taken is not None:
        _begin(taken, options)
    list_shelf.show()


def _same_titles(stored: StoredList) -> TitleList:
    review = stored.review
    return TitleList(review.rows, review.column, review.numbers, stored.card.name)


def _begin(titles: TitleList, options: ListOptions) -> None:
    with errors_shown():
        stored = list_shelf.stored_lists().new(
            titles.rows, titles.column, options, titles.name, owner=sign_in.owner(), numbers=titles.numbers
        )
        put_away()
        _hold(stored)
        st.rerun()


def _link(review: Review, linker: Linker, *, groups: bool) -> None:
    # a click on Stop interrupts the script between two chunks; linked chunks remain
    total, first, before = len(review.rows), len(review.results), review.seconds
    if review.options.groups != groups:  # as the list was begun, whatever is set now
        linker = open_own_linker(linker.taxonomy.manifest, groups=review.options.groups)
    bar = st.progress(first / total, text=f"Linking {total:,} titles …")
    st.button("Stop and save the results so far", key="stop", icon=":material/stop_circle:", on_click=review.stop)
    while review.running:
        review.step(linker, _CHUNK)
        done = len(review.results)
        left = time_left(done - first, total - first, review.seconds - before)
        bar.progress(done / total, text=f"{done:,} of {total:,} titles · {left}")


def _other_taxonomy(stored: StoredList, options: ListOptions) -> None:
    review = stored.review
    st.info(
        f"Your list of {len(review.rows):,} titles was linked to {plain(review.options.taxonomy)}. Choose that "
        "taxonomy at the top to see it, or link the list again.",
        icon=":material/info:",
    )
    if st.button("Link it to the selected taxonomy", key="relink", type="primary"):
        _begin(_same_titles(stored), options)


def _outcome(stored: StoredList, linker: Linker, options: ListOptions) -> None:
    review = stored.review
    show_deferred_error()
    line, downloads = st.columns([3, 2], vertical_alignment="center")
    with line:
        _summary_line(stored)
        if linker.calibration.curve and options.precision != review.options.precision:
            _other_precision(stored, options)
    with downloads, st.container(horizontal=True, horizontal_alignment="right"):
        _downloads(stored)
        st.button(
            "New list",
            key="new_list",
            icon=":material/restart_alt:",
            on_click=put_away,
            help="This list is saved and appears below the input.",
        )
    if len(review.results) < len(review.rows):
        _stopped(review)
    if not review.results:
        return
    judging.show_unsaved()
    review_table.show(review, linker)
    charts = st.expander("Charts", key="charts", icon=":material/bar_chart:", on_change="rerun")
    if charts.open:
        with charts:
            list_charts.show(review, linker.taxonomy)


def _summary_line(stored: StoredList) -> None:
    review = stored.review
    counts = count_statuses(review.statuses(), STATUSES)
    parts = [f"{each.count:,} {each.word} ({each.percent}%)" for each in counts if each.count]
    units = sum(review.level(number) == UNIT_GROUP_LEVEL for number in range(len(review.results)))
    st.markdown(" · ".join([f"**{len(review.results):,} rows**", *parts]))
    facts = [
        plain(stored.card.name),
        f"{review.n_decided:,} of {len(review.rows):,} decided",
        f"{units:,} with a unit group" if units else "",
        list_shelf.whose(stored.card.ownership),
        "saved at this address",
    ]
    st.caption(" · ".join(filter(None, facts)))


def _other_precision(stored: StoredList, options: ListOptions) -> None:
    review = stored.review
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Linked with a wished precision of {review.options.precision:.2f}.", width="content")
        if st.button(f"Link again with {options.precision:.2f}", key="relink", type="tertiary"):
            _begin(_same_titles(stored), options)


def _stopped(review: Review) -> None:
    left = len(review.rows) - len(review.results)
    st.info(f"Stopped: {len(review.results):,} titles are linked, {left:,} are not.", icon=":material/pause_circle:")
    st.button("Link the rest", key="resume", type="primary", on_click=review.resume)


def _downloads(stored: StoredList) -> None:
    review = stored.review
    with st.popover("Download", icon=":material/download:", disabled=not review.results):
        for ending, mime in _FILE_TYPES.items():
            st.download_button(
                ending.upper(),
                data=partial(_as_file, review, ending),
                file_name=download_name(stored.card.name, f" linked.{ending}"),
                mime=mime,
                key=f"download_{ending}",
                on_click="ignore",
                width="stretch",
            )


def _as_file(review: Review, ending: str) -> bytes:
    with temporary_folder() as folder:
        path = folder / f"linked.{ending}"
        write_table(path, review.to_rows(cache(shown)), LINK_SCHEMA)
        return path.read_bytes()
