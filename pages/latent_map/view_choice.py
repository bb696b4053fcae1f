"""Choice of a map's view: colours, the group that is shown, contours and lines, and the item that is looked for."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.maps.items import CLUSTER, FINER, LANGUAGE, Items, find_items
from jobmatch_core.maps.picture import View
from pages.shared.choices import select
from pages.shared.language import N_, _
from pages.shared.widgets import plain

COLOUR_KEY, WITHIN_KEY, FIND_KEY = "map_colour", "map_within", "map_find"
CONTOURS_KEY, LINES_KEY = "map_contours", "map_lines"
_FIND_WIDTH, _FOUND_WIDTH = 200, 240  # pixels
_NOTHING, _ALL = N_("nothing"), N_("whole map")


def choose(items: Items, controls: DeltaGenerator, line: DeltaGenerator) -> View:
    """Draw the choices of colour and group among the controls, and the search in the page's line; return the view."""
    with controls:
        colour = _colour(items)
        within = _within(items, colour)
        switches = st.container(horizontal=True)
    with line:
        row = _searched_row(items)
    with switches:
        contours = st.toggle(
            _("Density"),
            key=CONTOURS_KEY,
            persist_state="session",
            help=_("Contours that contain 85% and 50% of each colour's points."),
        )
        lines = (
            bool(items.concepts)
            and len(set(items.values(LANGUAGE))) > 1
            and st.toggle(
                _("Lines"),
                key=LINES_KEY,
                persist_state="session",
                help=_("Connect the names of an occupation across languages: of the one you search for, or of 150."),
            )
        )
    return View(colour, within, contours, bool(lines), row)


def _colour(items: Items) -> str:
    options = [*items.colours, *(() if CLUSTER in items.colours else (CLUSTER,)), _NOTHING]
    chosen = select(
        _("Colour by"),
        options,
        COLOUR_KEY,
        format_func=_,
        explanation=_("Clusters are found on the map itself and named by their most specific words."),
    )
    return "" if chosen == _NOTHING else chosen


def _within(items: Items, colour: str) -> str:
    values = sorted(set(items.values(colour)) - {""}) if colour and colour != CLUSTER else []
    finer = _(", coloured by {finer}", finer=_(FINER[colour])) if colour in FINER else ""
    explanation = _("Only one {colour}{finer}; the rest stays grey.", colour=_(colour or "group"), finer=finer)

    def label(value: str) -> str:
        return _(value) if value == _ALL else value

    chosen = select(_("Show only"), [_ALL, *values], WITHIN_KEY, format_func=label, explanation=explanation)
    return "" if chosen == _ALL else chosen


def _searched_row(items: Items) -> int | None:
    query = st.text_input(
        _("Find on the map"),
        key=FIND_KEY,
        persist_state="session",
        placeholder=_("Find a text or an id"),
        icon=":material/search:",
        label_visibility="collapsed",
        width=_FIND_WIDTH,
    ).strip()
    if not query:
        return None
    rows = find_items(items, query)
    if not rows:
        st.caption(_("No item is called {query}.", query=plain(query, 60)), width="content")
        return None
    if len(rows) == 1:
        return rows[0]
    names = {row: f"{items.texts[row][:60]} · {items.values(LANGUAGE)[row]}".strip(" ·") for row in rows}
    return st.selectbox(
        _("Match"),
        rows,
        key=f"map_found_{query}",
        format_func=lambda row: names[row],
        label_visibility="collapsed",
        width=_FOUND_WIDTH,
    )
