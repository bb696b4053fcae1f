"""Promotion and roll back: what gets worse is named, and asked about, first."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.errors import JobMatchError
from jobmatch_core.metrics.before_after import Change, Part
from jobmatch_core.model_store.registry import ModelKind
from jobmatch_core.retraining import promotion as retraining
from jobmatch_core.retraining.model_cards import ModelCard
from jobmatch_core.settings import Settings
from pages.shared import market_choice, resources
from pages.shared.annotator import annotator_name
from pages.shared.widgets import error_box
from pages.train_models import homes
from pages.train_models.words import change_line, count, model_name

WHY_KEY = "train_why"
_RESULT_KEY = "train_promoted"  # what was just promoted or rolled back to, or the error
_MOST_LOSSES = 8  # in the dialog


def promote_button(card: ModelCard, why: str, *, key: str, primary: bool = False, wide: bool = False) -> None:
    """Draw the button that puts a model into use; a model that is worse in something asks first.

    Args:
        card: the model.
        why: for the history.
        key: of the button.
        primary: whether it is the page's primary button, which it never is where something got worse.
        wide: whether it fills its column.
    """
    worse = card.comparison.worse if card.comparison else []
    clicked = st.button(
        "Promote …" if worse else "Promote", key=key, icon=":material/publish:",
        type="primary" if primary and not worse else "secondary", width="stretch" if wide else "content",
        help="Some figures got worse, so you will be asked to confirm." if worse else
        "Every page uses it from then on. You can roll back at any time.",
        on_click=None if worse else _promote, args=None if worse else (card, why),
    )  # fmt: skip
    if clicked and worse:
        _confirm_promotion(card, why, worse)


def roll_back_button(kind: ModelKind) -> None:
    """Draw the button that takes the latest promotion back; it asks first, and says which model comes back."""
    registry = homes.registry()
    back = registry.before(kind)
    if back and st.button(
        f"Roll back to {model_name(back)} …", key="train_roll_back", icon=":material/undo:", width="stretch"
    ):
        _confirm_roll_back(kind, registry.promoted(kind), back)


def show_outcome() -> None:
    """Draw what was just promoted or rolled back to, or why that failed."""
    result = st.session_state.pop(_RESULT_KEY, None)
    if isinstance(result, JobMatchError):
        error_box(result)
    elif result:
        st.success(result, icon=":material/check_circle:")


@st.dialog("Promote a model with worse figures?", icon=":material/trending_down:")
def _confirm_promotion(card: ModelCard, why: str, worse: Sequence[tuple[Part, Change]]) -> None:
    st.markdown(
        f"**{model_name(card.name)}** is worse than the model it was compared with in {count(len(worse), 'figure')}:"
    )
    lines = [f"- {change_line(part, change)}" for part, change in worse[:_MOST_LOSSES]]
    more = [f"- … and {len(worse) - _MOST_LOSSES:,} more"] if len(worse) > _MOST_LOSSES else []
    st.markdown("\n".join([*lines, *more]))
    st.caption("Every page uses it from then on. You can roll back at any time.")
    with st.container(horizontal=True):
        if st.button("Keep the model in use", key="train_promote_cancelled", type="primary"):
            st.rerun()
        if st.button("Promote anyway", key="train_promote_confirmed", on_click=_promote, args=(card, why)):
            st.rerun()


@st.dialog("Roll back?", icon=":material/undo:")
def _confirm_roll_back(kind: ModelKind, now: str, back: str) -> None:
    st.markdown(
        f"**{model_name(back)}** will be used on every page again, instead of **{model_name(now)}**. The latter "
        "stays in the registry and can be promoted again. The history records both steps."
    )
    with st.container(horizontal=True):
        if st.button(f"Keep {model_name(now)}", key="train_roll_back_cancelled", type="primary"):
            st.rerun()
        if st.button("Roll back", key="train_roll_back_confirmed", on_click=_roll_back, args=(kind,)):
            st.rerun()


def _promote(card: ModelCard, why: str) -> None:
    try:
        retraining.promote(card.kind, card.name, Settings.from_environment(), who=annotator_name(), why=why)
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
        return
    _changed(card.kind, f"In use now, on every page: {model_name(card.name)}.")


def _roll_back(kind: ModelKind) -> None:
    try:
        change = retraining.roll_back(kind, Settings.from_environment(), who=annotator_name())
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
        return
    _changed(kind, f"Rolled back. In use now, on every page: {model_name(change.after)}.")


def _changed(kind: ModelKind, result: str) -> None:
    """Make every page use the current model, and confirm it."""
    resources.forget_models()
    if kind is ModelKind.TOWERS:
        st.session_state.pop(market_choice.MODEL_KEY, None)  # the page 'Find freelancers' then takes the one in use
    st.session_state[_RESULT_KEY] = result
    st.session_state.pop(WHY_KEY, None)
