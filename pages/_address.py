"""The page's address carries its state, so that a view can be sent to a colleague."""

import streamlit as st


def adopt(keys: dict[str, str]) -> None:
    """Take over what the address says, where somebody changed it: a link, the back button, another page.

    Args:
        keys: parameter of the address -> key of the session's state.
    """
    for parameter, key in keys.items():
        value = st.query_params.get(parameter)
        if value is not None and value != st.session_state.get(_written(key)):
            st.session_state[key] = value
            st.session_state[_written(key)] = value


def write(keys: dict[str, str]) -> None:
    """Put the session's state into the address; empty values are left out."""
    for parameter, key in keys.items():
        value = str(st.session_state.get(key) or "")
        st.session_state[_written(key)] = value
        if not value:
            st.query_params.pop(parameter, None)
        elif st.query_params.get(parameter) != value:
            st.query_params[parameter] = value


def _written(key: str) -> str:
    return f"address of {key}"
