"""Choices of one option, kept from page to page; an option that is missing or unknown becomes the default."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar, cast

import streamlit as st

OptionT = TypeVar("OptionT")
Width = int | Literal["stretch"]


def select(
    label: str,
    options: Sequence[OptionT],
    key: str,
    *,
    default: OptionT | None = None,
    format_func: Callable[[OptionT], str] = str,
    width: Width = "stretch",
    explanation: str | None = None,
) -> OptionT:
    """Draw a select box; return the selected option.

    Args:
        label: Label of the box.
        options: Options, at least one.
        key: Key of the session's state.
        default: Option selected at first; None, or an unknown one, for the first option.
        format_func: Returns an option's label.
        width: Width in pixels, or 'stretch'.
        explanation: Help text.
    """
    keep_known(key, options, default)
    return st.selectbox(
        label, options, key=key, format_func=format_func, persist_state="session", width=width, help=explanation
    )


def select_segment(
    label: str,
    labels: Mapping[OptionT, str],
    key: str,
    *,
    default: OptionT | None = None,
    label_shown: bool = False,
    width: Literal["content", "stretch"] = "content",
    explanation: str | None = None,
) -> OptionT:
    """Draw a segmented control; return the selected option.

    Args:
        label: Label of the control, always read by screen readers.
        labels: Options with their labels, at least one.
        key: Key of the session's state.
        default: Option selected at first; None, or an unknown one, for the first option.
        label_shown: Whether the label is visible.
        width: Width of the control.
        explanation: Help text.
    """
    keep_known(key, list(labels), default)
    option = st.segmented_control(
        label,
        list(labels),
        key=key,
        format_func=labels.__getitem__,
        required=True,
        label_visibility="visible" if label_shown else "collapsed",
        width=width,
        help=explanation,
        persist_state="session",
    )
    return cast("OptionT", option)


def preselect(key: str, options: Sequence[OptionT], default: Sequence[OptionT]) -> None:
    """Set the selection of several options to *default* at first, later without those that are no longer options."""
    st.session_state[key] = [option for option in st.session_state.get(key, default) if option in options]


def keep_known(key: str, options: Sequence[OptionT], default: OptionT | None) -> None:
    """Replace a selected option that is missing or unknown by the default, or by the first one."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = default if default in options else options[0]
