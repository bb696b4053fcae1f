"""The running audit: progress, and a stop; and what came of the last one."""

import streamlit as st

from jobmatch.services.audit_runs import AuditRun, audit_runs
from jobmatch.services.auditing import MatchingAudit
from jobmatch_core.errors import JobMatchError
from pages.audit import stored_audits
from pages.shared.language import _, numeral
from pages.shared.taxonomy_choice import name_of
from pages.shared.widgets import error_box, plain, time_left

_POLL_SECONDS = 0.5
_WATCHED_KEY = "audit_watched"  # the run that this session saw running


@st.fragment(run_every=_POLL_SECONDS)
def show() -> None:
    """Draw the progress until the audit ends."""
    run = audit_runs().latest
    if run is None or not run.running:
        st.rerun()
        return
    st.session_state[_WATCHED_KEY] = run
    work = run.background
    done, total = min(work.done, work.total), work.total
    left = time_left(done, total, work.reported - work.begun) if 0 < done < total else ""
    steps = _("{done} of {total}", done=numeral(done), total=numeral(total)) if total else _("opening the model")
    st.progress(
        done / total if total else 0.0,
        text=_("Auditing {name} … {steps}", name=_name(run), steps=steps) + (f" · {left}" if left else ""),
    )
    st.caption(
        _("Started by {who}. It continues while you look elsewhere; one runs at a time.", who=plain(run.who, limit=60))
    )
    st.button(
        _("Stopping …") if run.stopping else _("Stop"),
        key="audit_stop",
        icon=":material/stop_circle:",
        on_click=run.stop,
        disabled=run.stopping,
        help=_("Nothing is stored of an audit that was stopped."),
    )


def show_ended() -> None:
    """Draw once what came of a run that this session saw running, and select its audit."""
    run: AuditRun | None = st.session_state.pop(_WATCHED_KEY, None)
    if run is None:
        return
    try:
        key = run.result()
    except JobMatchError as error:
        error_box(error)
        return
    if not key:
        st.info(_("Stopped; nothing was stored."), icon=":material/pause_circle:")
        return
    st.session_state[stored_audits.AUDIT_KEY] = key
    st.session_state[stored_audits.BEFORE_KEY] = ""
    st.success(_("Audited and stored. The findings are below."), icon=":material/check_circle:")


def _name(run: AuditRun) -> str:
    if isinstance(run.what, MatchingAudit):
        return _("the list of freelancers of {marketplace}", marketplace=plain(run.what.marketplace, limit=60))
    return _("the linker of {taxonomy}", taxonomy=plain(name_of(run.what.taxonomy), limit=60))
