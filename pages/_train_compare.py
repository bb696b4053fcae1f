"""Step 3 of a training: the new model beside the one that was in use, and the promotion."""

import streamlit as st

from jobmatch_core.errors import JobMatchError
from jobmatch_core.evaluation.before_after import BeforeAfter, Change, Part
from jobmatch_core.training.model_cards import ModelCard
from jobmatch_core.training.registry import ModelKind
from pages import _find_market, _resources, _train_charts, _train_home
from pages._annotator import annotator_name
from pages._train_words import count, figure_name, interval, model_name, verdict
from pages._widgets import error_box, plain, readable

MODEL_KEY = "train_model"
_SAID_KEY = "train_promoted"  # what was just promoted or rolled back to, or the error
_WHY_KEY = "train_why"
_MOST_WARNINGS = 6


def show(cards: list[ModelCard]) -> ModelCard | None:
    """Draw the step; return the model that is compared, None where there is none."""
    st.markdown("**3 · Compare and promote**")
    _said()
    trained = {card.name: card for card in cards if not card.built_in}
    if not trained:
        st.caption("A trained model is compared here with the one in use. Nothing changes before you promote it.")
        return None
    newest = next((card.name for card in trained.values() if not card.in_use), next(iter(trained)))
    if st.session_state.get(MODEL_KEY) not in trained:
        st.session_state[MODEL_KEY] = newest
    chosen = st.selectbox(
        "Model", list(trained), key=MODEL_KEY, persist_state="session",
        format_func=lambda name: f"{name} (in use)" if trained[name].in_use else name,
    )  # fmt: skip
    card = trained[chosen]
    if card.comparison is not None:
        _summary(card.comparison)
    else:
        st.caption("It was trained without a comparison. Train one here to see before and after.")
    _promotion(card)
    return card


def details(card: ModelCard) -> None:
    """Draw all figures of a model's comparison, over the page's whole width."""
    if card.comparison is None:
        return
    comparison = card.comparison
    with st.expander(f"All figures of {plain(card.name)}, before and after", icon=":material/table_chart:"):
        st.caption(
            f"Before: {plain(comparison.before, limit=80)}, in use then. After: {plain(comparison.after, limit=80)}. "
            "'Fell' and 'better' are said where the whole 95 % interval of the difference is on one side of zero. Of "
            "twenty figures that did not change, one is so by chance."
        )
        for part in comparison.parts:
            if part.kind == "benchmark" and part.changes:
                st.plotly_chart(_train_charts.differences(part), key="train_differences")
        st.dataframe(readable(_rows(comparison)), hide_index=True, width="stretch", key="train_figures")


def promote(card: ModelCard, why: str) -> None:
    """Put a model into use everywhere."""
    registry, kind = _train_home.registry(), card.kind
    try:
        registry.keep_in_use(kind, next(each.name for each in _resources.model_cards(kind) if each.in_use))
        registry.promote(kind, card.name, who=annotator_name(), why=why)
    except JobMatchError as error:
        st.session_state[_SAID_KEY] = error
        return
    changed(kind, f"In use now, on every page: {model_name(card.name)}.")


def changed(kind: ModelKind, said: str) -> None:
    """Let every page take the model that is in use now, and say so."""
    _resources.forget_models()
    if kind is ModelKind.TOWERS:
        st.session_state.pop(_find_market.MODEL_KEY, None)  # the page 'Find freelancers' then takes the one in use
    st.session_state[_SAID_KEY] = said
    st.session_state.pop(_WHY_KEY, None)


def refused(error: JobMatchError) -> None:
    """Show on the next run why something was not done."""
    st.session_state[_SAID_KEY] = error


def _said() -> None:
    said = st.session_state.pop(_SAID_KEY, None)
    if isinstance(said, JobMatchError):
        error_box(said)
    elif said:
        st.success(said, icon=":material/check_circle:")


def _summary(comparison: BeforeAfter) -> None:
    for part in comparison.parts:
        if part.kind == "judgments":
            _judged(part)
    n_all = sum(len(part.changes) for part in comparison.parts)
    better, worse = comparison.better, comparison.worse
    st.markdown(
        f"Of {count(n_all, 'figure')}, **{len(better):,} better**, **{len(worse):,} fell**, "
        f"{n_all - len(better) - len(worse):,} may be chance."
    )
    for part, change in worse[:_MOST_WARNINGS]:
        st.markdown(f":material/trending_down: :red[**fell**: {_line(part, change)}]")
    if len(worse) > _MOST_WARNINGS:
        st.caption(f"… and {len(worse) - _MOST_WARNINGS:,} more: see all figures below.")
    for part, change in better[:2]:
        st.markdown(f":material/trending_up: :green[**better**: {_line(part, change)}]")


def _judged(part: Part) -> None:
    if not part.changes:
        reason = "none are there" if not part.n else "all say the same"
        st.caption(f"{plain(part.name)}: {reason}, so nothing can be said ({count(part.n, part.unit.rstrip('s'))}).")
        return
    change = part.changes[0]
    st.metric(
        f"{plain(part.name)} ({part.n:,})", f"{change.before:.3f} → {change.after:.3f}", f"{change.difference:+.3f}",
        help=f"{figure_name(change.figure).capitalize()}, 0.5 being chance. 95 % interval of the difference: "
        f"{interval(change)} ({verdict(change)}). "
        "The training of the new model left these projects, or titles, out. The model before may have learned from "
        "them, which favours it.",
        delta_color="normal" if change.better or change.worse else "off",
    )  # fmt: skip


def _line(part: Part, change: Change) -> str:
    return (
        f"{figure_name(change.figure)}, {plain(part.name, limit=60)}: {change.before:.3f} → {change.after:.3f} "
        f"({interval(change)})"
    )


def _promotion(card: ModelCard) -> None:
    if card.in_use:
        st.caption(":material/verified: In use on every page.")
        return
    if card.fault:
        st.warning(f"It cannot be used: {plain(card.fault)}.", icon=":material/broken_image:")
        return
    why = st.text_input("Why (for the history)", key=_WHY_KEY, max_chars=200, placeholder="Left open")
    fell = bool(card.comparison and card.comparison.worse)
    st.button(
        "Promote although something fell" if fell else "Promote", key="train_promote", type="primary",
        icon=":material/publish:", on_click=promote, args=(card, why), width="stretch",
        help="Every page uses it from then on. You can roll back at any time.",
    )  # fmt: skip


def _rows(comparison: BeforeAfter) -> list[dict[str, object]]:
    return [
        {
            "Measured on": part.name,
            "Figure": figure_name(change.figure),
            "Before": round(change.before, 3),
            "After": round(change.after, 3),
            "Difference": round(change.difference, 3),
            "95 % interval": interval(change),
            "Verdict": verdict(change),
            "Count": change.n,
        }
        for part in comparison.parts
        for change in part.changes
    ]
