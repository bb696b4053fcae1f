"""Address of a view of the map: everything that is chosen, so that its link opens the same view."""

import re
from urllib.parse import urlencode

import streamlit as st

from pages.latent_map import map_choice, view_choice
from pages.shared import address

_ON = "on"
_NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?")
_WRITTEN = "address_{}"  # key of the text that the address has for a list, a switch or a number
_SWITCHES = map_choice.SWITCHES | view_choice.SWITCHES
_CODED = (*map_choice.LISTS, *_SWITCHES, *map_choice.NUMBERS)
_ADDRESS = map_choice.CHOICES | view_choice.CHOICES | {parameter: _WRITTEN.format(parameter) for parameter in _CODED}


def adopt() -> None:
    """Copy a changed address into the session's state; an invalid number is ignored."""
    for parameter in _CODED:
        st.session_state.pop(_WRITTEN.format(parameter), None)
    address.adopt(_ADDRESS)
    for parameter in _CODED:
        text = st.session_state.get(_WRITTEN.format(parameter))
        if text is None:
            continue
        if parameter in map_choice.LISTS:
            st.session_state[map_choice.LISTS[parameter]] = text.split(",")
        elif parameter in _SWITCHES:
            st.session_state[_SWITCHES[parameter]] = text == _ON
        elif _NUMBER.fullmatch(text):
            st.session_state[map_choice.NUMBERS[parameter]] = float(text)


def write() -> None:
    """Write what is chosen into the address."""
    _spell()
    address.write(_ADDRESS)


def link() -> str:
    """Return the link to the present view."""
    _spell()
    chosen = {parameter: str(st.session_state.get(key) or "") for parameter, key in _ADDRESS.items()}
    query = urlencode({parameter: value for parameter, value in chosen.items() if value})
    return f"{str(st.context.url or '').partition('?')[0]}?{query}"


def _spell() -> None:
    state = st.session_state
    spelled = {parameter: ",".join(state.get(key) or ()) for parameter, key in map_choice.LISTS.items()}
    spelled |= {parameter: _ON if state.get(key) else "" for parameter, key in _SWITCHES.items()}
    spelled |= {parameter: f"{state[key]:g}" if key in state else "" for parameter, key in map_choice.NUMBERS.items()}
    for parameter, text in spelled.items():
        state[_WRITTEN.format(parameter)] = text
