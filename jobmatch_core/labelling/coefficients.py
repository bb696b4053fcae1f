"""Coefficients of agreement with 95 % bootstrap intervals over pairs (Efron and Tibshirani 1993, chapter 13)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Verdict
from jobmatch_core.judgment_tallies import VERDICTS, VerdictColumns
from jobmatch_core.metrics.comparisons import LEVEL, N_RESAMPLES

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]
Counts = NDArray[np.integer] | Floats
Times = NDArray[np.int64]
# distinct units (unit, ...), how often each was drawn (resample, unit) -> coefficients (resample), NaN where undefined
_Statistic = Callable[[Floats, Floats], Floats]

CATEGORIES = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)  # without skips
_CODES = np.array([CATEGORIES.index(verdict) if verdict in CATEGORIES else -1 for verdict in VERDICTS], dtype=np.intp)

_SEED = 0  # of the resamples
NO_OVERLAP = "no pair has been judged by two people yet"
ONE_VERDICT = "everybody always said the same, so agreement by chance cannot be told from agreement"


@dataclass(frozen=True, slots=True, eq=False)
class VerdictTable:
    """Current verdicts without adjudications, at most one per annotator and pair."""

    keys: NDArray[np.bytes_]  # (pair,) keys of the pairs
    annotators: tuple[str, ...]  # names in alphabetical order
    # pair, annotator: (verdict,) indices of `keys` and `annotators`, ascending
    pair: NDArray[np.intp]
    annotator: NDArray[np.intp]
    code: NDArray[np.intp]  # (verdict,) indices of `CATEGORIES`
    latest: NDArray[np.datetime64]  # (pair,) UTC time of the last verdict

    def column(self, annotator: str) -> int:
        """Return an annotator's index; raises ValueError if the annotator has given no verdict."""
        return self.annotators.index(annotator)

    def counts(self) -> NDArray[np.int64]:
        """Return the number of verdicts of each pair and category, shape (pair, category)."""
        cells = np.bincount(self.pair * len(CATEGORIES) + self.code, minlength=len(self.keys) * len(CATEGORIES))
        return cells.reshape(-1, len(CATEGORIES))


def verdict_table(judgments: VerdictColumns, *, bulk: bool = False) -> VerdictTable:
    """Collect the verdicts without adjudications, since an adjudicator has seen the others' verdicts.

    Bulk decisions are included on demand; they say little about their annotator's view of a pair.
    """
    code = _CODES[judgments.verdict]
    counted = (code >= 0) & ~judgments.adjudicates
    if not bulk:
        counted &= ~judgments.bulk
    pairs, pair = np.unique(judgments.pair[counted], return_inverse=True)
    people, annotator = np.unique(judgments.annotator[counted], return_inverse=True)
    names = sorted(judgments.annotators[person] for person in people)
    annotator = np.array([names.index(judgments.annotators[person]) for person in people], dtype=np.intp)[annotator]
    order = np.lexsort((annotator, pair))
    pair, at = pair[order], judgments.at[counted][order]
    latest = np.maximum.reduceat(at, np.searchsorted(pair, np.arange(len(pairs)))) if len(pairs) else at
    return VerdictTable(judgments.keys[pairs], tuple(names), pair, annotator[order], code[counted][order], latest)


def distinct_rows(columns: Sequence[Ints]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct rows of columns of small numbers, and how often each occurs.

    Args:
        columns: (row,) each, non-negative.

    Returns:
        (distinct, column) in ascending order, and (distinct,).
    """
    if not len(columns[0]):
        return np.zeros((0, len(columns)), dtype=np.int64), np.zeros(0, dtype=np.int64)
    shape = [int(column.max()) + 1 for column in columns]
    packed, times = np.unique(np.ravel_multi_index(tuple(columns), shape), return_counts=True)
    return np.stack(np.unravel_index(packed, shape), axis=1), times


@dataclass(frozen=True, slots=True)
class CoefficientFigure:
    """A coefficient with its interval: quantiles of the resamples in which it is defined.

    For few pairs, or if all agree, the interval is too narrow.
    """

    value: float | None  # the coefficient; None if it is not defined
    # low, high: ends of the interval; None for a single pair, or if the coefficient is not defined
    low: float | None
    high: float | None
    n: int  # number of pairs
    reason: str = ""  # why it is not defined; '' if it is


def percent_agreement(counts: Counts, times: Times | None = None) -> CoefficientFigure:
    """Return percent agreement: the share of agreeing annotators among all two who judged a pair, averaged over pairs.

    This is the observed agreement of Fleiss (1971), Psychological Bulletin 76(5).

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_percent, *_shared(counts, times))


