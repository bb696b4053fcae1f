"""Agreement of annotators: of all, of each two, of each with the others, and over time."""

from dataclasses import dataclass
from datetime import UTC, date, timedelta, tzinfo
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Verdict
from jobmatch_core.labelling.coefficients import (
    Figure,
    Floats,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    share_of_agreement,
)
from jobmatch_core.labelling.verdict_table import CATEGORIES, NOTHING, VerdictTable


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
    counts = table.counts()
    percent = percent_agreement(counts, seed)
    return Agreement(percent.n, percent, fleiss_kappa(counts, seed), krippendorff_alpha(counts, seed))


def two_by_two(table: VerdictTable, seed: int = 0) -> list[TwoAgree]:
    """Measure the agreement of each two annotators; those with the most shared pairs come first."""
    found = []
    for first, second in combinations(range(len(table.annotators)), 2):
        tables = _tables(table.codes[:, first], table.codes[:, [second]])
        names = table.annotators[first], table.annotators[second]
        found.append(TwoAgree(*names, share_of_agreement(tables, seed), cohen_kappa(tables, seed)))
    return sorted(found, key=lambda each: (-each.percent.n, each.first, each.second))


def against_others(table: VerdictTable, seed: int = 0) -> list[OneAgainstOthers]:
    """Measure the agreement of each annotator with the others, in the order of their names."""
    found = []
    for column, annotator in enumerate(table.annotators):
        own = table.codes[:, column]
        tables = _tables(own, np.delete(table.codes, column, axis=1))
        found.append(
            OneAgainstOthers(
                annotator=annotator,
                verdicts=int((own != NOTHING).sum()),
                percent=share_of_agreement(tables, seed),
                kappa=cohen_kappa(tables, seed),
                alpha_without=krippendorff_alpha(table.without(annotator).counts(), seed),
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
    starts = np.array([_start(latest.astimezone(zone).date(), period) for latest in table.latest], dtype=object)
    return [
        PeriodAgreement(start, agreement(table.rows(starts == start), seed)) for start in sorted(set(starts.tolist()))
    ]


def confusion(table: VerdictTable, first: str, second: str) -> Confusion:
    """Count the verdicts of two annotators on the pairs that both have judged.

    Raises:
        ValueError: an annotator has given no verdict.
    """
    tables = _tables(table.codes[:, table.column(first)], table.codes[:, [table.column(second)]])
    return Confusion(first, second, CATEGORIES, tables.sum(axis=0).astype(np.int64))


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
