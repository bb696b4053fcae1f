"""The desk of an open crosswalk: what is left, the codes as a tree, the panel of one code, and the downloads."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.linking import linking_service
from jobmatch_core.crosswalks.conflicts import below_in
from jobmatch_core.crosswalks.coverage import coverage
from jobmatch_core.crosswalks.export_formats import FORMATS
from jobmatch_core.crosswalks.mapping import EXACT, MappingSet
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.review import SECOND_REVIEW, TO_REVIEW, Conflict
from jobmatch_core.crosswalks.store import StoredCrosswalk
from jobmatch_core.io.download_names import download_name
from pages.crosswalks import code_panel, start
from pages.shared import browser, resources, sign_in, verdict_guard
from pages.shared.annotator import annotator_popover, given_name, shown
from pages.shared.cache import cached
from pages.shared.choices import select, select_segment
from pages.shared.composed import composed
from pages.shared.language import N_, _, capital, joined, numeral
from pages.shared.widgets import open_linker, plain, readable, taxonomy_name

VIEW_KEY, _BRANCH_KEY, _TABLE_KEY = "crosswalk_view", "crosswalk_branch", "crosswalk_table"
_EVERY, _CONFLICTS = N_("all"), N_("conflicts")
_ROW_HEIGHT = 32  # pixels
_PANEL_WIDTH, _BRANCH_WIDTH = 440, 240
_INDENT = "\u2003"  # for each level of the tree
_ENDINGS = {"sssom": ".sssom.tsv", "skos-turtle": ".ttl", "skos-jsonld": ".jsonld", "jskos": ".ndjson"}
_NAMES = {"sssom": "SSSOM", "skos-turtle": "SKOS (Turtle)", "skos-jsonld": "SKOS (JSON-LD)", "jskos": "JSKOS (Cocoda)"}
_SIGNS = {EXACT: "=", "narrower": "<", "broader": ">", "close": "~", "none": "none"}


def show(stored: StoredCrosswalk) -> None:
    """Draw the desk.

    Raises:
        JobMatchError: the target taxonomy is not installed, or cannot be searched.
    """
    manifest = next((each for each in resources.installed() if each.id == stored.card.taxonomy), None)
    if manifest is None:
        st.warning(
            _(
                "This crosswalk maps to {taxonomy}, which is not installed. {who_imports}",
                taxonomy=plain(stored.card.taxonomy),
                who_imports=sign_in.who_imports(),
            ),
            icon=":material/info:",
        )
        st.button(_("Other crosswalks"), key="crosswalk_others", on_click=start.put_away)
        return
    with st.container(key="desk"):
        line = st.container(horizontal=True, vertical_alignment="center", key="crosswalk_line")
        linker = open_linker(manifest)
        conflicts = _conflicts(stored)
        codes = _head(stored, conflicts, taxonomy_name(manifest), line)
        with st.container(key="desk_rows", height="stretch", horizontal=True, gap="small"):
            with st.container(key="crosswalk_tree", height="stretch", width="stretch", gap=None):
                current = _table(stored, codes)
            with st.container(key="panel", border=True, height="stretch", width=_PANEL_WIDTH):
                if current:
                    own = [composed(conflict.text) for conflict in conflicts if conflict.code == current]
                    code_panel.show(stored, linker, current, code_panel.after(codes, current), own)
                else:
                    st.caption(_("No code is left in this view."))
                    code_panel.undo_button(stored)
    browser.search_by_key("/", code_panel.SEARCH_KEY)
    verdict_guard.guard(*"0123456789enboxg", "enter")


@cached(lambda stored: (stored.id, stored.version), most=4)
def _conflicts(stored: StoredCrosswalk) -> list[Conflict]:
    taxonomy = linking_service().taxonomy(stored.card.taxonomy)
    return stored.review.conflicts(below_in(taxonomy))


def _head(stored: StoredCrosswalk, conflicts: Sequence[Conflict], target: str, line: DeltaGenerator) -> list[str]:
    review = stored.review
    waiting = review.waiting_for(given_name())
    disputed_by = list(dict.fromkeys(conflict.code for conflict in conflicts))
    views = {_EVERY: [code for code, _unused in review.tree()], **waiting, _CONFLICTS: disputed_by}
    with line:
        st.title(f"{plain(stored.card.name, limit=30)} → {plain(target)}", anchor=False, width="content")
        labels = {
            view: f"{capital(_(view))} {numeral(len(codes))}"
            for view, codes in views.items()
            if codes or view in (_EVERY, TO_REVIEW) or view == st.session_state.get(VIEW_KEY)
        }
        view = select_segment(_("View"), labels, VIEW_KEY, default=TO_REVIEW if waiting[TO_REVIEW] else _EVERY)
        branch = _branch(review.whole(), review.codes)
        st.space("stretch")
        with st.popover(_("Download"), icon=":material/download:"):
            _downloads(stored)
        st.button(_("All crosswalks"), key="crosswalk_others", on_click=start.put_away)
        annotator_popover(always=False)
    chosen = set(views[view])
    return [code for code, _unused in review.tree() if code in chosen and code.startswith(branch)]


def _branch(whole: MappingSet, codes: Mapping[str, SourceCode]) -> str:
    covered = {each.branch: each for each in coverage(whole.mappings, codes)}

    def counted(branch: str) -> str:
        named = f"{branch} {codes[branch].name}" if branch in codes else f"{branch}…" if branch else _("All")
        part = covered[branch]
        return _(
            "{named}: {reviewed} of {codes} reviewed",
            named=named,
            reviewed=numeral(part.reviewed),
            codes=numeral(part.codes),
        )

    return select(_("Branch"), list(covered), _BRANCH_KEY, format_func=counted, width=_BRANCH_WIDTH)


def _downloads(stored: StoredCrosswalk) -> None:
    reviewed = st.toggle(_("Only what people reviewed"), key="crosswalk_reviewed_only")
    whole = stored.review.whole(shown)
    chosen = whole.reviewed() if reviewed else whole
    for kind, write in FORMATS.items():
        st.download_button(
            _NAMES[kind],
            partial(write, chosen),
            download_name(stored.card.name, _ENDINGS[kind]),
            key=f"crosswalk_{kind}",
            on_click="ignore",
            width="stretch",
        )


def _table(stored: StoredCrosswalk, codes: Sequence[str]) -> str:
    # returns the current code; '' without any
    if not codes:
        st.info(_("No code is left in this view."), icon=":material/check:")
        return ""
    current = str(st.session_state.get(code_panel.CODE_KEY) or "")
    if current not in codes:
        current = st.session_state[code_panel.CODE_KEY] = codes[0]
    selection = {"rows": [codes.index(current)], "columns": [], "cells": []}
    st.session_state[_TABLE_KEY] = {"selection": selection}
    depths = dict(stored.review.tree())
    st.dataframe(
        readable([_row(stored, code, depths[code]) for code in codes]),
        hide_index=True,
        height="stretch",
        row_height=_ROW_HEIGHT,
        key=_TABLE_KEY,
        on_select=lambda: _open_selected(codes),
        selection_mode=["single-row", "single-cell"],
        alt=_("Codes and their mappings"),
        column_config={
            _("Code"): st.column_config.TextColumn(width=90),
            _("Name"): st.column_config.TextColumn(width=230),
            _("Mapped to"): st.column_config.TextColumn(
                width=295, help=_("= means the same, < is narrower than, > is broader than, ~ overlaps with")
            ),
            _("State"): st.column_config.TextColumn(width=105),
        },
    )
    browser.keep_in_sight(_TABLE_KEY, codes.index(current), _ROW_HEIGHT)
    return current


def _open_selected(codes: Sequence[str]) -> None:
    selection = st.session_state[_TABLE_KEY].selection
    rows = [selection.cells[0][0]] if selection.cells else selection.rows
    if rows:
        st.session_state[code_panel.CODE_KEY] = codes[rows[0]]


def _row(stored: StoredCrosswalk, code: str, depth: int) -> dict[str, object]:
    review = stored.review
    if st.session_state.get(VIEW_KEY) == SECOND_REVIEW:  # the first decision would lead the second
        mapped = [f"{_(_SIGNS[target.relation])} {target.name}" for target in review.draft(code, given_name()).values()]
    else:
        mapped = [f"{_(_SIGNS[item.relation])} {item.target_name or item.target}" for item in review.mappings(code)]
    reviewers = joined([shown(decision.by) for decision in review.decisions(code)])
    state = _(review.state(code))
    return {
        _("Code"): f"{_INDENT * depth}{code}",
        _("Name"): review.codes[code].name,
        _("Mapped to"): "; ".join(mapped),
        _("State"): _("{state} by {people}", state=state, people=reviewers) if reviewers else state,
    }
