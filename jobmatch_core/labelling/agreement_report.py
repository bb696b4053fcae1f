"""All that is told of how far annotators agree, measured at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from jobmatch_core.entities import Judgment
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
from jobmatch_core.labelling.disputes import Dispute, disputes
from jobmatch_core.labelling.verdict_table import VerdictTable, verdict_table


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """How far annotators agree.

    Attributes:
        table: the verdicts that it is measured on.
        overall: all annotators.
        ones, twos: each against the others; each two.
        weeks: by the week of a pair's last verdict.
        disputes: what is to be adjudicated, the most disputed first.
    """

    table: VerdictTable
    overall: Agreement
    ones: tuple[OneAgainstOthers, ...]
    twos: tuple[TwoAgree, ...]
    weeks: tuple[PeriodAgreement, ...]
    disputes: tuple[Dispute, ...]


def agreement_report(judgments: Sequence[Judgment], zone: tzinfo) -> AgreementReport:
    """Measure.

    Args:
        judgments: the whole history, or what is current of it.
        zone: where a week begins at midnight.
    """
    table = verdict_table(judgments)
    return AgreementReport(
        table=table,
        overall=agreement(table),
        ones=tuple(against_others(table)),
        twos=tuple(two_by_two(table)),
        weeks=tuple(over_time(table, Period.WEEK, zone=zone)),
        disputes=tuple(disputes(judgments)),
    )
