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
from pages.shared.composed import composed
from pages.shared.language import N_, _, capital, numeral, plural
from pages.shared.tables import show_table
from pages.shared.text_limits import cut
from pages.shared.widgets import confirm, dialog, error_box, finished, plain
from pages.train_models import online_comparison, training_charts
from pages.train_models.words import (
    change_line,
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
_FORMATS = {N_("Before"): "%.3f", N_("After"): "%.3f", N_("Difference"): "%+.3f"}


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
        _("Promote …") if worse else _("Promote"),
        key=key,
        icon=":material/publish:",
        type="primary" if primary and not worse else "secondary",
        width="stretch" if wide else "content",
        help=_("Some figures got worse, so you will be asked to confirm.")
        if worse
        else _("Every page uses it from then on. You can roll back at any time."),
    )
    if not clicked:
        return
    audit = finished(resources.promotion_audit(card.kind, card.name), _("Comparing twins with the model in use"))
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
        _("Roll back to {model} …", model=model_name(back)),
        key="train_roll_back",
        icon=":material/undo:",
        width="stretch",
    ):
        _confirm_roll_back(kind, registry.promoted(kind), back)


@dialog(N_("Promote a model that is worse?"), icon=":material/trending_down:")
def _confirm_promotion(
    card: ModelCard, why: str, worse: Sequence[tuple[Part, FigureChange]], drops: Sequence[FindingChange]
) -> None:
    name = model_name(card.name)
    if worse:
        st.markdown(
            plural(
                "**{name}** is worse than the model it was compared with in {n} figure:",
                "**{name}** is worse than the model it was compared with in {n} figures:",
                len(worse),
                name=name,
            )
        )
        _lines([change_line(part, change) for part, change in worse])
    if drops:
        st.markdown(
            _(
                "**{name}** treats twins less equally than the model in use: two versions of a text, which "
                "differ in a cue that should not count, have rankings less alike by more than {most_lost}.",
                name=name,
                most_lost=numeral(MOST_LOST, 2),
            )
        )
        _lines([plain(composed(drop.sentence)) for drop in drops])
    st.caption(_("Every page uses it from then on. You can roll back at any time."))
    act = _("Accept the audit and promote") if drops else _("Promote anyway")
    confirm(act, "train_promote", _promote, card, why, bool(drops), cancel=_("Keep the model in use"))


def _lines(lines: Sequence[str]) -> None:
    more = (
        [_("- … and {n_lines} more", n_lines=numeral(len(lines) - _MOST_LOSSES))] if len(lines) > _MOST_LOSSES else []
    )
    st.markdown("\n".join([*(f"- {line}" for line in lines[:_MOST_LOSSES]), *more]))


@dialog(N_("Roll back?"), icon=":material/undo:")
def _confirm_roll_back(kind: ModelKind, now: str, back: str) -> None:
    st.markdown(
        _(
            "**{before}** will be used on every page again, instead of **{now}**. The "
            "latter stays in the registry and can be promoted again. The history records both steps.",
            before=model_name(back),
            now=model_name(now),
        )
    )
    confirm(_("Roll back"), "train_roll_back", _roll_back, kind, cancel=_("Keep {model}", model=model_name(now)))


def _promote(card: ModelCard, why: str, accept_audit: bool) -> None:
    try:
        promoting.promote(
            card.kind, card.name, linking_service(), who=annotator_name(), why=why, accept_audit=accept_audit
        )
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
        return
    _changed(card.kind, _("In use now, on every page: {model}.", model=model_name(card.name)))


def _roll_back(kind: ModelKind) -> None:
    try:
        change = retraining.roll_back(kind, Settings.from_environment(), who=annotator_name())
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
        return
    _changed(kind, _("Rolled back. In use now, on every page: {model}.", model=model_name(change.after)))


def _changed(kind: ModelKind, result: str) -> None:
    resources.forget_models()
    if kind is ModelKind.TOWERS:
        st.session_state.pop(market_choice.MODEL_KEY, None)  # 'Find freelancers' then selects the model in use
    st.session_state[_RESULT_KEY] = result
    st.session_state.pop(_WHY_KEY, None)


def show(cards: list[ModelCard]) -> ModelCard | None:
    """Draw the step; return the selected model, None if there is none."""
    st.markdown(_("**3 · Compare and promote**"))
    result = st.session_state.pop(_RESULT_KEY, None)
    if isinstance(result, JobMatchError):
        error_box(result)
    elif result:
        st.success(result, icon=":material/check_circle:")
    trained = {card.name: card for card in cards if not card.built_in}
    if not trained:
        st.caption(_("A trained model is compared here with the one in use. Nothing changes until you promote it."))
        return None
    newest = next((card.name for card in trained.values() if not card.in_use), next(iter(trained)))
    chosen = select(
        _("Model"),
        list(trained),
        MODEL_KEY,
        default=newest,
        format_func=lambda name: _("{name} (in use)", name=name) if trained[name].in_use else name,
    )
    card = trained[chosen]
    if card.comparison is not None:
        _summary(card.comparison)
    else:
        st.caption(_("This model was trained without a comparison. Train a model here to see before and after."))
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
    with st.expander(
        _("All figures of {name}, before and after", name=plain(card.name)), icon=":material/table_chart:"
    ):
        st.caption(
            _(
                "Before: {before}, in use then. After: {after}. A figure is 'worse' or 'better' if the whole "
                "95% interval of the difference is on one side of zero. By chance, this happens to one in "
                "twenty unchanged figures.",
                before=plain(comparison.before, limit=80),
                after=plain(comparison.after, limit=80),
            )
        )
        for part in comparison.parts:
            if part.kind == "benchmark" and part.changes:
                st.plotly_chart(training_charts.differences(part), key="train_differences")
        show_table(
            _rows(comparison),
            "train_figures",
            formats={_(name): form for name, form in _FORMATS.items()},
            height="auto",
        )


