"""Agreement of annotators: overall, by two annotators, of one with the others, over time; and pairs in dispute."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from enum import StrEnum
from itertools import combinations, count
from typing import overload

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.judgment_tallies import PairJudgments, VerdictColumns
from jobmatch_core.labelling.coefficients import (
    CATEGORIES,
    CoefficientFigure,
    VerdictTable,
    cohen_kappa,
    distinct_rows,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    share_of_agreement,
    verdict_table,
)

_Rows = NDArray[np.int64]
ReadPairs = Callable[[Sequence[str]], Sequence[PairJudgments]]  # by their keys

_A_MONDAY = date(2024, 1, 1).toordinal()
_NO_PAIRS = np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
_AT_ONCE = 1000


class Period(StrEnum):
    """Length of a period of time."""

    DAY = "day"
    WEEK = "week"  # from Monday


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all annotators."""

    pairs: int  # number of pairs judged by two or more
    # percent, fleiss, alpha: percent agreement, Fleiss' kappa, Krippendorff's alpha
    percent: CoefficientFigure
    fleiss: CoefficientFigure
    alpha: CoefficientFigure


@dataclass(frozen=True, slots=True)
class TwoAgree:
    """Percent agreement and Cohen's kappa of two annotators on the pairs that both have judged."""

    first: str
    second: str
    percent: CoefficientFigure
    kappa: CoefficientFigure


@dataclass(frozen=True, slots=True)
class OneAgainstOthers:
    """Agreement of an annotator with the others."""

    annotator: str
    verdicts: int
    percent: CoefficientFigure  # share of the others with the same verdict, averaged over the shared pairs
    kappa: CoefficientFigure  # Cohen's kappa against the combined others
    # Krippendorff's alpha of all others; if it is well above everybody's, the guidelines may be unclear to this
    # annotator
    alpha_without: CoefficientFigure


@dataclass(frozen=True, slots=True)
class PeriodAgreement:
    """Agreement on the pairs whose last verdict is in the day or week that begins on *start*."""

    start: date
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Confusion:
    """Confusion matrix of two annotators."""

    # first, second: names of the annotators
    first: str
    second: str
    verdicts: tuple[Verdict, ...]  # verdicts of the rows and the columns
    counts: NDArray[np.int64]  # (the first's verdict, the second's verdict) numbers of pairs


def agreement(table: VerdictTable) -> Agreement:
    """Measure the agreement of all annotators."""
    return _agreement(*distinct_rows([*table.counts().T]))


def two_by_two(table: VerdictTable) -> list[TwoAgree]:
    """Measure the agreement of every two annotators; those with the most shared pairs come first."""
    both = _both(table)
    agreements = []
    for first, second in combinations(range(len(table.annotators)), 2):
        codes, times = both.get((first, second), _NO_PAIRS)
        tables = np.zeros((len(codes), len(CATEGORIES), len(CATEGORIES)))
        tables[np.arange(len(codes)), codes[:, 0], codes[:, 1]] = 1
        names = table.annotators[first], table.annotators[second]
        agreements.append(TwoAgree(*names, share_of_agreement(tables, times), cohen_kappa(tables, times)))
    return sorted(agreements, key=lambda two: (-two.percent.n, two.first, two.second))


def against_others(table: VerdictTable) -> list[OneAgainstOthers]:
    """Measure the agreement of each annotator with the others, in alphabetical order."""
    counts = table.counts()
    whole = _Multiset(*distinct_rows([*counts.T]))
    others = counts[table.pair]  # of each verdict
    others[np.arange(len(others)), table.code] -= 1
    agreements = []
    for column, annotator in enumerate(table.annotators):
        own = table.annotator == column
        alike, times = distinct_rows((table.code[own], *others[own].T))
        codes, rest = alike[:, 0], alike[:, 1:]
        shared = rest.sum(axis=1) > 0
        tables = np.zeros((int(shared.sum()), len(CATEGORIES), len(CATEGORIES)))
        tables[np.arange(len(tables)), codes[shared]] = rest[shared] / rest[shared].sum(axis=1, keepdims=True)
        judged = rest + np.eye(len(CATEGORIES), dtype=np.int64)[codes]
        without, times_without = whole.plus(judged, -times).plus(rest, times).rows
        agreements.append(
            OneAgainstOthers(
                annotator=annotator,
                verdicts=int(own.sum()),
                percent=share_of_agreement(tables, times[shared]),
                kappa=cohen_kappa(tables, times[shared]),
                alpha_without=krippendorff_alpha(without, times_without),
            )
        )
    return agreements


