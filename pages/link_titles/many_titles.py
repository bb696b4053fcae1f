"""View 'Many titles': the input of a list, linking in chunks, what is left to check, and the download."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.errors import LinkingError
from jobmatch_core.io.download_names import download_name
from jobmatch_core.io.tables import write_table
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_job import LINK_SCHEMA
from jobmatch_core.linking.review import ListOptions, Review
from jobmatch_core.linking.stored_list import StoredList
from jobmatch_core.taxonomy import Manifest
from pages.link_titles import list_shelf, other_codes, review_desk, review_table, title_list
from pages.link_titles.list_shelf import LIST_KEY
from pages.link_titles.title_list import TitleList
from pages.shared import address, judging, resources, sign_in, taxonomy_choice
from pages.shared.annotator import shown
from pages.shared.downloads import table_buttons
from pages.shared.language import _, numeral
from pages.shared.widgets import (
    error_box,
    errors_shown,
    open_own_linker,
    plain,
    show_deferred_error,
    taxonomy_name,
    time_left,
)

_OPEN_KEY, _NAMED_KEY = "many_open", "many_named"
ADDRESS = {"list": LIST_KEY}
_CHUNK = 200  # titles between two checks for a click on Stop: about a quarter of a second

_Alike = Mapping[int, Sequence[int]]  # rows with the same title, by the first of them


def show_input(manifest: Manifest, options: ListOptions) -> None:
    """Draw the input of a list for a taxonomy, and the shelf of stored ones."""
    put_away()
    titles = title_list.show(manifest)
    if titles is not None:
        _begin(titles, options)
    list_shelf.show()


def is_open() -> bool:
    """Return whether a list is open or about to be opened."""
    return bool(st.session_state.get(LIST_KEY))


def show(linker: Linker, options: ListOptions, line: DeltaGenerator, actions: DeltaGenerator) -> None:
    """Draw the open list: its progress, or its links.

    Args:
        linker: Linker of the selected taxonomy.
        options: Options of the page.
        line: Place for the list's name and what is left to check.
        actions: Place for the buttons of the whole list.
    """
    with actions:
        st.button(
            _("New list"),
            key="new_list",
            icon=":material/restart_alt:",
            on_click=put_away,
            help=_("This list is saved and appears below the input."),
        )
    try:
        stored = _opened()
    except LinkingError as error:
        error_box(error)
        list_shelf.show()
        return
    review = stored.review
    same_taxonomy = review.options.taxonomy == linker.taxonomy.id
    # the list may have been stored with names in another language than this session shows
    if same_taxonomy and st.session_state.get(_NAMED_KEY) != (stored.id, options.show):
        review.show_in(options.show, linker.taxonomy)
        st.session_state[_NAMED_KEY] = (stored.id, options.show)
    alike = review.alike()
    with line:
        _headline(stored)
    # each state draws in its own place; an empty place removes the elements of the previous state
    if same_taxonomy and review.running:
        with st.container():
            address.write(ADDRESS)  # linking takes a while, and a reload may interrupt it
            _link(review, linker)
            st.rerun()
    st.empty()
    if not same_taxonomy:
        _other_taxonomy(stored, linker, options)
        return
    with actions:
        review_desk.charts_button(review, linker)
        _download(stored, linker)
    _outcome(stored, alike, linker.with_precision_if_fitted(review.options.precision), options)


def put_away() -> None:
    """Close the open list, which stays stored, and return to the input."""
    review_desk.forget()
    st.session_state[LIST_KEY] = ""
    for key in (_OPEN_KEY, _NAMED_KEY):
        st.session_state.pop(key, None)


def _opened() -> StoredList:
    stored = _held()
    if stored is None:
        return _loaded()
    _refresh(stored)
    return stored


def _held() -> StoredList | None:
    stored: StoredList | None = st.session_state.get(_OPEN_KEY)
    return stored if stored is not None and stored.id == st.session_state.get(LIST_KEY) else None


def _loaded() -> StoredList:
    list_id = str(st.session_state.get(LIST_KEY) or "")
    put_away()
    st.session_state[LIST_KEY] = list_id
    with st.spinner(_("Opening the list …")):
        return _hold(list_shelf.stored_lists().load(list_id))


def has_groups(taxonomy: str) -> bool:
    """Return whether the list of the address was also linked to ISCO groups of this taxonomy."""
    try:
        options = (_held() or _loaded()).review.options  # without reading decisions of other tabs, which `show` does
    except LinkingError:  # `show` says why
        return False
    return options.groups and options.taxonomy == taxonomy


def open_review() -> Review | None:
    """Return the review of the open list; None if no list is open, or it was deleted or is no longer shared."""
    stored: StoredList | None = st.session_state.get(_OPEN_KEY)
    if stored is None:
        return None
    try:
        _refresh(stored)
    except LinkingError:
        return None
    return stored.review


def _refresh(stored: StoredList) -> None:
    linked = len(stored.review.results)
    changed = stored.refresh()
    if changed:
        review_table.unselect()  # another tab's decisions move the rows
    if changed or len(stored.review.results) > linked:
        st.session_state.pop(_NAMED_KEY, None)  # another tab may have added names in another language


def _hold(stored: StoredList) -> StoredList:
    st.session_state[LIST_KEY], st.session_state[_OPEN_KEY] = stored.id, stored
    return stored


def _link_again(stored: StoredList, options: ListOptions) -> None:
    review, before = stored.review, stored.review.options
    same = before.taxonomy == options.taxonomy  # another one may lack the languages, and a crosswalk maps to one
    titles = TitleList(
        review.rows, review.column, review.numbers, stored.card.name, before.context, before.also if same else ""
    )
    languages = before.languages if same else ()
    _begin(titles, replace(options, languages=languages, top=before.top, groups=before.groups))


def _begin(titles: TitleList, options: ListOptions) -> None:
    options = replace(options, context=titles.context, also=titles.crosswalk)
    with errors_shown():
        stored = list_shelf.stored_lists().new(
            titles.rows, titles.column, options, titles.name, owner=sign_in.owner(), numbers=titles.numbers
        )
        put_away()
        _hold(stored)
        st.rerun()


def _link(review: Review, linker: Linker) -> None:
    # a click on Stop interrupts the script between two chunks; linked chunks remain
    total, first, before = len(review.rows), len(review.results), review.seconds
    # with accepted titles, and the setting that the list began with
    linker = open_own_linker(linker.taxonomy.manifest, groups=review.options.groups)
    bar = st.progress(first / total, text=_("Linking {total} titles …", total=numeral(total)))
    st.button(_("Stop and save the results so far"), key="stop", icon=":material/stop_circle:", on_click=review.stop)
    while review.running:
        review.step(linker, _CHUNK)
        done = len(review.results)
        left = time_left(done - first, total - first, review.seconds - before)
        bar.progress(
            done / total,
            text=_("{done} of {total} titles · {left}", done=numeral(done), total=numeral(total), left=left),
        )


def _other_taxonomy(stored: StoredList, linker: Linker, options: ListOptions) -> None:
    review, selected = stored.review, plain(taxonomy_name(linker.taxonomy.manifest))
    its_own = next((each for each in resources.installed() if each.id == review.options.taxonomy), None)
    name = plain(taxonomy_name(its_own) if its_own else review.options.taxonomy)
    rows = numeral(len(review.rows))
    st.info(
        _(
            "This list of {rows} titles was linked to {name}, and {other} is selected.",
            rows=rows,
            name=name,
            other=selected,
        )
        if its_own
        else _("This list of {rows} titles was linked to {name}, which is not installed here.", rows=rows, name=name),
        icon=":material/info:",
    )
    with st.container(horizontal=True):
        if its_own:
            st.button(
                _("Show it with {name}", name=name),
                key="list_taxonomy",
                type="primary",
                on_click=st.session_state.update,
                args=({taxonomy_choice.TAXONOMY_KEY: its_own.id},),
            )
        if st.button(_("Link it again, to {selected}", selected=selected), key="relink"):
            _link_again(stored, options)


def _outcome(stored: StoredList, alike: _Alike, linker: Linker, options: ListOptions) -> None:
    review = stored.review
    show_deferred_error()
    if linker.calibration.curve and options.precision != review.options.precision:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                _("Linked with a target precision of {precision}.", precision=numeral(review.options.precision, 2)),
                width="content",
            )
            if st.button(
                _("Link again with {precision}", precision=numeral(options.precision, 2)), key="relink", type="tertiary"
            ):
                _link_again(stored, options)
    linked, missing = len(review.results), len(review.rows) - len(review.results)
    if missing:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(
                _(
                    "Stopped: {linked} titles are linked, {missing} are not.",
                    linked=numeral(linked),
                    missing=numeral(missing),
                ),
                icon=":material/pause_circle:",
            )
            st.button(_("Link the rest"), key="resume", type="primary", on_click=review.resume)
    if not review.results:
        return
    judging.show_unsaved()
    review_desk.show(review, linker, alike)


def _headline(stored: StoredList) -> None:
    review = stored.review
    n_rows = len(review.rows)
    n_left = review.n_left + n_rows - len(review.results)  # it may have been stopped
    with st.container(key="desk_facts", width="stretch", gap=None):
        with st.container(key="desk_heading"):  # for screen readers: the desk has no room for it
            st.title(_("Review of a list"), anchor=False)
        st.markdown(f"**{plain(stored.card.name, limit=60)}**")
        if review.results:
            left = (
                _("**{n_left} left to check**", n_left=numeral(n_left)) if n_left else _("**Nothing is left to check**")
            )
            decided = _("{n_decided} of {n_rows} decided", n_decided=numeral(review.n_decided), n_rows=numeral(n_rows))
            facts = filter(None, (left, decided, list_shelf.whose(stored.card.ownership)))
            st.progress(1 - n_left / n_rows, text=" · ".join(facts))


def _download(stored: StoredList, linker: Linker) -> None:
    review = stored.review

    def group_name(code: str) -> str:
        return linker.taxonomy.group_name(code, review.options.show)

    with st.popover(_("Download"), icon=":material/download:", disabled=not review.results):
        codes = other_codes.codes(review.options)
        table_buttons(
            lambda path: write_table(path, review.to_rows(cache(shown), cache(group_name), codes), LINK_SCHEMA),
            lambda ending: download_name(stored.card.name, f" linked.{ending}"),
            "download",
            "csv",
            "xlsx",
            "parquet",
            "jsonl",
        )
