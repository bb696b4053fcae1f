"""Two audits side by side: what became less equal, the greatest loss first."""

import streamlit as st

from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.report_comparison import MOST_LOST, FindingChange, difference_of_samples, finding_changes
from pages.shared.moments import moment
from pages.shared.tables import show_table
from pages.shared.widgets import plain


def show(before: AuditReport, after: AuditReport) -> None:
    """Draw the changes from one audit to the other."""
    changes = finding_changes(before, after)
    st.markdown(f"### Before and after: {moment(before.created)} and {moment(after.created)}")
    if reason := difference_of_samples(before, after):
        st.warning(
            f"These audits cannot be compared like for like: {reason}. A change may come from that, not from the "
            "model.",
            icon=":material/compare_arrows:",
        )
    if not changes:
        st.caption("They have no finding in common.")
        return
    st.markdown(_sentence(changes))
    formats = {"Before": "%.3f", "After": "%.3f", "Change": "%+.3f"}
    show_table([_row(change) for change in changes], "audit_changes", formats=formats)


def _sentence(changes: list[FindingChange]) -> str:
    drops = [change for change in changes if change.is_drop]
    if drops:
        return f"**{len(drops):,} lost more than {MOST_LOST:.2f}**, the most: {plain(drops[0].sentence)}."
    greatest = changes[0]
    if greatest.lost > 0:
        return f"No cue lost more than {MOST_LOST:.2f}; the most was lost by {plain(greatest.sentence)}."
    return "Nothing became less equal."


def _row(change: FindingChange) -> dict[str, object]:
    before, after = change.before.overlap, change.after.overlap
    return {
        "What": change.what,
        "Before": before.mean,
        "After": after.mean,
        "Change": -change.lost,
        "95% interval before": f"{before.low:.3f} to {before.high:.3f}",
        "95% interval after": f"{after.low:.3f} to {after.high:.3f}",
    }
