"""Two audits side by side: what became less equal, the greatest loss first."""

import streamlit as st

from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.report_comparison import MOST_LOST, FindingChange, difference_of_samples, finding_changes
from pages.shared.composed import composed
from pages.shared.language import _, numeral
from pages.shared.moments import moment
from pages.shared.tables import show_table
from pages.shared.widgets import plain


def show(before: AuditReport, after: AuditReport) -> None:
    """Draw the changes from one audit to the other."""
    changes = finding_changes(before, after)
    st.markdown(
        _(
            "### Before and after: {before} and {after}",
            before=moment(before.created),
            after=moment(after.created),
        )
    )
    if reason := difference_of_samples(before, after):
        st.warning(
            _(
                "These audits cannot be compared like for like: {reason}. A change may come from that, not "
                "from the model.",
                reason=reason,
            ),
            icon=":material/compare_arrows:",
        )
    if not changes:
        st.caption(_("They have no finding in common."))
        return
    st.markdown(_sentence(changes))
    formats = {_("Before"): "%.3f", _("After"): "%.3f", _("Change"): "%+.3f"}
    show_table([_row(change) for change in changes], "audit_changes", formats=formats)


def _sentence(changes: list[FindingChange]) -> str:
    drops = [change for change in changes if change.is_drop]
    if drops:
        return _(
            "**{n_drops} lost more than {most_lost}**, the most: {sentence}.",
            n_drops=numeral(len(drops)),
            most_lost=numeral(MOST_LOST, 2),
            sentence=plain(composed(drops[0].sentence)),
        )
    greatest = changes[0]
    if greatest.lost > 0:
        return _(
            "No cue lost more than {most_lost}; the most was lost by {sentence}.",
            most_lost=numeral(MOST_LOST, 2),
            sentence=plain(composed(greatest.sentence)),
        )
    return _("Nothing became less equal.")


def _row(change: FindingChange) -> dict[str, object]:
    before, after = change.before.overlap, change.after.overlap
    return {
        _("What"): composed(change.what),
        _("Before"): before.mean,
        _("After"): after.mean,
        _("Change"): -change.lost,
        _("95% interval before"): _("{low} to {high}", low=numeral(before.low, 3), high=numeral(before.high, 3)),
        _("95% interval after"): _("{low} to {high}", low=numeral(after.low, 3), high=numeral(after.high, 3)),
    }