def _summary(comparison: BeforeAfter) -> None:
    largest = headline(comparison)
    _verdict(largest)
    for part in comparison.parts:
        if part.kind == "judgments" and part is not largest.part:
            _judged(part)
    better, worse = comparison.better, comparison.worse
    outcomes = Counter(change.outcome for part in comparison.parts for change in part.changes)
    st.markdown(
        plural(
            "Of {n} figure, **{better} better**, **{worse} worse**, {counts}.",
            "Of {n} figures, **{better} better**, **{worse} worse**, {counts}.",
            outcomes.total(),
            better=numeral(len(better)),
            worse=numeral(len(worse)),
            counts=", ".join(
                f"{numeral(outcomes[outcome])} {_(outcome)}" for outcome in (Outcome.UNCLEAR, Outcome.TOO_FEW)
            ),
        )
    )
    for part, change in worse[:_MOST_WARNINGS]:
        st.markdown(_(":material/trending_down: :red[**worse**: {change_line}]", change_line=change_line(part, change)))
    if len(worse) > _MOST_WARNINGS:
        st.caption(_("… and {n_worse} more: see all figures below.", n_worse=numeral(len(worse) - _MOST_WARNINGS)))
    for part, change in better[:2]:
        st.markdown(
            _(":material/trending_up: :green[**better**: {change_line}]", change_line=change_line(part, change))
        )


def _verdict(largest: ComparisonHeadline) -> None:
    part, change = largest.part, largest.change
    st.metric(
        _("Compared with the model in use then"),
        capital(_(largest.outcome)),
        help=_(
            "By the largest set that both models were measured on. The new model was not trained on it; "
            "the model before may have been, which favours that model."
        ),
    )
    if part is None or change is None:
        st.caption(_("Nothing was measured with both models."))
        return
    if words := counted(part, change):
        st.markdown(f"**{capital(words)}.**")
    measured = "" if words else f" ({numeral(part.n)} {_(part.unit)})"
    st.caption(f"{plain(_(part.name))}{measured}: {difference(change)}")
    if largest.outcome is Outcome.TOO_FEW:
        st.caption(
            _(
                "At least {fewest_told} {unit} are needed: with fewer, chance looks like a difference too "
                "often. Collect more, then train again.",
                fewest_told=FEWEST_TOLD,
                unit=_(part.unit),
            )
        )


def _judged(part: Part) -> None:
    if not part.changes:
        reason = _("there are none") if not part.n else _("all have the same verdict")
        st.caption(
            _(
                "{name}: {reason}, so there is no verdict ({n} {unit}).",
                name=plain(_(part.name)),
                reason=reason,
                n=numeral(part.n),
                unit=_(part.unit),
            )
        )
        return
    change = part.changes[0]
    words = counted(part, change)
    shown = f": {words}" if words else f" ({numeral(part.n)} {_(part.unit)})"
    st.caption(f"{plain(_(part.name))}{shown}; {difference(change)}")


def _promotion(card: ModelCard) -> None:
    if card.fault:
        st.warning(_("It cannot be used: {fault}.", fault=plain(card.fault)), icon=":material/broken_image:")
        return
    if card.in_use:
        st.caption(_(":material/verified: In use on every page."))
        return
    _audited(card)
    why = st.text_input(
        _("Reason (for the history)"), key=_WHY_KEY, placeholder=_("Optional"), on_change=cut, args=(_WHY_KEY, 200)
    )
    is_better = headline(card.comparison).outcome is Outcome.BETTER
    promote_button(card, why, key="train_promote", primary=is_better, wide=True)


def _audited(card: ModelCard) -> None:
    audit = stored_audit(card.name, Settings.from_environment())
    if audit is None:
        if card.kind in AUDITED:
            st.caption(_("Before it comes into use, it is audited with the same twins as the model in use."))
        return
    drops, changes = audit.drops, audit.changes
    if drops:
        st.markdown(
            plural(
                ":material/balance: :red[**{n} cue less equal**: {sentence}], by an audit with the same twins as "
                "{model}.",
                ":material/balance: :red[**{n} cues less equal**: {sentence}], by an audit with the same twins as "
                "{model}.",
                len(drops),
                sentence=plain(composed(drops[0].sentence)),
                model=model_name(audit.in_use),
            )
        )
    elif changes:
        st.caption(
            _(
                ":material/balance: By an audit with the same twins as {model}, no cue lost more than "
                "{most_lost} of rank-biased overlap; the greatest change is that of {sentence}.",
                model=model_name(audit.in_use),
                most_lost=numeral(MOST_LOST, 2),
                sentence=plain(composed(changes[0].sentence)),
            )
        )


def _rows(comparison: BeforeAfter) -> list[dict[str, object]]:
    return [
        {
            _("Measured on"): _(part.name),
            _("Figure"): figure_name(change.figure),
            _("Before"): change.before,
            _("After"): change.after,
            _("Difference"): change.difference,
            _("95% interval"): interval(change),
            _("Verdict"): _(change.outcome),
            _("Count"): change.n,
        }
        for part in comparison.parts
        for change in part.changes
    ]
