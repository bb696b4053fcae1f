"""Agreement, workload and disputes the plain way, judgment by judgment: what columns are to come to."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import combinations, product
from statistics import median

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.labelling.agreement import Agreement, Dispute, OneAgainstOthers, Period, PeriodAgreement, TwoAgree
from jobmatch_core.labelling.coefficients import (
    CATEGORIES,
    Floats,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    share_of_agreement,
)
from jobmatch_core.labelling.labels import current_judgments
from jobmatch_core.labelling.workload import Workload

NOTHING = -1
_WEEK = timedelta(days=7)
_DISTANCE: dict[frozenset[Verdict | None], float] = {
    frozenset((Verdict.POSITIVE, Verdict.NEGATIVE)): 1.0,
    frozenset((Verdict.POSITIVE, Verdict.UNSURE)): 0.5,
    frozenset((Verdict.NEGATIVE, Verdict.UNSURE)): 0.5,
}


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Current verdicts, one row per pair and one column per annotator.

    Attributes:
        pairs: pairs in the order of their first judgments.
        annotators: names in alphabetical order.
        codes: (pair, annotator) indices of `CATEGORIES`, int8, `NOTHING` without a verdict.
        latest: (pair,) time of the last verdict.
    """

    pairs: tuple[Pair, ...]
    annotators: tuple[str, ...]
    codes: NDArray[np.int8]
    latest: tuple[datetime, ...]

    def column(self, annotator: str) -> int:
        """Return an annotator's column.

        Raises:
            ValueError: the annotator has given no verdict.
        """
        return self.annotators.index(annotator)

    def counts(self) -> NDArray[np.int64]:
        """Return the number of verdicts of each pair and category, shape (pair, category)."""
        return np.stack([(self.codes == code).sum(axis=1) for code in range(len(CATEGORIES))], axis=1)

    def rows(self, kept: NDArray[np.bool_]) -> "PlainTable":
        """Return a table of some pairs; the annotators stay."""
        places = np.flatnonzero(kept)
        pairs = tuple(self.pairs[place] for place in places)
        return PlainTable(pairs, self.annotators, self.codes[places], tuple(self.latest[place] for place in places))

    def without(self, annotator: str) -> "PlainTable":
        """Return the table without one annotator's verdicts."""
        codes = self.codes.copy()
        codes[:, self.column(annotator)] = NOTHING
        return PlainTable(self.pairs, self.annotators, codes, self.latest)


def plain_table(judgments: Iterable[Judgment], *, unsure: bool = True) -> PlainTable:
    """Collect the current verdicts; adjudications are left out, since an adjudicator has seen the others' verdicts.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        unsure: count unsure as a verdict of its own; else as none.
    """
    counted = [
        judgment
        for judgment in current_judgments(judgments)
        if judgment.verdict in CATEGORIES
        and not judgment.adjudicates
        and (unsure or judgment.verdict is not Verdict.UNSURE)
    ]
    latest: dict[Pair, datetime] = {}
    for judgment in counted:
        latest[judgment.pair] = max(judgment.at, latest.get(judgment.pair, judgment.at))
    row_of = {pair: row for row, pair in enumerate(latest)}
    annotators = sorted({judgment.annotator for judgment in counted})
    codes = np.full((len(row_of), len(annotators)), NOTHING, dtype=np.int8)
    column_of = {annotator: column for column, annotator in enumerate(annotators)}
    for judgment in counted:
        place = row_of[judgment.pair], column_of[judgment.annotator]
        codes[place] = CATEGORIES.index(judgment.verdict)
    return PlainTable(tuple(row_of), tuple(annotators), codes, tuple(latest.values()))


def agreement(table: PlainTable) -> Agreement:
    """Measure the agreement of all annotators."""
    counts = table.counts()
    percent = percent_agreement(counts)
    return Agreement(percent.n, percent, fleiss_kappa(counts), krippendorff_alpha(counts))


def two_by_two(table: PlainTable) -> list[TwoAgree]:
    """Measure the agreement of each two annotators; those with the most shared pairs come first."""
    found = []
    for first, second in combinations(range(len(table.annotators)), 2):
        tables = _tables(table.codes[:, first], table.codes[:, [second]])
        names = table.annotators[first], table.annotators[second]
        found.append(TwoAgree(*names, share_of_agreement(tables), cohen_kappa(tables)))
    return sorted(found, key=lambda each: (-each.percent.n, each.first, each.second))


