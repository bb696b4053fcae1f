"""Step 3 of a training: the new model beside the one that was in use, and the promotion."""

from typing import Literal

import streamlit as st

from jobmatch_core.metrics.before_after import BeforeAfter, Part
from jobmatch_core.metrics.headline import FEWEST_TOLD, Headline, Outcome, headline
from jobmatch_core.retraining.model_cards import ModelCard
from pages.shared.widgets import plain, readable
from pages.train_models import promotion, training_charts
from pages.train_models.words import OUTCOMES, change_line, count, figure_name, interval, verdict

MODEL_KEY = "train_model"
_MOST_WARNINGS = 3
_DELTA_COLOURS: dict[Outcome, Literal["green", "red", "off"]] = {
    Outcome.BETTER: "green", Outcome.WORSE: "red", Outcome.UNCLEAR: "off", Outcome.TOO_FEW: "off",
}  # fmt: skip
_DELTA_ARROWS: dict[Outcome, Literal["up", "down", "off"]] = {
    Outcome.BETTER: "up", Outcome.WORSE: "down", Outcome.UNCLEAR: "off", Outcome.TOO_FEW: "off",
}  # fmt: skip


def show(cards: list[ModelCard]) -> ModelCard | None:
    """Draw the step; return the model that is compared, None where there is none."""
    st.markdown("**3 · Compare and promote**")
    promotion.show_outcome()
    trained = {card.name: card for card in cards if not card.built_in}
    if not trained:
        st.caption("A trained model is compared here with the one in use. Nothing changes until you promote it.")
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
        st.caption("This model was trained without a comparison. Train a model here to see before and after.")
    _promotion(card)
    return card


def details(card: ModelCard) -> None:
    """Draw all figures of a model's comparison, over the page's whole width."""
    if card.comparison is None:
        return
    comparison = card.comparison
    with st.expander(f"All figures of {plain(card.name)}, before and after", icon=":material/table_chart:"):
        st.caption(
            f"Before: {plain(comparison.before, limit=80)}, in use then. After: "
            f"{plain(comparison.after, limit=80)}. A figure is 'worse' or 'better' if the whole 95 % interval of "
            "the difference is on one side of zero. By chance, this happens to one in twenty unchanged figures."
        )
        for part in comparison.parts:
            if part.kind == "benchmark" and part.changes:
                st.plotly_chart(training_charts.differences(part), key="train_differences")
        st.dataframe(readable(_rows(comparison)), hide_index=True, width="stretch", key="train_figures")


def _summary(comparison: BeforeAfter) -> None:
    _verdict(headline(comparison))
    n_all = sum(len(part.changes) for part in comparison.parts)
    better, worse = comparison.better, comparison.worse
    st.markdown(
        f"Of {count(n_all, 'figure')}, **{len(better):,} better**, **{len(worse):,} worse**, "
        f"{n_all - len(better) - len(worse):,} may be chance."
    )
    for part, change in worse[:_MOST_WARNINGS]:
        st.markdown(f":material/trending_down: :red[**worse**: {change_line(part, change)}]")
    if len(worse) > _MOST_WARNINGS:
        st.caption(f"… and {len(worse) - _MOST_WARNINGS:,} more: see all figures below.")
    for part, change in better[:2]:
        st.markdown(f":material/trending_up: :green[**better**: {change_line(part, change)}]")
    for part in comparison.parts:
        if part.kind == "judgments":
            _judged(part)


def _verdict(found: Headline) -> None:
    """Draw the verdict on the largest set, with its interval."""
    part, change = found.part, found.change
    if part is None or change is None:
        st.metric("New model and model in use", OUTCOMES[found.outcome])
        st.caption("Nothing was measured with both models.")
        return
    enough = found.outcome is not Outcome.TOO_FEW
    st.metric(
        f"{plain(part.name)} ({part.n:,} {part.unit})", OUTCOMES[found.outcome],
        f"{change.difference:+.3f} ({interval(change)})" if enough else None,
        delta_color=_DELTA_COLOURS[found.outcome], delta_arrow=_DELTA_ARROWS[found.outcome],
        help="The largest set that both models were measured on. The new model was not trained on it; the model "
            "before may have been, which favours that model.",
    )  # fmt: skip
    if enough:
        name = figure_name(change.figure)
        st.caption(
            f"{name[:1].upper()}{name[1:]}: {change.before:.3f} before, {change.after:.3f} after. In "
            "brackets the 95 % interval of the difference."
        )
    else:
        st.caption(
            f"At least {FEWEST_TOLD} {part.unit} are needed: with fewer, chance looks like a difference too often. "
            "Collect more, then train again."
        )


def _judged(part: Part) -> None:
    """Draw the outcome on held-out labels, in a size that fits its weight."""
    if not part.changes:
        reason = "there are none" if not part.n else "all have the same verdict"
        st.caption(f"{plain(part.name)}: {reason}, so there is no verdict ({count(part.n, part.unit.rstrip('s'))}).")
        return
    change = part.changes[0]
    range_text = interval(change) if change.known and change.n >= FEWEST_TOLD else "too few to tell"
    st.caption(
        f"{plain(part.name)} ({part.n:,} {part.unit}): {figure_name(change.figure)} "
        f"{change.before:.3f} → {change.after:.3f} ({range_text})"
    )


def _promotion(card: ModelCard) -> None:
    if card.fault:
        st.warning(f"It cannot be used: {plain(card.fault)}.", icon=":material/broken_image:")
        return
    if card.in_use:
        st.caption(":material/verified: In use on every page.")
        return
    why = st.text_input("Reason (for the history)", key=promotion.WHY_KEY, max_chars=200, placeholder="Optional")
    is_better = headline(card.comparison).outcome is Outcome.BETTER
    promotion.promote_button(card, why, key="train_promote", primary=is_better, wide=True)


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
