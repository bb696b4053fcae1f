"""Page 'Train models': freeze labels, train in the background, compare, promote, roll back; add an encoder."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.model_store.model_spec import ModelKind
from pages.shared import address, resources
from pages.shared.annotator import annotator_popover
from pages.shared.choices import select_segment
from pages.shared.language import _, translated
from pages.shared.widgets import PAGE_WIDTH, WIDE_KEY, errors_shown
from pages.train_models import (
    freelancer_list,
    own_encoders,
    promotion,
    registry_view,
    run_step,
    search_log_step,
    snapshot_step,
)
from pages.train_models.run_step import RECIPE_KEY
from pages.train_models.words import KIND_KEY, KINDS, SEARCH

_ADDRESS = {"for": KIND_KEY, "snapshot": snapshot_step.SNAPSHOT_KEY, "recipe": RECIPE_KEY, "model": promotion.MODEL_KEY}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH, key=WIDE_KEY), errors_shown():
        kind = _head()
        cards = resources.model_cards(ModelKind(kind))
        first, second, third = st.columns([3, 3, 4], border=True)
        snapshot = None
        with first, errors_shown():
            snapshot = search_log_step.show() if kind == SEARCH else snapshot_step.show(kind)
        with second, errors_shown():
            run_step.show(kind, snapshot, cards)
        compared = None
        with third, errors_shown():
            compared = promotion.show(cards)
        if compared is not None:
            freelancer_list.show(compared)
            promotion.details(compared)
        registry_view.show(ModelKind(kind), cards)
        with errors_shown():
            own_encoders.show()
    address.write(_ADDRESS)


def _head() -> str:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(_("Train models"), anchor=False, width="content")
        kind = select_segment(_("For"), translated(KINDS), KIND_KEY)
        st.space("stretch")
        annotator_popover()
    return kind


_page()
