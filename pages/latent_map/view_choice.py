"""Choice of a map's view: the colours, the group that is shown, the switches, and the search."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch_core.maps.figure import WORDS
from jobmatch_core.maps.items import CLUSTER, FINER, LANGUAGE, Items, find_items
from jobmatch_core.maps.picture import View
from pages.shared.choices import select
from pages.shared.language import N_, _
from pages.shared.widgets import plain

_COLOUR_KEY, _WITHIN_KEY, _FIND_KEY = "map_colour", "map_within", "map_find"
_CONTOURS_KEY, _LINES_KEY = "map_contours", "map_lines"
# parameters of the address, as in `map_choice`
CHOICES = {"colour": _COLOUR_KEY, "within": _WITHIN_KEY, "find": _FIND_KEY}
SWITCHES = {"density": _CONTOURS_KEY, "lines": _LINES_KEY}
_FIND_WIDTH, _FOUND_WIDTH = 200, 240  # pixels
_NOTHING = N_("nothing")


def name_in_view(name: str) -> str:
    """Return the name of a group in the viewer's language, if it is one of core's; others come from the data."""
    return _(name) if name in WORDS else name


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
            key=_CONTOURS_KEY,
            persist_state="session",
            help=_("Contours that contain 85% and 50% of each colour's points."),
        )
        lines = (
            bool(items.concepts)
            and len(set(items.values(LANGUAGE))) > 1
            and st.toggle(
                _("Lines"),
                key=_LINES_KEY,
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
        _COLOUR_KEY,
        format_func=_,
        explanation=_("Clusters are found on the map itself and named by their most specific words."),
    )
    return "" if chosen == _NOTHING else chosen


def _within(items: Items, colour: str) -> str:
    values = sorted(set(items.values(colour)) - {""}) if colour and colour != CLUSTER else []
    named = {items.code(colour, value): value for value in values}  # an address is read in any language
    finer = _(", coloured by {finer}", finer=_(FINER[colour])) if colour in FINER else ""
    explanation = _("Only one {colour}{finer}; the rest stays grey.", colour=_(colour or "group"), finer=finer)
    chosen = select(
        _("Show only"),
        ["", *named],
        _WITHIN_KEY,
        format_func=lambda code: name_in_view(named[code]) if code else _("whole map"),
        explanation=explanation,
    )
    return named.get(chosen, "")


def _searched_row(items: Items) -> int | None:
    query = st.text_input(
        _("Find on the map"),
        key=_FIND_KEY,
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
