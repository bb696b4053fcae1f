"""Progress of a training, which runs in a process of its own, and how it ended."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.run_status import RunState
from jobmatch.services.runs import Run, TrainingRuns
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import visible
from pages.shared import resources
from pages.shared.composed import composed
from pages.shared.language import _, numeral
from pages.shared.moments import moment
from pages.shared.widgets import duration_left, errors_deferred, plain, show_deferred_error
from pages.train_models import training_charts
from pages.train_models.words import KINDS, lasted, model_name

_POLL_SECONDS = 1.0


def attempt(call: Callable[[], object]) -> None:
    """Call a function from a callback; an error is shown by `show_deferred_error`."""
    with errors_deferred():
        call()


@st.fragment(run_every=_POLL_SECONDS)
def show(name: str) -> None:
    """Draw the progress of a running training, with a button that stops it; rerun the page when it ends."""
    run = TrainingRuns(Settings.from_environment()).latest()
    if run is None or run.name != name or not run.running:
        resources.forget_models()
        st.rerun()
        return
    status = run.status
    elapsed = (datetime.now(UTC) - datetime.fromisoformat(status.started)).total_seconds()
    share = min(status.done / status.total, 1.0) if status.total else 0.0
    done = _(" · {done} of {total}", done=numeral(status.done), total=numeral(status.total)) if status.total else ""
    st.progress(share, text=f"{plain(_(status.stage))} …{done}")
    left = _(", this stage {left}", left=duration_left(status.seconds_left)) if status.seconds_left is not None else ""
    st.caption(
        _(
            "{kind}: {model} · {lasted} so far{left}. One training runs at a time. It continues when "
            "you close this page.",
            kind=_(KINDS.get(run.request.kind, "")),
            model=plain(run.request.model),
            lasted=lasted(elapsed),
            left=left,
        )
    )
    st.button(
        _("Stopping …") if run.stopping else _("Stop"),
        key="train_stop",
        icon=":material/stop_circle:",
        on_click=attempt,
        args=(lambda: TrainingRuns(Settings.from_environment()).request_stop(run),),
        width="stretch",
        disabled=run.stopping,
        help=_("The unfinished model is discarded. The model in use stays as it is."),
    )
    show_deferred_error()
    if status.losses:
        st.plotly_chart(training_charts.losses(status.losses), key="train_losses")
    with st.expander(_("Log"), icon=":material/article:"):
        _log(run)


def show_ended(run: Run) -> None:
    """Draw how a training ended, and its log."""
    name, status = plain(run.request.model), run.status
    took = datetime.fromisoformat(status.updated) - datetime.fromisoformat(status.started)
    if status.state == RunState.DONE:
        took_words = lasted(took.total_seconds())
        st.success(
            _("Trained: {name}, in {duration}. Next: compare.", name=name, duration=took_words),
            icon=":material/check_circle:",
        )
    elif status.state == RunState.STOPPED:
        st.info(_("Stopped: {name}. Nothing was saved.", name=name), icon=":material/stop_circle:")
    elif status.state == RunState.FAILED:
        st.error(
            _("{name} failed: {error}", name=name, error=plain(composed(status.error), limit=1000)),
            icon=":material/error:",
        )
    else:
        st.warning(
            _(
                "The training of {name} ended unexpectedly, for example because the computer was switched "
                "off ({updated}). The unfinished model was discarded; start the training again.",
                name=name,
                updated=moment(status.updated),
            ),
            icon=":material/power_off:",
        )
    with st.expander(_("Last training"), icon=":material/history:"):
        start = model_name(run.request.start) if run.request.start not in ("", UNTRAINED) else _("random weights")
        labels = plain(run.request.snapshot) or _("none")
        recipe = _(" · recipe {recipe}", recipe=plain(run.request.recipe)) if run.request.recipe else ""
        st.caption(
            _(
                "Started by {who}, {started}{recipe} · on {source} · labels {labels} · from {start}",
                who=plain(run.request.who, limit=60),
                started=moment(status.started),
                recipe=recipe,
                source=plain(run.request.source),
                labels=labels,
                start=start,
            )
        )
        if status.losses:
            st.plotly_chart(training_charts.losses(status.losses), key="train_last_losses")
        _log(run)


def _log(run: Run) -> None:
    log = run.log()
    if log.strip():
        st.code(visible(log), language=None, height=160, wrap_lines=True)
    else:
        st.caption(_("The log is empty so far."))
