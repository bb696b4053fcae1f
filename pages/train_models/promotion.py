"""Step 3 of a training: the new model beside the one in use, its promotion, and the rollback."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from jobmatch.services import promoting
from jobmatch.services.linking import linking_service
from jobmatch.services.promoting import AUDITED, stored_audit
from jobmatch_core.audit.report_comparison import MOST_LOST, FindingChange
from jobmatch_core.errors import JobMatchError
from jobmatch_core.metrics.comparisons import (
    FEWEST_TOLD,
    BeforeAfter,
    ComparisonHeadline,
    FigureChange,
    Outcome,
    Part,
    headline,
)
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining import promotion as retraining
from jobmatch_core.retraining.promotion import ModelCard
from jobmatch_core.settings import Settings
from pages.shared import market_choice, resources
from pages.shared.annotator import annotator_name
from pages.shared.choices import select
from pages.shared.tables import show_table
from pages.shared.text_limits import cut
from pages.shared.widgets import confirm, error_box, finished, plain
from pages.train_models import online_comparison, training_charts
from pages.train_models.words import (
    change_line,
    count,
    counted,
    difference,
    figure_name,
    interval,
    labels_by_use,
    model_name,
)

_WHY_KEY = "train_why"
_RESULT_KEY = "train_promoted"  # message on the last promotion or rollback, or the error
_MOST_LOSSES = 8  # in the dialog
MODEL_KEY = "train_model"
_MOST_WARNINGS = 3
_FORMATS = {"Before": "%.3f", "After": "%.3f", "Difference": "%+.3f"}


def promote_button(card: ModelCard, why: str, *, key: str, primary: bool = False, wide: bool = False) -> None:
    """Draw the button that puts a model into use; it asks for confirmation if any figure got worse.

    Args:
        card: the model.
        why: reason, for the history.
        key: key of the button.
        primary: whether it is the page's primary button, unless a figure got worse.
        wide: whether it fills its column.
    """
    worse = card.comparison.worse if card.comparison else []
    clicked = st.button(
        "Promote …" if worse else "Promote",
        key=key,
        icon=":material/publish:",
        type="primary" if primary and not worse else "secondary",
        width="stretch" if wide else "content",
        help="Some figures got worse, so you will be asked to confirm."
        if worse
        else "Every page uses it from then on. You can roll back at any time.",
    )
    if not clicked:
        return
    audit = finished(resources.promotion_audit(card.kind, card.name), "Comparing twins with the model in use")
    if worse or audit.drops:
        _confirm_promotion(card, why, worse, audit.drops)
    else:
        _promote(card, why, accept_audit=False)
        st.rerun()


def roll_back_button(kind: ModelKind) -> None:
    """Draw the button that takes back the latest promotion; it asks for confirmation."""
    registry = Registry.open()
    back = registry.before(kind)
    if back and st.button(
        f"Roll back to {model_name(back)} …", key="train_roll_back", icon=":material/undo:", width="stretch"
    ):
        _confirm_roll_back(kind, registry.promoted(kind), back)


@st.dialog("Promote a model that is worse?", icon=":material/trending_down:")
def _confirm_promotion(
    card: ModelCard, why: str, worse: Sequence[tuple[Part, FigureChange]], drops: Sequence[FindingChange]
) -> None:
    name = model_name(card.name)
    if worse:
        st.markdown(f"**{name}** is worse than the model it was compared with in {count(len(worse), 'figure')}:")
        _lines([change_line(part, change) for part, change in worse])
    if drops:
        st.markdown(
            f"**{name}** treats twins less equally than the model in use: two versions of a text, which differ in a "
            f"cue that should not count, have rankings less alike by more than {MOST_LOST:.2f}."
        )
        _lines([plain(drop.sentence) for drop in drops])
    st.caption("Every page uses it from then on. You can roll back at any time.")
    act = "Accept the audit and promote" if drops else "Promote anyway"
    confirm(act, "train_promote", _promote, card, why, bool(drops), cancel="Keep the model in use")


def _lines(lines: Sequence[str]) -> None:
    more = [f"- … and {len(lines) - _MOST_LOSSES:,} more"] if len(lines) > _MOST_LOSSES else []
    st.markdown("\n".join([*(f"- {line}" for line in lines[:_MOST_LOSSES]), *more]))


@st.dialog("Roll back?", icon=":material/undo:")
def _confirm_roll_back(kind: ModelKind, now: str, back: str) -> None:
    st.markdown(
        f"**{model_name(back)}** will be used on every page again, instead of **{model_name(now)}**. The latter "
        "stays in the registry and can be promoted again. The history records both steps."
    )
    confirm("Roll back", "train_roll_back", _roll_back, kind, cancel=f"Keep {model_name(now)}")


def _promote(card: ModelCard, why: str, accept_audit: bool) -> None:
    try:
        promoting.promote(
            card.kind, card.name, linking_service(), who=annotator_name(), why=why, accept_audit=accept_audit
        )
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
    resources.forget_models()
    if kind is ModelKind.TOWERS:
        st.session_state.pop(market_choice.MODEL_KEY, None)  # 'Find freelancers' then selects the model in use
    st.session_state[_RESULT_KEY] = result
    st.session_state.pop(_WHY_KEY, None)


def show(cards: list[ModelCard]) -> ModelCard | None:
    """Draw the step; return the selected model, None if there is none."""
    st.markdown("**3 · Compare and promote**")
    result = st.session_state.pop(_RESULT_KEY, None)
    if isinstance(result, JobMatchError):
        error_box(result)
    elif result:
        st.success(result, icon=":material/check_circle:")
    trained = {card.name: card for card in cards if not card.built_in}
    if not trained:
        st.caption("A trained model is compared here with the one in use. Nothing changes until you promote it.")
        return None
    newest = next((card.name for card in trained.values() if not card.in_use), next(iter(trained)))
    chosen = select(
        "Model",
        list(trained),
        MODEL_KEY,
        default=newest,
        format_func=lambda name: f"{name} (in use)" if trained[name].in_use else name,
    )
    card = trained[chosen]
    if card.comparison is not None:
        _summary(card.comparison)
    else:
        st.caption("This model was trained without a comparison. Train a model here to see before and after.")
    if card.labels is not None:
        st.caption(f"{labels_by_use(card.labels)}.")
    _promotion(card)
    online_comparison.show(card)
    return card


def details(card: ModelCard) -> None:
    """Draw all figures of a model's comparison."""
    if card.comparison is None:
        return
    comparison = card.comparison
    with st.expander(f"All figures of {plain(card.name)}, before and after", icon=":material/table_chart:"):
        st.caption(
            f"Before: {plain(comparison.before, limit=80)}, in use then. After: "
            f"{plain(comparison.after, limit=80)}. A figure is 'worse' or 'better' if the whole 95% interval of "
            "the difference is on one side of zero. By chance, this happens to one in twenty unchanged figures."
        )
        for part in comparison.parts:
            if part.kind == "benchmark" and part.changes:
                st.plotly_chart(training_charts.differences(part), key="train_differences")
        show_table(_rows(comparison), "train_figures", formats=_FORMATS, height="auto")


