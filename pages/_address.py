"""The page's address carries its state, so that a view can be sent to a colleague."""

import time
from dataclasses import dataclass

import streamlit as st

_LATE_SECONDS = 2.0  # a click may arrive with the address of before our last change; Back comes later than that


@dataclass(frozen=True, slots=True)
class _Written:
    """What was last put into the address for one parameter, what stood there before, and when."""

    value: str
    before: str
    at: float


_NOTHING = _Written("", "", 0.0)


def adopt(keys: dict[str, str]) -> None:
    """Take over what the address says, where somebody changed it: a link, the back button, another page.

    Args:
        keys: parameter of the address -> key of the session's state.
    """
    for parameter, key in keys.items():
        value, written = st.query_params.get(parameter), _written(key)
        late = value == written.before and time.monotonic() - written.at < _LATE_SECONDS
        if value and value != written.value and not late:
            st.session_state[key] = value
            _remember(key, value)


def write(keys: dict[str, str]) -> None:
    """Put the session's state into the address; empty values are left out."""
    for parameter, key in keys.items():
        value = str(st.session_state.get(key) or "")
        _remember(key, value)
        if not value:
            st.query_params.pop(parameter, None)
        elif st.query_params.get(parameter) != value:
            st.query_params[parameter] = value


def _written(key: str) -> _Written:
    written: _Written = st.session_state.get(f"address of {key}", _NOTHING)
    return written


def _remember(key: str, value: str) -> None:
    before = _written(key)
    if value != before.value:
        st.session_state[f"address of {key}"] = _Written(value, before.value, time.monotonic())
