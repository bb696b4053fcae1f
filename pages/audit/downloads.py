"""Downloads: an audit as CSV, JSON and a page to print, and the evidence pack."""

import streamlit as st

from jobmatch.services.evidence import collected_evidence
from jobmatch_core.audit.evidence_pack import packed
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.report_files import html, report_json, rows
from jobmatch_core.io.download_names import download_name
from jobmatch_core.settings import Settings
from pages.shared.downloads import csv_button, download
from pages.shared.language import _


def evidence_button(*, damaged: bool) -> None:
    """Draw the button of the evidence pack, which is collected on a click; disabled while an audit is damaged."""
    download(
        _("Evidence pack (ZIP)"),
        lambda: packed(collected_evidence(Settings.from_environment())),
        "evidence.zip",
        "audit_evidence",
        icon="folder_zip",
        disabled=damaged,
        explanation=_(
            "What is stored about models, data, audits and decisions, under the headings of Annex IV of "
            "the EU's AI Act, with gaps marked as gaps: a page to print, CSV and JSON. It is no legal "
            "assessment."
        ),
    )


def show(report: AuditReport) -> None:
    """Draw the downloads of a report."""
    with st.container(horizontal=True):
        csv_button(lambda: rows(report), download_name(report.name, ".csv"), "audit_csv", _("One row for each finding"))
        as_json = download_name(report.name, ".json")
        download(_("Download JSON"), lambda: report_json(report), as_json, "audit_json", icon="data_object")
        download(
            _("Download the report"),
            lambda: html(report),
            download_name(report.name, ".html"),
            "audit_html",
            icon="print",
            explanation=_("A page of its own, which a browser prints or saves as PDF"),
        )
