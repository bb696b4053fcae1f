"""Train models: freeze labels, train in the background, compare, promote, roll back."""

from pages import _entry

_entry.through_app()

import streamlit as st

from jobmatch_core.training.registry import ModelKind
from pages import _address, _resources, _train_compare, _train_registry, _train_run, _train_snapshot
from pages._annotator import annotator_popover
from pages._train_words import KIND_KEY, KINDS, TOWERS
from pages._widgets import PAGE_WIDTH, errors_shown

_ADDRESS = {
    "for": KIND_KEY, "snapshot": _train_snapshot.SNAPSHOT_KEY, "recipe": _train_run.RECIPE_KEY,
    "model": _train_compare.MODEL_KEY,
}  # fmt: skip


def _page() -> None:
    _address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        kind = _head()
        cards = _resources.model_cards(ModelKind(kind))
        first, second, third = st.columns(3, border=True)
        snapshot = None
        with first, errors_shown():
            snapshot = _train_snapshot.show(kind)
        with second, errors_shown():
            _train_run.show(kind, snapshot, cards)
        compared = None
        with third, errors_shown():
            compared = _train_compare.show(cards)
        if compared is not None:
            _train_compare.details(compared)
        _train_registry.show(ModelKind(kind), cards)
    _address.write(_ADDRESS)


def _head() -> str:
    if st.session_state.get(KIND_KEY) not in KINDS:
        st.session_state[KIND_KEY] = TOWERS
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Train models", anchor=False, width="content")
        kind = st.segmented_control(
            "For", list(KINDS), key=KIND_KEY, format_func=KINDS.__getitem__, required=True,
            label_visibility="collapsed", persist_state="session",
        )  # fmt: skip
        st.space("stretch")
        annotator_popover()
    return str(kind)


_page()
