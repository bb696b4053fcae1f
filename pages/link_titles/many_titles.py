"""List of titles: taken in, linked piece by piece, summed up, downloaded, and stored on this server."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.entities import UNIT_GROUP_LEVEL
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.tables import Record, write_table
from jobmatch_core.linking import Linker
from jobmatch_core.linking.list_store import NAME_LENGTH, Listed, ListStore
from jobmatch_core.linking.records import confidence, count_confidences
from jobmatch_core.linking.review import ListOptions, Review
from jobmatch_core.linking.stored_list import StoredList
from jobmatch_core.settings import Settings
from pages.link_titles import list_charts, review_table, title_list
from pages.shared import address, judging
from pages.shared.judging import when
from pages.shared.own_linker import open_own_linker
from pages.shared.widgets import error_box, errors_deferred, errors_shown, plain, show_deferred_error, time_left

LIST_KEY = "many_list"  # the id of the open list; '' for none
_SHOWN = 10  # lists, before the rest is folded away


def show_shelf() -> None:
    """Draw the lists, the last used first; nothing where there are none."""
    show_deferred_error()
    lists = ListStore.open().listed()
    if not lists:
        return
    with st.container(key="shelf", gap="small"):
        st.markdown("**Lists**")
        for listed in lists[:_SHOWN]:
            _line(listed)
        if len(lists) > _SHOWN:
            with st.expander(f"{len(lists) - _SHOWN:,} older lists", key="shelf_older"):
                for listed in lists[_SHOWN:]:
                    _line(listed)
        st.caption(_show_retention())


def _line(listed: Listed) -> None:
    name, progress, edit, remove = st.columns([6, 5, 1.4, 1.4], vertical_alignment="center")
    name.button(
        plain(listed.card.name), key=f"open_{listed.id}", icon=":material/list_alt:", type="tertiary",
        on_click=_open, args=(listed,),
    )  # fmt: skip
    used = when(datetime.fromtimestamp(listed.used, UTC))
    progress.caption(f"{listed.decided:,} of {listed.card.rows:,} decided · used {used}")
    with edit.popover("Rename", type="tertiary"):
        key = f"name_{listed.id}"
        st.text_input("Name", listed.card.name, key=key, max_chars=NAME_LENGTH, on_change=_rename, args=(listed.id,))
    if remove.button("Delete", key=f"delete_{listed.id}", type="tertiary"):
        _confirm(listed)


def _open(listed: Listed) -> None:
    st.session_state[LIST_KEY] = listed.id
    st.session_state["taxonomy"] = listed.card.options.taxonomy


def _rename(list_id: str) -> None:
    with errors_deferred():
        ListStore.open().rename(list_id, str(st.session_state[f"name_{list_id}"]))


@st.dialog("Delete this list?")
def _confirm(listed: Listed) -> None:
    decisions = f"{listed.decided:,} decision{'s' if listed.decided != 1 else ''}"
    st.markdown(
        f"**{plain(listed.card.name)}** will be deleted for everybody: {listed.card.rows:,} rows, their links and "
        f"{decisions}. This cannot be undone. Judgments recorded with these decisions remain."
    )
    with st.container(horizontal=True):
        cancelled = st.button("Cancel", key="delete_cancelled", type="primary")
        deleted = st.button(
            "Delete", key="delete_confirmed", icon=":material/delete:", on_click=_delete, args=(listed.id,)
        )
    if cancelled or deleted:
        st.rerun()


def _delete(list_id: str) -> None:
    with errors_deferred():
        ListStore.open().remove(list_id)


def _show_retention() -> str:
    days = Settings.from_environment().keep_days
    retention = (
        f"A list is deleted when nobody has opened it for {days:,} days."
        if days
        else ("Lists are stored until deleted.")
    )
    return f"{retention} Everybody who can open this page sees the lists."


REVIEW_KEY, _KEPT_KEY, _NAMED_KEY = "review", "many_kept", "many_named"
ADDRESS = {"list": LIST_KEY}
_CHUNK = 200  # titles between two looks at the Stop button: about a quarter of a second
_FILE_TYPES = {"csv": "text/csv", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
               "jsonl": "application/jsonl"}  # fmt: skip


def show(linker: Linker, options: ListOptions) -> None:
    """Draw the list's input, its progress, or what came of it."""
    try:
        stored = _opened()
    except LinkingError as error:
        error_box(error)
        st.button("New list", key="new_list", type="primary", icon=":material/restart_alt:", on_click=put_away)
        show_shelf()
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
            _other_taxonomy(review, options)