def over_time(table: VerdictTable, period: Period, *, zone: tzinfo = UTC) -> list[PeriodAgreement]:
    """Measure the agreement by day or week of the pairs' last verdicts, the earliest first, without empty periods."""
    starts, place = np.unique(_starts(table.latest, period, zone), return_inverse=True)
    rows, times = distinct_rows((place, *table.counts().T))
    return [
        PeriodAgreement(
            date.fromordinal(start), _agreement(rows[rows[:, 0] == number, 1:], times[rows[:, 0] == number])
        )
        for number, start in enumerate(starts.tolist())
    ]


def confusion(table: VerdictTable, first: str, second: str) -> Confusion:
    """Count the verdicts of two annotators on the pairs that both have judged.

    Raises ValueError if an annotator has given no verdict.
    """
    columns = table.column(first), table.column(second)
    codes, times = _both(table).get((min(columns), max(columns)), _NO_PAIRS)
    counts = np.zeros((len(CATEGORIES), len(CATEGORIES)), dtype=np.int64)
    counts[codes[:, 0], codes[:, 1]] = times
    if columns[0] == columns[1]:
        counts[np.diag_indices(len(CATEGORIES))] = np.bincount(table.code[table.annotator == columns[0]], minlength=3)
    return Confusion(first, second, CATEGORIES, counts if columns[0] <= columns[1] else counts.T)


def _agreement(counts: _Rows, times: _Rows) -> Agreement:
    percent = percent_agreement(counts, times)
    return Agreement(percent.n, percent, fleiss_kappa(counts, times), krippendorff_alpha(counts, times))


