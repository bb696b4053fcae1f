"""Input of a list of titles: pasted, or a file with a column of titles."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.io.tables import Record
from pages.link_titles import uploaded_list
from pages.link_titles.uploaded_list import MAX_ROWS
from pages.shared import browser
from pages.shared.widgets import plain

_PASTE_KEY = "many_paste"
_EXAMPLE = """Krankenschwester
Senior Software Engineer (m/w/d) - Leeds
infirmière
camarero
Head of Vibes
Kfz-Mechatroniker
pielęgniarka
Account Executive II
truck driver
cuoco"""

TitleList = tuple[Sequence[Record], str]  # rows, and the column of the titles


def show() -> TitleList | None:
    """Draw the input; return the list when the user presses Link."""
    way = st.segmented_control(
        "Input method", ["Paste", "Upload a file"], key="many_way", default="Paste", required=True,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    return _pasted() if way == "Paste" else _uploaded()


def _pasted() -> TitleList | None:
    if _PASTE_KEY not in st.session_state:
        st.session_state[_PASTE_KEY] = _EXAMPLE
    text = st.text_area(
        "Job titles, one per line", key=_PASTE_KEY, height=260, persist_state="session",
        help="A column copied from a spreadsheet works.",
    )  # fmt: skip
    browser.send_changes(_PASTE_KEY)
    titles = [line.strip() for line in text.splitlines() if line.strip()]
    if not _link_button(len(titles)):
        return None
    return _within_limit([{"title": title} for title in titles], "title")


def _uploaded() -> TitleList | None:
    chosen = uploaded_list.show()
    if chosen is None:
        return None
    table, column = chosen
    if not _link_button(column.n_filled, sure=column.has_text):
        return None
    return _within_limit(table.rows, column.name)


def _link_button(n_titles: int, *, sure: bool = True) -> bool:
    label = f"Link {n_titles:,} title{'s' if n_titles != 1 else ''}" if n_titles else "Link"
    return st.button(label, key="many_link", type="primary" if sure else "secondary", disabled=not n_titles)


def _within_limit(rows: Sequence[Record], column: str) -> TitleList | None:
    if len(rows) > MAX_ROWS:
        st.error(
            f"The list has more than {MAX_ROWS:,} titles, the limit of this page. Split it, or use the command "
            "line: " + plain("jobmatch link"),
            icon=":material/error:",
        )
        return None
    return rows, column