def _name_in(language: str, stored: StoredList, linker: Linker) -> None:
    """Name all occupations in the chosen language; parts of a list that was opened may be named in several."""
    if st.session_state.get(_NAMED_KEY) != (stored.id, language):
        stored.review.show_in(language, linker.taxonomy)
        st.session_state[_NAMED_KEY] = (stored.id, language)


def put_away() -> None:
    """Leave the list, which is kept, and go back to the input of another."""
    review_table.forget()
    st.session_state[LIST_KEY] = ""
    for key in (_KEPT_KEY, REVIEW_KEY, _NAMED_KEY):
        st.session_state.pop(key, None)


def _opened() -> StoredList | None:
    """Return the list of the address, as it is now; None where it names none.

    Raises:
        LinkingError: there is no such list any more, or it is damaged.
    """
    asked = str(st.session_state.get(LIST_KEY) or "")
    stored: StoredList | None = st.session_state.get(_KEPT_KEY)
    if stored is not None and stored.id == asked:
        linked = len(stored.review.results)
        if stored.refresh() or len(stored.review.results) > linked:
            st.session_state.pop(_NAMED_KEY, None)  # the other tab may show names in another language
        return stored
    put_away()
    if not asked:
        return None
    st.session_state[LIST_KEY] = asked
    with st.spinner("Opening the list …"):
        return _hold(ListStore.open().load(asked))


def _hold(stored: StoredList) -> StoredList:
    st.session_state[LIST_KEY], st.session_state[_KEPT_KEY], st.session_state[REVIEW_KEY] = (
        stored.id,
        stored,
        stored.review,
    )
    return stored


def _place(used: bool) -> DeltaGenerator:
    return st.container() if used else st.empty()


def _take_in(options: ListOptions) -> None:
    taken = title_list.show()
    if taken is not None:
        _begin(*taken, options)
    show_shelf()


def _begin(rows: Sequence[Record], column: str, options: ListOptions) -> None:
    with errors_shown():
        stored = ListStore.open().new(rows, column, options)
        put_away()
        _hold(stored)
        st.rerun()


def _link(review: Review, linker: Linker, *, groups: bool) -> None:
    """Link the rest; a click on Stop interrupts the script between two chunks, and what is done stays."""
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


def _other_taxonomy(review: Review, options: ListOptions) -> None:
    st.info(
        f"Your list of {len(review.rows):,} titles was linked to {plain(review.options.taxonomy)}. Choose that "
        "taxonomy at the top to see it, or link the list again.",
        icon=":material/info:",
    )
    if st.button("Link it to the selected taxonomy", key="relink", type="primary"):
        _begin(review.rows, review.column, options)


def _outcome(stored: StoredList, linker: Linker, options: ListOptions) -> None:
    review = stored.review
    show_deferred_error()
    line, downloads = st.columns([3, 2], vertical_alignment="center")
    with line:
        _summary_line(stored)
        if linker.calibration.curve and options.precision != review.options.precision:
            _other_precision(review, options)
    with downloads, st.container(horizontal=True, horizontal_alignment="right"):
        _downloads(review)
        st.button(
            "New list", key="new_list", icon=":material/restart_alt:", on_click=put_away,
            help="This list is saved and appears below the input.",
        )  # fmt: skip
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
    counts = count_confidences(confidence(result) for result in review.results)
    parts = [f"{count.share:.0%} {count.word}" for count in counts]
    units = sum(review.level(number) == UNIT_GROUP_LEVEL for number in range(len(review.results)))
    groups = f" · {units:,} linked to a unit group" if units else ""
    st.markdown(f"**{len(review.results):,} rows** · " + " · ".join(parts) + groups)
    st.caption(
        f"{plain(stored.card.name)} · {review.n_decided:,} of {len(review.rows):,} decided · saved at this address"
    )


def _other_precision(review: Review, options: ListOptions) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Linked with a wished precision of {review.options.precision:.2f}.", width="content")
        if st.button(f"Link again with {options.precision:.2f}", key="relink", type="tertiary"):
            _begin(review.rows, review.column, options)


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
