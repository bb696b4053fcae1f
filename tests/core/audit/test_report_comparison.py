"""Two audits: what was lost, what is a drop, and whether both are of the same twins."""

from dataclasses import replace

import pytest

from jobmatch_core.audit.report import FLOOR, AuditReport
from jobmatch_core.audit.report_comparison import GOAL, MOST_LOST, difference_of_samples, finding_changes
from jobmatch_core.metrics.comparisons import Interval
from tests.core.audit.test_report import REPORT, TITLES


def _with_overlap(place: int, overlap: float) -> AuditReport:
    cues = [*REPORT.cues]
    cues[place] = replace(cues[place], overlap=Interval(5, overlap, overlap, overlap))
    return replace(REPORT, cues=tuple(cues))


def test_the_greatest_loss_comes_first() -> None:
    """Names lose 0.04, forms nothing; the bound is the way from the goal to the floor."""
    changes = finding_changes(REPORT, _with_overlap(0, 0.95))
    assert changes[0].what == "names"
    assert [round(change.lost, 3) for change in changes] == [0.04, 0, 0]
    assert [change.is_drop for change in changes] == [True, False, False]
    assert pytest.approx(GOAL - FLOOR) == MOST_LOST
    assert changes[0].sentence == "names: rank-biased overlap 0.990 before, 0.950 after"


def test_what_may_differ_by_design_is_no_drop() -> None:
    """The country of a profile; nor is what rose."""
    assert not any(change.is_drop for change in finding_changes(REPORT, _with_overlap(1, 0.1)))
    assert finding_changes(REPORT, _with_overlap(1, 0.1))[0].lost == pytest.approx(0.4)
    assert finding_changes(_with_overlap(0, 0.5), REPORT)[-1].lost == pytest.approx(-0.49)


def test_only_what_both_have_is_compared() -> None:
    """A cue that one audit lacks has no change."""
    fewer = replace(REPORT, cues=REPORT.cues[:1])
    assert [change.what for change in finding_changes(fewer, REPORT)] == ["names"]
    assert finding_changes(TITLES, REPORT) == []


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (REPORT, ""),
        (replace(REPORT, subject="another model", created="later"), ""),
        (TITLES, "one is of titles"),
        (replace(REPORT, data_hash="other"), "different data"),
        (replace(REPORT, version="0.3.0"), "different releases"),
        (replace(REPORT, freelancers=7), "samples differ"),
        (replace(REPORT, seed=7), "samples differ"),
    ],
)
def test_audits_of_the_same_twins(other: AuditReport, reason: str) -> None:
    """Only the model may differ."""
    said = difference_of_samples(REPORT, other)
    assert reason in said
    assert bool(said) is bool(reason)
