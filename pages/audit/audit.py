"""Page 'Audit': twins of titles and profiles, stored audits, before and after, the evidence pack."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch.services.audit_runs import audit_runs
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.settings import Settings
from pages.audit import audit_form, comparison_view, downloads, report_view, running, stored_audits
from pages.shared import address
from pages.shared.language import _
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from pages.shared.widgets import PAGE_WIDTH, error_box, errors_shown, show_deferred_error, title_line

_ADDRESS = {
    "what": audit_form.WHAT_KEY,
    "audit": stored_audits.AUDIT_KEY,
    "before": stored_audits.BEFORE_KEY,
    "taxonomy": TAXONOMY_KEY,
}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        stored = AuditStore(Settings.from_environment()).stored()
        with title_line(_("Audit")):
            downloads.evidence_button(damaged=bool(stored.damaged))
        st.caption(
            _(
                "What a model does with cues that should not count: two versions of a title or a profile, "
                "which differ in one cue and in no qualification."
            )
        )
        for error in stored.damaged:
            error_box(error)
        run = audit_runs().latest
        if run is not None and run.running:
            running.show()
        else:
            running.show_ended()
            audit_form.show()
        show_deferred_error()
        _stored(stored.reports)
    address.write(_ADDRESS)


def _stored(reports: stored_audits.Reports) -> None:
    key, before = stored_audits.choose(reports)
    if not key:
        return
    report = reports[key]
    if before:
        comparison_view.show(reports[before], report)
    report_view.show(report)
    downloads.show(report)
    stored_audits.remove_button(key, report)


_page()
