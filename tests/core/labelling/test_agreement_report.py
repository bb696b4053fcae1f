"""The report holds what its parts measure one by one."""

from datetime import UTC

from jobmatch_core.labelling.agreement import (
    Period,
    against_others,
    agreement,
    agreement_report,
    disputes,
    over_time,
    two_by_two,
)
from jobmatch_core.labelling.coefficients import verdict_table
from tests.core.labelling.made_judgments import arrays, reader, said


def test_it_is_made_of_its_parts() -> None:
    """Three annotators, five pairs, one of them disputed twice over."""
    history = said(["++-?+", "+--.-", "+..-+"])
    judgments, read = arrays(history), reader(history)
    report, table = agreement_report(judgments, read, UTC), verdict_table(judgments)
    assert report.overall == agreement(table)
    assert report.ones == tuple(against_others(table))
    assert report.twos == tuple(two_by_two(table))
    assert report.weeks == tuple(over_time(table, Period.WEEK))
    assert tuple(report.disputes) == tuple(disputes(judgments, table, read))
    assert len(report.disputes) == 3


def test_nobody_has_judged() -> None:
    """Nothing is defined, and nothing fails."""
    report = agreement_report(arrays([]), reader([]), UTC)
    assert report.overall.pairs == 0
    assert report.ones == report.twos == report.weeks == tuple(report.disputes) == ()
