"""The list of freelancers of a trained model, in the order of both stages, before and after."""

import streamlit as st

from jobmatch_core.retraining.list_comparison import NAME
from jobmatch_core.retraining.promotion import ModelCard
from pages.shared.composed import composed
from pages.shared.language import _
from pages.shared.tables import show_table
from pages.shared.widgets import plain
from pages.train_models.words import figure_name, interval

_FROM_THE_PAST = "map"


def show(card: ModelCard) -> None:
    """Draw what became of the second stage, and the list of the model in use beside that of the new one."""
    part = next((part for part in card.comparison.parts if part.kind == "list"), None) if card.comparison else None
    if card.ranker is None and part is None:
        return
    with st.container(border=True):
        st.markdown(f"**{_(NAME)}**")
        if card.ranker is not None:
            st.markdown(plain(composed(card.ranker.words), limit=500))
        if part is None or not part.changes:
            return
        rows = [
            {
                _("Figure"): figure_name(change.figure),
                _("Before"): change.before,
                _("After"): change.after,
                _("95% interval"): interval(change),
                _("Verdict"): _(change.outcome),
                _("Projects"): change.n,
            }
            for change in part.changes
        ]
        show_table(rows, "train_list", formats={_("Before"): "%.3f", _("After"): "%.3f"})
        if any(change.figure == _FROM_THE_PAST and change.worse for change in part.changes):
            st.caption(
                _(
                    "MAP counts only people whom the past has shown. A list that follows judgments shows others, "
                    "too, and can have a lower MAP without being worse."
                )
            )
