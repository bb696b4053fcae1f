"""Table of links, the least certain first and equal titles in one row."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch_core.link_reasons import shown_reason
from jobmatch_core.linking.review import Review, shown_candidate, shown_name
from pages.shared.widgets import readable

_TABLE_KEY = "many_table"
_ROW_HEIGHT = 32  # pixels
MOST_SHOWN = 1000  # rows: each decision sends the table again


def show(review: Review, alike: Mapping[int, Sequence[int]], numbers: Sequence[int]) -> list[int]:
    """Draw the table; return the selected rows.

    Args:
        review: The list.
        alike: Rows with the same title, by the first of them.
        numbers: Rows to show, each the first of its title.
    """
    if not numbers:
        st.info("No rows match this filter.", icon=":material/filter_alt_off:")
        return []
    shown = numbers[:MOST_SHOWN]
    repeated = any(len(alike[number]) > 1 for number in shown)
    state = st.dataframe(
        readable([_row(review, alike, number) for number in shown]),
        hide_index=True,
        height="stretch",
        row_height=_ROW_HEIGHT,
        key=_TABLE_KEY,
        on_select=_select_whole_row,
        selection_mode=["multi-row", "single-cell"],
        alt="Titles and their links",
        column_config={  # the widths fit into 816 pixels; a wider table stretches them
            "Row": st.column_config.NumberColumn(width=50, help="Number of the row in your file"),
            "Title": st.column_config.TextColumn(width=290),
            "Rows": st.column_config.NumberColumn(width=46, help="Number of rows with this title"),
            "Occupation": st.column_config.TextColumn(
                width=180,
                help="A question mark marks a best guess below the threshold. If no occupation is "
                "likely enough, but a unit group is, the group is shown.",
            ),
            "Probability": st.column_config.ProgressColumn(
                min_value=0.0,
                max_value=1.0,
                format="%.2f",
                width=85,
                help="Probability that this is the right occupation or unit group",
            ),
            "Status": st.column_config.TextColumn(
                width=128, help="Your decision, the confidence of the link, or the reason to check the title"
            ),
        },
        column_order=["Row", "Title", *(["Rows"] if repeated else []), "Occupation", "Probability", "Status"],
    )
    return [shown[row] for row in state.selection.rows if row < len(shown)]


def counted(review: Review, alike: Mapping[int, Sequence[int]], numbers: Sequence[int]) -> str:
    """Return how many titles and rows a table shows, in words."""
    titled = [number for number in numbers if review.results[number].title.strip()]
    n_titles, n_rows = len(titled), sum(len(alike[number]) for number in titled)
    n_blank = sum(len(alike[number]) for number in numbers) - n_rows
    together = f" in {n_rows:,} rows" if n_rows > n_titles else ""
    blank = f", {n_blank:,} row{'s' if n_blank != 1 else ''} without one" if n_blank else ""
    return f"{n_titles:,} title{'s' if n_titles != 1 else ''}{together}{blank}"


def select(numbers: Sequence[int]) -> None:
    """Select all rows that the table shows of these."""
    _set_selection(list(range(min(len(numbers), MOST_SHOWN))))


def unselect() -> None:
    """Select nothing: the selection holds positions, where a filter puts other rows."""
    if _TABLE_KEY in st.session_state:
        _set_selection([])


def _set_selection(rows: list[int]) -> None:
    st.session_state[_TABLE_KEY] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def _select_whole_row() -> None:
    cells = st.session_state[_TABLE_KEY].selection.cells
    if cells:
        _set_selection([cells[0][0]])


def _row(review: Review, alike: Mapping[int, Sequence[int]], number: int) -> dict[str, object]:
    shown, group = shown_candidate(review, number), review.group(number)
    sign, name = "" if review.level(number) else "? ", shown_name(review, number)
    return {
        "Row": review.row_number(number),
        "Title": review.results[number].title,
        "Rows": len(alike[number]),
        "Occupation": f"{sign}{name}" if name else "nothing found",
        "Probability": group.probability if group else (shown and shown.probability) or None,
        "Status": shown_reason(review.reason(number)) or review.status(number),
    }