def fleiss_kappa(counts: Counts, times: Times | None = None) -> CoefficientFigure:
    """Return Fleiss' kappa (1971), Psychological Bulletin 76(5), with equal weights for all pairs.

    For differing numbers of judgments, as in Gwet (2014, Handbook of Inter-Rater Reliability).

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_fleiss, *_shared(counts, times))


def krippendorff_alpha(counts: Counts, times: Times | None = None) -> CoefficientFigure:
    """Return Krippendorff's alpha (2011, Computing Krippendorff's Alpha-Reliability) of nominal data with gaps.

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_alpha, *_shared(counts, times))


def cohen_kappa(tables: Counts, times: Times | None = None) -> CoefficientFigure:
    """Return Cohen's kappa (1960, Educational and Psychological Measurement 20(1)) of two annotators.

    Args:
        tables: (pair, category of one annotator, category of the other) one confusion table per pair, summing to 1;
            fractions if the other stands for several annotators.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_cohen, np.asarray(tables, dtype=np.float64), _times(tables, times))


def share_of_agreement(tables: Counts, times: Times | None = None) -> CoefficientFigure:
    """Return the share of pairs on which two annotators gave the same verdict; arguments as of `cohen_kappa`."""
    return _figure(_diagonal, np.asarray(tables, dtype=np.float64), _times(tables, times))


def _times(rows: Counts, times: Times | None) -> Times:
    return np.ones(len(rows), dtype=np.int64) if times is None else times


def _shared(counts: Counts, times: Times | None) -> tuple[Floats, Times]:
    shared = counts.sum(axis=1) > 1
    return np.asarray(counts[shared], dtype=np.float64), _times(counts, times)[shared]


def _figure(statistic: _Statistic, units: Floats, times: Times) -> CoefficientFigure:
    # pairs with the same judgments are equal, so a resample draws only their frequencies
    n = int(times.sum())
    if not n:
        return CoefficientFigure(None, None, None, 0, NO_OVERLAP)
    distinct, place = np.unique(units[times > 0], axis=0, return_inverse=True)
    times = np.bincount(place.ravel(), weights=times[times > 0]).astype(np.int64)
    value = float(statistic(distinct, times[None].astype(np.float64))[0])
    if np.isnan(value):
        return CoefficientFigure(None, None, None, n, ONE_VERDICT)
    if n == 1:
        return CoefficientFigure(value, None, None, n)
    drawn = np.random.default_rng(_SEED).multinomial(n, times / n, size=N_RESAMPLES)
    values = statistic(distinct, drawn.astype(np.float64))
    low, high = np.quantile(values[~np.isnan(values)], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return CoefficientFigure(value, float(low), float(high), n)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    ratio = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=ratio, where=denominator != 0)
    return ratio


def _agreeing(units: Floats) -> Floats:
    """Return the number of equal ordered pairs of judgments of each unit."""
    agreeing: Floats = (units * (units - 1)).sum(axis=1)
    return agreeing


def _percent(units: Floats, weights: Floats) -> Floats:
    n = units.sum(axis=1)
    return _ratio(weights @ (_agreeing(units) / (n * (n - 1))), weights.sum(axis=1))


def _fleiss(units: Floats, weights: Floats) -> Floats:
    shares = weights @ (units / units.sum(axis=1, keepdims=True)) / weights.sum(axis=1, keepdims=True)
    expected = (shares**2).sum(axis=1)
    return _ratio(_percent(units, weights) - expected, 1 - expected)


def _alpha(units: Floats, weights: Floats) -> Floats:
    n_units = units.sum(axis=1)
    n = weights @ n_units
    coincident = weights @ (_agreeing(units) / (n_units - 1))
    expected = n**2 - ((weights @ units) ** 2).sum(axis=1)
    return 1 - _ratio((n - 1) * (n - coincident), expected)


def _diagonal(units: Floats, weights: Floats) -> Floats:
    return _ratio(weights @ np.trace(units, axis1=1, axis2=2), weights.sum(axis=1))


def _cohen(units: Floats, weights: Floats) -> Floats:
    table = np.tensordot(weights, units, axes=1) / weights.sum(axis=1)[:, None, None]
    observed = np.trace(table, axis1=1, axis2=2)
    expected = (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1)
    return _ratio(observed - expected, 1 - expected)
