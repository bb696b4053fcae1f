"""Agreement of annotators: of all, of each two, of each with the others, over time; disputes; the whole report.

The coefficients are in `coefficients`. A dispute is a pair on which annotators disagree, to be adjudicated.
"""

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
    Figure,
    VerdictTable,
    cohen_kappa,
    distinct_rows,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    share_of_agreement,
    verdict_table,
)

_A_MONDAY = date(2024, 1, 1).toordinal()
_NO_PAIRS = np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
_AT_ONCE = 1000


class Period(StrEnum):
    """Length of a period."""

    DAY = "day"
    WEEK = "week"  # from Monday


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all annotators.

    Attributes:
        pairs: number of pairs judged by two or more.
        percent, fleiss, alpha: percent agreement, Fleiss' kappa, Krippendorff's alpha.
    """

    pairs: int
    percent: Figure
    fleiss: Figure
    alpha: Figure


@dataclass(frozen=True, slots=True)
class TwoAgree:
    """Agreement of two annotators on the pairs that both have judged: percent agreement, and Cohen's kappa."""

    first: str
    second: str
    percent: Figure
    kappa: Figure


@dataclass(frozen=True, slots=True)
class OneAgainstOthers:
    """Agreement of an annotator with the others.

    Attributes:
        annotator: name of the annotator.
        verdicts: number of their verdicts.
        percent: share of the others with the same verdict, the mean over the shared pairs.
        kappa: Cohen's kappa, the others of each pair taken together as one.
        alpha_without: Krippendorff's alpha of all others; where it is well above everybody's, the guidelines may be
            unclear to this annotator.
    """

    annotator: str
    verdicts: int
    percent: Figure
    kappa: Figure
    alpha_without: Figure


@dataclass(frozen=True, slots=True)
class PeriodAgreement:
    """Agreement on the pairs with their last verdict in the day or week that begins on *start*."""

    start: date
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Confusion:
    """Confusion matrix of two annotators.

    Attributes:
        first, second: names of the annotators.
        verdicts: verdicts of the rows and the columns.
        counts: (the first's verdict, the second's verdict) numbers of pairs.
    """

    first: str
    second: str
    verdicts: tuple[Verdict, ...]
    counts: NDArray[np.int64]


def agreement(table: VerdictTable, seed: int = 0) -> Agreement:
    """Measure the agreement of all annotators."""
    return _agreement(*distinct_rows([*table.counts().T]), seed)


def two_by_two(table: VerdictTable, seed: int = 0) -> list[TwoAgree]:
    """Measure the agreement of each two annotators; those with the most shared pairs come first."""
    both = _both(table)
    found = []
    for first, second in combinations(range(len(table.annotators)), 2):
        codes, times = both.get((first, second), _NO_PAIRS)
        tables = np.zeros((len(codes), len(CATEGORIES), len(CATEGORIES)))
        tables[np.arange(len(codes)), codes[:, 0], codes[:, 1]] = 1
        names = table.annotators[first], table.annotators[second]
        found.append(TwoAgree(*names, share_of_agreement(tables, seed, times), cohen_kappa(tables, seed, times)))
    return sorted(found, key=lambda each: (-each.percent.n, each.first, each.second))


def against_others(table: VerdictTable, seed: int = 0) -> list[OneAgainstOthers]:
    """Measure the agreement of each annotator with the others, in the order of their names."""
    counts = table.counts()
    whole = _Multiset(*distinct_rows([*counts.T]))
    others = counts[table.pair]  # of each verdict
    others[np.arange(len(others)), table.code] -= 1
    found = []
    for column, annotator in enumerate(table.annotators):
        own = table.annotator == column
        alike, times = distinct_rows((table.code[own], *others[own].T))
        codes, rest = alike[:, 0], alike[:, 1:]
        shared = rest.sum(axis=1) > 0
        tables = np.zeros((int(shared.sum()), len(CATEGORIES), len(CATEGORIES)))
        tables[np.arange(len(tables)), codes[shared]] = rest[shared] / rest[shared].sum(axis=1, keepdims=True)
        judged = rest + np.eye(len(CATEGORIES), dtype=np.int64)[codes]
        without, times_without = whole.plus(judged, -times).plus(rest, times).rows
        found.append(
            OneAgainstOthers(
                annotator=annotator,
                verdicts=int(own.sum()),
                percent=share_of_agreement(tables, seed, times[shared]),
                kappa=cohen_kappa(tables, seed, times[shared]),
                alpha_without=krippendorff_alpha(without, seed, times_without),
            )
        )
    return found