def _summary(comparison: BeforeAfter) -> None:
    largest = headline(comparison)
    _verdict(largest)
    for part in comparison.parts:
        if part.kind == "judgments" and part is not largest.part:
            _judged(part)
    better, worse = comparison.better, comparison.worse
    outcomes = Counter(change.outcome for part in comparison.parts for change in part.changes)
    st.markdown(
        f"Of {count(outcomes.total(), 'figure')}, **{len(better):,} better**, **{len(worse):,} worse**, "
        f"{outcomes[Outcome.UNCLEAR]:,} {Outcome.UNCLEAR}, {outcomes[Outcome.TOO_FEW]:,} {Outcome.TOO_FEW}."
    )
    for part, change in worse[:_MOST_WARNINGS]:
        st.markdown(f":material/trending_down: :red[**worse**: {change_line(part, change)}]")
    if len(worse) > _MOST_WARNINGS:
        st.caption(f"… and {len(worse) - _MOST_WARNINGS:,} more: see all figures below.")
    for part, change in better[:2]:
        st.markdown(f":material/trending_up: :green[**better**: {change_line(part, change)}]")


def _verdict(largest: ComparisonHeadline) -> None:
    part, change = largest.part, largest.change
    st.metric(
        "Compared with the model in use then",
        largest.outcome.capitalize(),
        help="By the largest set that both models were measured on. The new model was not trained on it; the model "
        "before may have been, which favours that model.",
    )
    if part is None or change is None:
        st.caption("Nothing was measured with both models.")
        return
    if words := counted(part, change):
        st.markdown(f"**{words[:1].upper()}{words[1:]}.**")
    measured = "" if words else f" ({part.n:,} {part.unit})"
    st.caption(f"{plain(part.name)}{measured}: {difference(change)}")
    if largest.outcome is Outcome.TOO_FEW:
        st.caption(
            f"At least {FEWEST_TOLD} {part.unit} are needed: with fewer, chance looks like a difference too often. "
            "Collect more, then train again."
        )


def _judged(part: Part) -> None:
    if not part.changes:
        reason = "there are none" if not part.n else "all have the same verdict"
        st.caption(f"{plain(part.name)}: {reason}, so there is no verdict ({count(part.n, part.unit.rstrip('s'))}).")
        return
    change = part.changes[0]
    words = counted(part, change)
    st.caption(f"{plain(part.name)}{f': {words}' if words else f' ({part.n:,} {part.unit})'}; {difference(change)}")


def _promotion(card: ModelCard) -> None:
    if card.fault:
        st.warning(f"It cannot be used: {plain(card.fault)}.", icon=":material/broken_image:")
        return
    if card.in_use:
        st.caption(":material/verified: In use on every page.")
        return
    _audited(card)
    why = st.text_input(
        "Reason (for the history)", key=_WHY_KEY, placeholder="Optional", on_change=cut, args=(_WHY_KEY, 200)
    )
    is_better = headline(card.comparison).outcome is Outcome.BETTER
    promote_button(card, why, key="train_promote", primary=is_better, wide=True)


def _audited(card: ModelCard) -> None:
    audit = stored_audit(card.name, Settings.from_environment())
    if audit is None:
        if card.kind in AUDITED:
            st.caption("Before it comes into use, it is audited with the same twins as the model in use.")
        return
    drops, changes = audit.drops, audit.changes
    if drops:
        st.markdown(
            f":material/balance: :red[**{count(len(drops), 'cue')} less equal**: {plain(drops[0].sentence)}], by an "
            f"audit with the same twins as {model_name(audit.in_use)}."
        )
    elif changes:
        st.caption(
            f":material/balance: By an audit with the same twins as {model_name(audit.in_use)}, no cue lost more than "
            f"{MOST_LOST:.2f} of rank-biased overlap; the greatest change is that of {plain(changes[0].sentence)}."
        )


def _rows(comparison: BeforeAfter) -> list[dict[str, object]]:
    return [
        {
            "Measured on": part.name,
            "Figure": figure_name(change.figure),
            "Before": change.before,
            "After": change.after,
            "Difference": change.difference,
            "95% interval": interval(change),
            "Verdict": change.outcome,
            "Count": change.n,
        }
        for part in comparison.parts
        for change in part.changes
    ]