def against_others(table: PlainTable) -> list[OneAgainstOthers]:
    """Measure the agreement of each annotator with the others, in the order of their names."""
    found = []
    for column, annotator in enumerate(table.annotators):
        own = table.codes[:, column]
        tables = _tables(own, np.delete(table.codes, column, axis=1))
        found.append(
            OneAgainstOthers(
                annotator=annotator,
                verdicts=int((own != NOTHING).sum()),
                percent=share_of_agreement(tables),
                kappa=cohen_kappa(tables),
                alpha_without=krippendorff_alpha(table.without(annotator).counts()),
            )
        )
    return found


def over_time(table: PlainTable, period: Period, *, zone: tzinfo = UTC) -> list[PeriodAgreement]:
    """Measure the agreement by day or week, the earliest first; periods without verdicts are left out.

    Args:
        table: the verdicts; a pair belongs to the period of its last one.
        period: length of a period.
        zone: time zone of the days.
    """
    starts = np.array([_start(latest.astimezone(zone).date(), period) for latest in table.latest], dtype=object)
    return [PeriodAgreement(start, agreement(table.rows(starts == start))) for start in sorted(set(starts.tolist()))]


def _tables(own: NDArray[np.int8], others: NDArray[np.int8]) -> Floats:
    """Return one confusion table per shared pair; the parts of the others' verdicts add up to 1.

    Args:
        own: (pair,) codes of one annotator.
        others: (pair, annotator) codes of the others.
    """
    counts = np.stack([(others == code).sum(axis=1) for code in range(len(CATEGORIES))], axis=1)
    shared = np.flatnonzero((own != NOTHING) & (counts.sum(axis=1) > 0))
    tables = np.zeros((len(shared), len(CATEGORIES), len(CATEGORIES)))
    tables[np.arange(len(shared)), own[shared]] = counts[shared] / counts[shared].sum(axis=1, keepdims=True)
    return tables


def _start(day: date, period: Period) -> date:
    return day if period is Period.DAY else day - timedelta(days=day.weekday())


def workloads(judgments: Iterable[Judgment], now: datetime) -> list[Workload]:
    """Return the workload of each annotator, the highest first.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        now: the present time.
    """
    own: dict[str, list[Judgment]] = defaultdict(list)
    for judgment in current_judgments(judgments):
        if not judgment.adjudicates:
            own[judgment.annotator].append(judgment)
    found = [_workload(annotator, given, now) for annotator, given in own.items()]
    return sorted(found, key=lambda each: (-each.verdicts, each.annotator))


def _workload(annotator: str, given: Sequence[Judgment], now: datetime) -> Workload:
    counted = [each for each in given if each.verdict is not Verdict.SKIP]
    measured = [each.seconds for each in counted if each.seconds is not None]
    return Workload(
        annotator,
        verdicts=len(counted),
        skipped=len(given) - len(counted),
        week=sum(now - each.at <= _WEEK for each in counted),
        seconds=round(median(measured), 1) if measured else None,
        last=max(each.at for each in given),
    )


def disputes(judgments: Iterable[Judgment]) -> list[Dispute]:
    """Return the disputes that are not yet adjudicated, the most disputed first.

    Of equally disputed ones the one with more judgments comes first, then the older one.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    settled: set[Pair] = set()
    for judgment in current_judgments(judgments):
        if judgment.adjudicates:
            settled.add(judgment.pair)
        elif judgment.verdict in CATEGORIES:
            by_pair.setdefault(judgment.pair, []).append(judgment)
    found = [Dispute(pair, tuple(each), _heat(each)) for pair, each in by_pair.items() if pair not in settled]
    return sorted(
        (dispute for dispute in found if dispute.heat),
        key=lambda dispute: (
            -dispute.heat,
            -len(dispute.judgments),
            max(each.at for each in dispute.judgments),
            repr(dispute.pair),
        ),
    )


def _heat(judgments: Sequence[Judgment]) -> float:
    verdicts = [judgment.verdict for judgment in judgments]
    distances = (_DISTANCE.get(frozenset(two), 0.0) for two in product(verdicts, repeat=2))
    return sum(distances) / len(judgments) ** 2