def over_time(table: VerdictTable, period: Period, *, zone: tzinfo = UTC, seed: int = 0) -> list[PeriodAgreement]:
    """Measure the agreement by day or week, the earliest first; periods without verdicts are left out.

    Args:
        table: the verdicts; a pair belongs to the period of its last one.
        period: length of a period.
        zone: time zone of the days.
        seed: seed of the bootstrap.
    """
    starts, place = np.unique(_starts(table.latest, period, zone), return_inverse=True)
    rows, times = distinct_rows((place, *table.counts().T))
    return [
        PeriodAgreement(
            date.fromordinal(start), _agreement(rows[rows[:, 0] == number, 1:], times[rows[:, 0] == number], seed)
        )
        for number, start in enumerate(starts.tolist())
    ]


def confusion(table: VerdictTable, first: str, second: str) -> Confusion:
    """Count the verdicts of two annotators on the pairs that both have judged.

    Raises:
        ValueError: an annotator has given no verdict.
    """
    columns = table.column(first), table.column(second)
    codes, times = _both(table).get((min(columns), max(columns)), _NO_PAIRS)
    counts = np.zeros((len(CATEGORIES), len(CATEGORIES)), dtype=np.int64)
    counts[codes[:, 0], codes[:, 1]] = times
    if columns[0] == columns[1]:
        counts[np.diag_indices(len(CATEGORIES))] = np.bincount(table.code[table.annotator == columns[0]], minlength=3)
    return Confusion(first, second, CATEGORIES, counts if columns[0] <= columns[1] else counts.T)


_Rows = NDArray[np.int64]


def _agreement(counts: _Rows, times: _Rows, seed: int) -> Agreement:
    percent = percent_agreement(counts, seed, times)
    return Agreement(percent.n, percent, fleiss_kappa(counts, seed, times), krippendorff_alpha(counts, seed, times))


def _both(table: VerdictTable) -> dict[tuple[int, int], tuple[_Rows, _Rows]]:
    """Count the verdicts of each two annotators on the pairs that both have judged.

    Returns:
        By their indices, the lower one first: the distinct verdicts of both, shape (distinct, 2), and their numbers.
    """
    found = []
    for step in count(1):  # a pair's verdicts lie side by side: those one place apart, two places apart, and so on
        same = np.flatnonzero(table.pair[:-step] == table.pair[step:])
        if not len(same):
            break
        found.append([table.annotator[same], table.annotator[same + step], table.code[same], table.code[same + step]])
    if not found:
        return {}
    rows, times = distinct_rows([np.concatenate(column) for column in zip(*found, strict=True)])
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
        """Return it with further rows; negative times take rows away."""
        return _Multiset(np.concatenate([self.counts, counts]), np.concatenate([self.times, times]))

    @property
    def rows(self) -> tuple[_Rows, _Rows]:
        """The distinct rows, and how often they occur, some not at all."""
        distinct, place = np.unique(self.counts, axis=0, return_inverse=True)
        times = np.bincount(place.ravel(), weights=self.times).astype(np.int64)
        return distinct, times


def _starts(moments: NDArray[np.datetime64], period: Period, zone: tzinfo) -> NDArray[np.int64]:
    """Return the days on which the periods of UTC times begin, as ordinals."""
    seconds, place = np.unique(moments.astype("datetime64[s]"), return_inverse=True)  # zones change at whole seconds
    local = (second.replace(tzinfo=UTC).astimezone(zone).toordinal() for second in seconds.tolist())
    days = np.fromiter(local, dtype=np.int64, count=len(seconds))
    if period is Period.WEEK:
        days -= (days - _A_MONDAY) % 7
    return days[place]


