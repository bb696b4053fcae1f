"""Table of links: what is to check first, equal titles in one row, and the current title highlighted."""

from collections.abc import Mapping, Sequence
from functools import cache

import streamlit as st

from jobmatch_core.linking.review import Review, shown_candidate, shown_name
from pages.shared import browser
from pages.shared.language import _, numeral, plural
from pages.shared.link_texts import reason_text
from pages.shared.widgets import readable

_TABLE_KEY = "many_table"
_GO_KEY = "many_go_to"  # a row whose title is to be shown next
_LAST_KEY = "many_last_position"
_ADVANCE_KEY = "many_advance"  # a title was decided on: the next one has its position
_ROW_HEIGHT = 32  # pixels
MOST_SHOWN = 1000  # rows: each decision sends the table again


def show(review: Review, alike: Mapping[int, Sequence[int]], numbers: Sequence[int]) -> list[int]:
    """Draw the table; return the selected rows, or the current one, which is the first at first.

    Args:
        review: The list.
        alike: Rows with the same title, by the first of them.
        numbers: Rows to show, each the first of its title.
    """
    if not numbers:
        st.info(_("No rows match this filter."), icon=":material/filter_alt_off:")
        return []
    shown = numbers[:MOST_SHOWN]
    _select_current(review, shown, alike)
    repeated = any(len(alike[number]) > 1 for number in shown)
    state = st.dataframe(
        readable(_columns(review, alike, shown)),
        hide_index=True,
        height="stretch",
        row_height=_ROW_HEIGHT,
        key=_TABLE_KEY,
        on_select=_select_whole_row,
        selection_mode=["multi-row", "single-cell"],
        alt=_("Titles and their links"),
        column_config={  # the widths fit into 801 pixels, beside a scrollbar; a wider table stretches them
            # pinned: a wide window gives its room to the others
            _("Row"): st.column_config.NumberColumn(width=50, help=_("Number of the row in your file"), pinned=True),
            _("Rows"): st.column_config.NumberColumn(width=46, help=_("Number of rows with this title"), pinned=True),
            _("Title"): st.column_config.TextColumn(width=282),
            _("Occupation"): st.column_config.TextColumn(
                width=170,
                help=_(
                    "A question mark marks a best guess below the threshold. If no occupation is likely enough, "
                    "but a unit group is, the group is shown."
                ),
            ),
            _("Probability"): st.column_config.ProgressColumn(
                min_value=0.0,
                max_value=1.0,
                format="%.2f",
                width=85,
                help=_("Probability that this is the right occupation or unit group"),
            ),
            _("Status"): st.column_config.TextColumn(
                width=131, help=_("Your decision, the confidence of the link, or the reason to check the title")
            ),
        },
        column_order=[
            _("Row"),
            *([_("Rows")] if repeated else []),
            _("Title"),
            _("Occupation"),
            _("Probability"),
            _("Status"),
        ],
    )
    if len(state.selection.rows) == 1:
        browser.keep_in_sight(_TABLE_KEY, state.selection.rows[0], _ROW_HEIGHT)
    return [shown[row] for row in state.selection.rows if row < len(shown)]


def counted(review: Review, alike: Mapping[int, Sequence[int]], numbers: Sequence[int]) -> str:
    """Return how many titles and rows a table shows, in words."""
    titled = [number for number in numbers if review.results[number].title.strip()]
    n_titles, n_rows = len(titled), sum(len(alike[number]) for number in titled)
    n_blank = sum(len(alike[number]) for number in numbers) - n_rows
    together = _(" in {n_rows} rows", n_rows=numeral(n_rows)) if n_rows > n_titles else ""
    blank = plural(", {n} row without one", ", {n} rows without one", n_blank) if n_blank else ""
    return plural("{n} title{together}{blank}", "{n} titles{together}{blank}", n_titles, together=together, blank=blank)


def select(numbers: Sequence[int]) -> None:
    """Select all rows that the table shows of these."""
    _set_selection(list(range(min(len(numbers), MOST_SHOWN))))


def unselect() -> None:
    """Select nothing: the selection holds positions, where a filter puts other rows."""
    if _TABLE_KEY in st.session_state:
        _set_selection([])


def go_to(number: int) -> None:
    """Show the title of a row next, if the table has it."""
    st.session_state[_GO_KEY] = number


def step(by: int) -> None:
    """Show the title that stands so many places below the current one, above it for a negative number."""
    position = next(iter(_selected()), 0) + by
    _set_selection([min(max(position, 0), st.session_state.get(_LAST_KEY, 0))])


def advance() -> None:
    """Show the next title after a decision on the current one: it moves up to the same position."""
    if len(selected := _selected()) == 1:
        _set_selection(selected)
        st.session_state[_ADVANCE_KEY] = True


def _select_current(review: Review, shown: Sequence[int], alike: Mapping[int, Sequence[int]]) -> None:
    st.session_state[_LAST_KEY] = len(shown) - 1
    wanted, advanced = st.session_state.pop(_GO_KEY, None), st.session_state.pop(_ADVANCE_KEY, False)
    places = [] if wanted is None else [place for place, first in enumerate(shown) if wanted in alike[first]]
    if places:
        _set_selection([places[0]])
    elif not any(row < len(shown) for row in _selected()):
        _set_selection([0])
    elif advanced and review.is_decided(shown[_selected()[0]]):
        _set_selection([0])  # the last one below was decided on; what was skipped stands above


def _selected() -> list[int]:
    state = st.session_state.get(_TABLE_KEY)
    return list(state["selection"]["rows"]) if state else []


def _set_selection(rows: list[int]) -> None:
    st.session_state[_TABLE_KEY] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def _select_whole_row() -> None:
    # a filter that was changed in the same moment has set it to nothing, as a plain dict
    if cells := st.session_state[_TABLE_KEY]["selection"]["cells"]:
        _set_selection([cells[0][0]])


def _columns(review: Review, alike: Mapping[int, Sequence[int]], numbers: Sequence[int]) -> dict[str, list[object]]:
    said, why, nothing = cache(_), cache(reason_text), _("nothing found")  # a translation takes longer than a row
    heads = _("Row"), _("Title"), _("Rows"), _("Occupation"), _("Probability"), _("Status")
    columns: dict[str, list[object]] = {head: [] for head in heads}
    for number in numbers:
        shown, group, name = shown_candidate(review, number), review.group(number), shown_name(review, number)
        sign, reason = "" if review.level(number) else "? ", review.reason(number)
        row = (
            review.row_number(number),
            review.results[number].title,
            len(alike[number]),
            f"{sign}{name}" if name else "–" if review.is_decided(number) else nothing,
            group.probability if group else (shown and shown.probability) or None,
            why(reason) if reason else said(review.status(number)),
        )
        for column, cell in zip(columns.values(), row, strict=True):
            column.append(cell)
    return columns
