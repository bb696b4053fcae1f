"""View options of a map: colours, contours, lines, a group, a search."""

import streamlit as st

from jobmatch_core.maps.items import CLUSTER, FINER, LANGUAGE, Items, find_items
from jobmatch_core.maps.picture import View
from pages.shared.widgets import plain

COLOUR_KEY, WITHIN_KEY, FIND_KEY, CONTOURS_KEY, LINES_KEY = (
    "map_colour", "map_within", "map_find", "map_contours", "map_lines",
)  # fmt: skip
ADDRESS = {"colour": COLOUR_KEY, "within": WITHIN_KEY, "find": FIND_KEY}
_WIDTHS = (240, 280, 260)  # pixels of the colour, of the group, of the search
_NOTHING, _ALL = "nothing", "whole map"


def choose(items: Items) -> View:
    """Draw the choices."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        colour_place, within_place, find_place = (st.container(width=width) for width in _WIDTHS)
        switches = st.container(width="content", horizontal=True)
    with colour_place:
        colour = _colour(items)
    with within_place:
        within = _within(items, colour)
    with find_place:
        found = _found(items)
    with switches:
        contours = st.toggle("Density", key=CONTOURS_KEY, persist_state="session",
                             help="Contours that contain 85 % and 50 % of each colour's points.")  # fmt: skip
        lines = bool(items.concepts) and len(set(items.values(LANGUAGE))) > 1 and st.toggle(
            "Lines", key=LINES_KEY, persist_state="session",
            help="Connect the names of an occupation across languages: of the occupation you search for, or of 150.",
        )  # fmt: skip
    return View(colour, within, contours, bool(lines), found)


def _colour(items: Items) -> str:
    options = [*items.colours, *(() if CLUSTER in items.colours else (CLUSTER,)), _NOTHING]
    if st.session_state.get(COLOUR_KEY) not in options:
        st.session_state[COLOUR_KEY] = options[0]
    chosen = st.selectbox(
        "Colour by", options, key=COLOUR_KEY, persist_state="session",
        help="Clusters are found on the map itself and named by their most specific words.",
    )  # fmt: skip
    return "" if chosen == _NOTHING else str(chosen)


def _within(items: Items, colour: str) -> str:
    values = sorted(set(items.values(colour)) - {""}) if colour and colour != CLUSTER else []
    options = [_ALL, *values]
    if st.session_state.get(WITHIN_KEY) not in options:
        st.session_state[WITHIN_KEY] = _ALL
    finer = f", coloured by {FINER[colour]}" if colour in FINER else ""
    chosen = st.selectbox("Show only", options, key=WITHIN_KEY, persist_state="session",
                          help=f"Only one {colour or 'group'}{finer}; the rest stays grey.")  # fmt: skip
    return "" if chosen == _ALL else str(chosen)


def _found(items: Items) -> int | None:
    asked = st.text_input("Find", key=FIND_KEY, persist_state="session", placeholder="Text or id",
                          icon=":material/search:").strip()  # fmt: skip
    if not asked:
        return None
    rows = find_items(items, asked)
    if not rows:
        st.caption(f"No item is called {plain(asked, 60)}.")
        return None
    if len(rows) == 1:
        return rows[0]
    names = {row: f"{items.texts[row][:60]} · {items.values(LANGUAGE)[row]}".strip(" ·") for row in rows}
    return st.selectbox(
        "Match", rows, key=f"map_found_{asked}", format_func=lambda row: names[row], label_visibility="collapsed"
    )