ReadPairs = Callable[[Sequence[str]], Sequence[PairJudgments]]  # by their keys


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair with different verdicts.

    Attributes:
        pair: the disputed pair.
        judgments: current judgments, in the order of recording.
        heat: mean distance of two of these verdicts drawn with replacement, 0 to 0.5: Rao's quadratic entropy (1982).
            0.5 for half yes and half no, 0.25 if half of them are unsure.
    """

    pair: Pair
    judgments: tuple[Judgment, ...]
    heat: float


class Disputes(Sequence[Dispute]):
    """The disputes that are not yet adjudicated, the most disputed first; they are read when they are asked for.

    Of equally disputed ones the one with more judgments comes first, then the older one.
    """

    def __init__(self, keys: Sequence[str], read: ReadPairs) -> None:
        """Take the keys of the disputed pairs in order, and what reads their current judgments."""
        self._keys, self._read = keys, read

    def __len__(self) -> int:
        """Return the number of disputes."""
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> Dispute: ...
    @overload
    def __getitem__(self, place: slice) -> "Disputes": ...
    def __getitem__(self, place: int | slice) -> "Dispute | Disputes":
        """Read one dispute, or return some, which are not read yet."""
        if isinstance(place, slice):
            return Disputes(self._keys[place], self._read)
        return self._dispute(self._read([self._keys[place]])[0])

    def __iter__(self) -> Iterator[Dispute]:
        """Read all, some at a time."""
        for start in range(0, len(self), _AT_ONCE):
            yield from map(self._dispute, self._read(self._keys[start : start + _AT_ONCE]))

    def _dispute(self, found: PairJudgments) -> Dispute:
        verdicts = tuple(each for each in found.judgments if each.verdict in CATEGORIES and not each.adjudicates)
        said = np.array([[sum(each.verdict is verdict for each in verdicts) for verdict in CATEGORIES]])
        return Dispute(found.pair, verdicts, float(_heats(said)[0]))


def disputes(judgments: VerdictColumns, table: VerdictTable, read: ReadPairs) -> Disputes:
    """Find the disputes.

    Args:
        judgments: the current judgments.
        table: the verdicts among them.
        read: reads the current judgments of pairs.
    """
    counts = table.counts()
    heats, n = _heats(counts), counts.sum(axis=1)
    settled = np.isin(table.keys, judgments.keys[judgments.pair[judgments.adjudicates]])
    found = np.flatnonzero((heats > 0) & ~settled)
    ranks = (table.latest[found], -n[found], -heats[found])  # the last one first
    order = np.lexsort(ranks)
    keys = [key.decode() for key in table.keys[found[order]].tolist()]
    differs = np.any([rank[order][1:] != rank[order][:-1] for rank in ranks], axis=0)
    return Disputes(_untied(keys, [0, *np.cumsum(differs).tolist()], read), read)


def _untied(keys: list[str], places: Sequence[int], read: ReadPairs) -> list[str]:
    """Order those with the same place by their pairs."""
    shared = Counter(places)
    tied = [key for key, place in zip(keys, places, strict=False) if shared[place] > 1]
    names: dict[str, str] = {}
    for start in range(0, len(tied), _AT_ONCE):
        some = tied[start : start + _AT_ONCE]
        names.update((key, repr(each.pair)) for key, each in zip(some, read(some), strict=True))
    ordered = sorted(zip(places, keys, strict=False), key=lambda each: (each[0], names.get(each[1], "")))
    return [key for _, key in ordered]


def _heats(counts: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the heat of each row of numbers of verdicts by category.

    Yes and no contradict each other; unsure is half way to either.
    """
    positive, negative, unsure = counts.T.astype(np.float64)
    n = np.maximum(counts.sum(axis=1), 1)
    heats: NDArray[np.float64] = 2 * (positive * negative + (positive + negative) * unsure / 2) / n**2
    return heats


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
        disputes=disputes(judgments, verdict_table(judgments, bulk=True), read),
    )
