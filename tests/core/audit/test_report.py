"""Reports of audits: the worst finding first, and escaped files."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.audit.impact import Impact, Ratio
from jobmatch_core.audit.matching_audit import CueResult
from jobmatch_core.audit.report import UNKNOWN, AuditReport, findings, method
from jobmatch_core.audit.report_files import html, markdown, rows, write_audit
from jobmatch_core.audit.title_audit import TitleResult
from jobmatch_core.metrics.comparisons import Interval

FAIR = Impact(10, 0.1, 0.1, Ratio(1, 0.9, 1.1), 1.0, Ratio(1, 0.9, 1.1))
UNFAIR = Impact(10, 0.2, 0.1, Ratio(0.5, 0.4, 0.6), 0.5, Ratio(0.7, 0.6, 0.8))


def _cue(key: str, overlap: float, impact: Impact = FAIR, *, by_design: bool = False) -> CueResult:
    return CueResult(
        key,
        "name",
        "one",
        "<b>other</b>",
        by_design,
        20,
        Interval(5, overlap, overlap, overlap),
        overlap,
        1,
        0.1,
        impact,
    )


REPORT = AuditReport(
    "matching",
    "towers | ranker",
    "<script>demo",
    "abc",
    "2026-11-28T00:00:00+00:00",
    "0.2.0",
    1,
    5,
    20,
    cues=(_cue("names", 0.99), _cue("country", 0.5, by_design=True), _cue("forms", 0.995, UNFAIR)),
)
TITLES = replace(
    REPORT,
    kind="titles",
    cues=(),
    titles=(TitleResult("bg", False, 9, Interval(9, 0.7, 0.6, 0.8), 0.5, 0.8, 0.4, -0.1, "а / б"),),
)


def test_the_worst_finding_comes_first() -> None:
    """An impact ratio beyond chance is worse than an overlap of 0.99; what is by design comes last."""
    assert [one.what for one in findings(REPORT)] == ["forms", "names", "country"]
    assert [one.below_floor for one in findings(REPORT)] == [True, False, False]
    assert "below four fifths" in findings(REPORT)[0].sentence


def test_titles_are_judged_by_their_links() -> None:
    """0.4 / 0.8 is the impact ratio, 0.5 the share of equal links."""
    [finding] = findings(TITLES)
    assert (finding.impact_ratio, finding.equality) == (0.5, 0.5)
    assert "а / б" in finding.sentence


@pytest.mark.parametrize("report", [REPORT, TITLES], ids=["matching", "titles"])
def test_files_say_how_and_what_is_not_known(report: AuditReport, tmp_path: Path) -> None:
    """All four are written; none says that anything is compliant."""
    paths = write_audit(report, tmp_path / "out")
    assert [path.suffix for path in paths] == [".json", ".csv", ".md", ".html"]
    for text in (markdown(report), html(report)):
        assert "p = 0.9" in text
        assert "No protected attribute of a real person" in text
        assert "compliant" not in text.casefold()
    assert len(method(report)) > 1
    assert len(UNKNOWN) > 4


def test_texts_are_escaped() -> None:
    """Names of data come from users."""
    assert "<script>" not in html(REPORT)
    assert "<b>" not in html(REPORT)
    assert "\\<script\\>demo" in markdown(REPORT)


def test_rows_are_flat() -> None:
    """There is one flat row for each cue."""
    assert [row["cue"] for row in rows(REPORT)] == ["names", "country", "forms"]
    assert {type(cell) for row in rows(REPORT) for cell in row.values()} <= {str, int, float, bool}
