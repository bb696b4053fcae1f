"""Guidelines for annotators: a dialog to read and edit them, with earlier versions."""

import re

import streamlit as st

from pages.shared import resources, sign_in
from pages.shared.annotator import annotator_name
from pages.shared.label_words import when
from pages.shared.widgets import errors_shown, plain

START = """\
# What to judge
Would you put this freelancer forward for this project, going by what both wrote?

- **Fits**: all must-have skills are there, named or evident from the texts.
- **Lacks skills**: a must-have skill is missing, or the work is different.
- **Not sure**: the texts say too little, or you do not know the field.
- **Skip**: you should not judge this pair, or it is broken.

# What to ignore
Place, day rate, language of the profile, and how well somebody writes.
"""
_TEXT_KEY, _VIEW_KEY = "label_guidelines_text", "label_guidelines_view"
_READ, _WRITE, _HISTORY = "Read", "Edit", "Earlier versions"
_LONGEST = 20_000
_MARK = re.compile(r"^(\s*)(#{1,6} |[-*] |\d{1,3}\. |> )?(.*)$", re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def show() -> bool:
    """Draw the guidelines; return whether a new version was kept."""
    with errors_shown():
        newest = resources.label_store().guidelines()
        views = [_READ, _WRITE, _HISTORY] if sign_in.may("settle") else [_READ, _HISTORY]
        view = st.segmented_control(
            "What to do", views, key=_VIEW_KEY, default=_READ, required=True,
            label_visibility="collapsed",
        )  # fmt: skip
        if view == _WRITE:
            return _write(newest.text if newest else START)
        if view == _HISTORY:
            _history()
        elif newest is None:
            st.info("Nobody has written guidelines yet. Until then, use these:", icon=":material/info:")
            st.markdown(formatted(START))
        else:
            st.caption(f"By {plain(newest.author, limit=60)}, {when(newest.at)}")
            st.markdown(formatted(newest.text))
    return False


def formatted(text: str) -> str:
    """Return somebody's text with its headings, lists and bold words; anything else in it is shown letter by letter."""
    lines = []
    for line in text[:_LONGEST].splitlines():
        [(indent, mark, rest)] = _MARK.findall(line)
        pieces = _BOLD.split(rest)  # every second one is bold
        shown = "".join(f"**{_escaped(each)}**" if place % 2 else _escaped(each) for place, each in enumerate(pieces))
        lines.append(f"{indent[:4].replace(chr(9), '  ')}{mark.replace('# ', '## ') if '#' in mark else mark}{shown}")
    return "\n".join(f"{line}  " if line.strip() else "" for line in lines)


def _escaped(text: str) -> str:
    """Escape a piece of a line, without losing the blanks at its ends."""
    before, after = (" " if text[:1].isspace() else ""), (" " if text[-1:].isspace() else "")
    shown = plain(text, limit=_LONGEST)
    return f"{before}{shown}{after}" if shown else before


def _write(text: str) -> bool:
    st.session_state.setdefault(_TEXT_KEY, text)
    st.text_area(
        "Guidelines", key=_TEXT_KEY, height=360, max_chars=_LONGEST,
        help="Start a line with # for a heading or with - for a list item; put words between **two stars** for bold.",
    )  # fmt: skip
    st.caption(f"Saved as a new version by {plain(annotator_name(), limit=60)}; earlier versions remain.")
    if not st.button("Save this version", type="primary", icon=":material/save:", key="label_guidelines_save"):
        return False
    resources.label_store().write_guidelines(str(st.session_state[_TEXT_KEY]), annotator_name())
    st.session_state.pop(_TEXT_KEY)
    return True


def _history() -> None:
    versions = resources.label_store().guidelines_history()
    if not versions:
        st.info("There are no versions yet. Choose 'Edit' and write the first.", icon=":material/history:")
    for number, version in enumerate(versions):
        label = f"{when(version.at)} · {plain(version.author, limit=60)}{' · in use' if number == 0 else ''}"
        with st.expander(label, expanded=number == 0):
            st.markdown(formatted(version.text))