def _both(table: VerdictTable) -> dict[tuple[int, int], tuple[_Rows, _Rows]]:
    """Count the verdicts of every two annotators on the pairs that both have judged.

    Returns:
        By their indices, the lower one first: the distinct verdicts of both, shape (distinct, 2), and their numbers.
    """
    steps = []
    for step in count(1):  # a pair's verdicts are adjacent: compare those one place apart, two places apart, and so on
        same = np.flatnonzero(table.pair[:-step] == table.pair[step:])
        if not len(same):
            break
        steps.append([table.annotator[same], table.annotator[same + step], table.code[same], table.code[same + step]])
    if not steps:
        return {}
    rows, times = distinct_rows([np.concatenate(column) for column in zip(*steps, strict=True)])
    ends = [*np.flatnonzero((rows[1:, :2] != rows[:-1, :2]).any(axis=1)) + 1, len(rows)]
    begins = [0, *ends[:-1]]
    return {
        (int(rows[begin, 0]), int(rows[begin, 1])): (rows[begin:end, 2:], times[begin:end])
        for begin, end in zip(begins, ends, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Multiset:
    """Rows of counts, and how often each occurs."""

    counts: _Rows
    times: _Rows

    def plus(self, counts: _Rows, times: _Rows) -> "_Multiset":
        # negative times remove rows
        return _Multiset(np.concatenate([self.counts, counts]), np.concatenate([self.times, times]))

    @property
    def rows(self) -> tuple[_Rows, _Rows]:
        distinct, place = np.unique(self.counts, axis=0, return_inverse=True)
        times = np.bincount(place.ravel(), weights=self.times).astype(np.int64)
        return distinct, times


def _starts(moments: NDArray[np.datetime64], period: Period, zone: tzinfo) -> NDArray[np.int64]:
    seconds, place = np.unique(moments.astype("datetime64[s]"), return_inverse=True)  # zones change at whole seconds
    local = (second.replace(tzinfo=UTC).astimezone(zone).toordinal() for second in seconds.tolist())
    days = np.fromiter(local, dtype=np.int64, count=len(seconds))
    if period is Period.WEEK:
        days -= (days - _A_MONDAY) % 7
    return days[place]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair on which annotators disagree."""

    pair: Pair  # the disputed pair
    judgments: tuple[Judgment, ...]  # current judgments, in the order of recording
    # mean distance of two verdicts drawn with replacement, 0 to 0.5: Rao's quadratic entropy (1982). 0.5 for half yes
    # and half no, 0.25 if half of them are unsure
    heat: float


class Disputes(Sequence[Dispute]):
    """Disputes without an adjudication, read on access: the most disputed first, then more judgments, then older."""

    def __init__(self, keys: Sequence[str], read: ReadPairs) -> None:
        self._keys, self._read = keys, read

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> Dispute: ...
    @overload
    def __getitem__(self, place: slice) -> "Disputes": ...
    def __getitem__(self, place: int | slice) -> "Dispute | Disputes":
        if isinstance(place, slice):
            return Disputes(self._keys[place], self._read)
        return self._dispute(self._read([self._keys[place]])[0])

    def __iter__(self) -> Iterator[Dispute]:
        for start in range(0, len(self), _AT_ONCE):
            yield from map(self._dispute, self._read(self._keys[start : start + _AT_ONCE]))

    def _dispute(self, pair: PairJudgments) -> Dispute:
        judgments = tuple(
            judgment for judgment in pair.judgments if judgment.verdict in CATEGORIES and not judgment.adjudicates
        )
        counts = np.array([[sum(judgment.verdict is verdict for judgment in judgments) for verdict in CATEGORIES]])
        return Dispute(pair.pair, judgments, float(_heats(counts)[0]))


def disputes(judgments: VerdictColumns, table: VerdictTable, read: ReadPairs) -> Disputes:
    """Find the disputes among the current judgments, which *read* reads for some pairs."""
    counts = table.counts()
    heats, n = _heats(counts), counts.sum(axis=1)
    settled = np.isin(table.keys, judgments.keys[judgments.pair[judgments.adjudicates]])
    disputed = np.flatnonzero((heats > 0) & ~settled)
    ranks = (table.latest[disputed], -n[disputed], -heats[disputed])  # the last key is the primary one
    order = np.lexsort(ranks)
    keys = [key.decode() for key in table.keys[disputed[order]].tolist()]
    differs = np.any([rank[order][1:] != rank[order][:-1] for rank in ranks], axis=0)
    return Disputes(_untied(keys, [0, *np.cumsum(differs).tolist()], read), read)


def _untied(keys: list[str], places: Sequence[int], read: ReadPairs) -> list[str]:
    # keys with the same place are ordered by their pairs
    shared = Counter(places)
    tied = [key for key, place in zip(keys, places, strict=False) if shared[place] > 1]
    names: dict[str, str] = {}
    for start in range(0, len(tied), _AT_ONCE):
        some = tied[start : start + _AT_ONCE]
        names.update((key, repr(judged.pair)) for key, judged in zip(some, read(some), strict=True))
    return [key for _, key in sorted(zip(places, keys, strict=False), key=lambda row: (row[0], names.get(row[1], "")))]


def _heats(counts: NDArray[np.integer]) -> NDArray[np.float64]:
    # the distance of yes and no is 1, that of unsure to either 1/2
    positive, negative, unsure = counts.T.astype(np.float64)
    n = np.maximum(counts.sum(axis=1), 1)
    heats: NDArray[np.float64] = 2 * (positive * negative + (positive + negative) * unsure / 2) / n**2
    return heats


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement of annotators."""

    table: VerdictTable  # measured verdicts
    overall: Agreement  # agreement of all annotators
    # ones, twos: agreement of each with the others, and of every two
    ones: tuple[OneAgainstOthers, ...]
    twos: tuple[TwoAgree, ...]
    weeks: tuple[PeriodAgreement, ...]  # agreement by the week of a pair's last verdict
    disputes: Disputes  # pairs to adjudicate, the most disputed first


def agreement_report(judgments: VerdictColumns, read: ReadPairs, zone: tzinfo) -> AgreementReport:
    """Measure the agreement; *read* reads the current judgments of disputed pairs on access."""
    table = verdict_table(judgments)
    return AgreementReport(
        table=table,
        overall=agreement(table),
        ones=tuple(against_others(table)),
        twos=tuple(two_by_two(table)),
        weeks=tuple(over_time(table, Period.WEEK, zone=zone)),
        disputes=disputes(judgments, verdict_table(judgments, bulk=True), read),
    )
