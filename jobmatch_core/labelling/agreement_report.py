"""Agreement report: all coefficients with their intervals, and the disputes."""

from dataclasses import dataclass
from datetime import tzinfo

from jobmatch_core.judgment_tallies import VerdictColumns
from jobmatch_core.labelling.agreement import (
    Agreement,
    OneAgainstOthers,
    Period,
    PeriodAgreement,
    TwoAgree,
    against_others,
    agreement,
    over_time,
    two_by_two,
)
from jobmatch_core.labelling.disputes import Disputes, ReadPairs, disputes
from jobmatch_core.labelling.verdict_table import VerdictTable, verdict_table


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement of annotators.

    Attributes:
        table: verdicts that it is measured on.
        overall: agreement of all annotators.
        ones, twos: agreement of each with the others; of each two.
        weeks: agreement by the week of a pair's last verdict.
        disputes: pairs to adjudicate, the most disputed first.
    """

    table: VerdictTable
    overall: Agreement
    ones: tuple[OneAgainstOthers, ...]
    twos: tuple[TwoAgree, ...]
    weeks: tuple[PeriodAgreement, ...]
    disputes: Disputes


def agreement_report(judgments: VerdictColumns, read: ReadPairs, zone: tzinfo) -> AgreementReport:
    """Measure the agreement.

    Args:
        judgments: the current judgments.
        read: reads the current judgments of disputed pairs, when they are looked at.
        zone: time zone of the weeks.
    """
    table = verdict_table(judgments)
    return AgreementReport(
        table=table,
        overall=agreement(table),
        ones=tuple(against_others(table)),
        twos=tuple(two_by_two(table)),
        weeks=tuple(over_time(table, Period.WEEK, zone=zone)),
        disputes=disputes(judgments, table, read),
    )
