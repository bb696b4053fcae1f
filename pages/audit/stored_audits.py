"""The stored audits: one is shown, another one may be compared with it, one can be removed."""

from collections.abc import Mapping

import streamlit as st

from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.report import MATCHING, AuditReport, findings
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import visible
from pages.shared.choices import select
from pages.shared.language import N_, _, numeral
from pages.shared.moments import moment
from pages.shared.widgets import confirm, dialog, errors_deferred, plain, readable

Reports = Mapping[str, AuditReport]
AUDIT_KEY, BEFORE_KEY = "audit_shown", "audit_before"
_LIST_KEY = "audit_list"


def choose(reports: Reports) -> tuple[str, str]:
    """Draw the list and the selection; return the keys of the selected audit and of the one before, '' for none."""
    st.markdown(_("## Stored audits"))
    if not reports:
        st.info(
            _(
                "No audit is stored yet. Press 'Audit' above: the findings will stand here, the worst first, "
                "and stay until you remove them."
            ),
            icon=":material/balance:",
        )
        return "", ""
    if (unknown := st.session_state.get(AUDIT_KEY)) and unknown not in reports:
        st.warning(_("The audit of this address is not stored here any more."), icon=":material/info:")
    with st.expander(
        _("All {n_reports} audits", n_reports=numeral(len(reports))) if len(reports) > 1 else _("The only audit")
    ):
        st.dataframe(
            readable([_row(report) for report in reports.values()]),
            hide_index=True,
            key=_LIST_KEY,
            on_select=lambda: _select_row(list(reports)),
            selection_mode="single-row",
            column_config={
                _("Lowest"): st.column_config.NumberColumn(
                    format="%.3f", help=_("Equality of the worst finding: 1 if a cue changes nothing.")
                )
            },
        )
        st.caption(_("Tick a row to show its audit."))
    left, right = st.columns(2)
    with left:
        key = select(_("Show the audit"), list(reports), AUDIT_KEY, format_func=lambda key: _name(reports[key]))
    with right:
        return key, _choose_before(key, reports)


def _choose_before(key: str, reports: Reports) -> str:
    # of the same kind
    others = [other for other, report in reports.items() if other != key and report.kind == reports[key].kind]
    if not others:
        return ""
    return select(
        _("Compare with"),
        ["", *others],
        BEFORE_KEY,
        format_func=lambda other: _name(reports[other]) if other else _("nothing"),
        explanation=_("The other audit is 'before'. Figures are alike only if both are of the same data and sample."),
    )


def remove_button(key: str, report: AuditReport) -> None:
    """Draw the button that removes an audit; it asks for confirmation."""
    if st.button(_("Remove this audit …"), key="audit_remove", icon=":material/delete:", type="tertiary"):
        _confirm_removal(key, report)


@dialog(N_("Remove this audit?"), icon=":material/delete:")
def _confirm_removal(key: str, report: AuditReport) -> None:
    st.markdown(
        _("**{name}** is deleted from the disk and leaves the evidence pack.", name=plain(_name(report), limit=200))
    )
    confirm(_("Remove"), "audit_removal", _remove, key, cancel=_("Keep it"))


def _remove(key: str) -> None:
    with errors_deferred():
        try:
            AuditStore(Settings.from_environment()).remove(key)
        except OSError as error:
            raise SettingsError(_("The audit cannot be removed ({reason}).", reason=error.strerror or error)) from error
        st.session_state.pop(AUDIT_KEY, None)


def _select_row(keys: list[str]) -> None:
    rows = st.session_state[_LIST_KEY].selection.rows
    if rows:
        st.session_state[AUDIT_KEY] = keys[rows[0]]
        st.session_state[BEFORE_KEY] = ""


def _name(report: AuditReport) -> str:
    return visible(f"{moment(report.created)} · {_kind(report)} · {report.data} · {report.subject}")


def _kind(report: AuditReport) -> str:
    return _("Find freelancers") if report.kind == MATCHING else _("Link titles")


def _row(report: AuditReport) -> dict[str, object]:
    worst_first = findings(report)
    return {
        _("Date"): moment(report.created),
        _("Of"): _kind(report),
        _("Data"): report.data,
        _("Model"): report.subject,
        _("Worst finding"): _(worst_first[0].what) if worst_first else "",
        _("Lowest"): worst_first[0].equality if worst_first else 1.0,
        _("Below the floor"): sum(finding.below_floor for finding in worst_first),
    }
