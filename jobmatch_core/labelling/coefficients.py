"""Coefficients of agreement, each with its 95 % bootstrap interval over pairs (Efron and Tibshirani 1993, chapter 13).

Pure functions of arrays. All are 1 for perfect agreement and, except percent agreement, 0 for agreement expected by
chance.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.metrics.significance import LEVEL, N_RESAMPLES

Floats = NDArray[np.float64]
Counts = NDArray[np.integer] | Floats
Times = NDArray[np.int64]

NO_OVERLAP = "no pair has been judged by two people yet"
ONE_VERDICT = "everybody always said the same, so agreement by chance cannot be told from agreement"


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient with the ends of its interval; all None if it is not defined.

    The ends are quantiles of resamples, without those in which the coefficient is not defined. For few pairs, or if all
    agree, the interval is too narrow.

    Attributes:
        value: the coefficient.
        low, high: ends of the interval; None for a single pair.
        n: number of pairs.
        reason: reason why it is not defined, '' if it is.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""


# distinct units (unit, ...), how often each was drawn (resample, unit) -> coefficients (resample), NaN where undefined
_Statistic = Callable[[Floats, Floats], Floats]


def percent_agreement(counts: Counts, seed: int = 0, times: Times | None = None) -> Figure:
    """Return percent agreement: the share of agreeing pairs of judgments of the same pair, the mean over pairs.

    It is the observed agreement of Fleiss (1971), Psychological Bulletin 76(5), and for two annotators the plain
    percentage.

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        seed: seed of the bootstrap.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_percent, *_shared(counts, times), seed)


def fleiss_kappa(counts: Counts, seed: int = 0, times: Times | None = None) -> Figure:
    """Return Fleiss' kappa (1971), Psychological Bulletin 76(5): for any annotators, each pair with the same weight.

    Fleiss assumes the same number of judgments for each pair. If the numbers differ, the agreement within a pair and
    its shares of the categories are those of its own judgments, as in Gwet (2014, Handbook of Inter-Rater Reliability);
    with equal numbers this is Fleiss' formula.

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        seed: seed of the bootstrap.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_fleiss, *_shared(counts, times), seed)


def krippendorff_alpha(counts: Counts, seed: int = 0, times: Times | None = None) -> Figure:
    """Return Krippendorff's alpha (2011, Computing Krippendorff's Alpha-Reliability) of nominal data with gaps.

    Args:
        counts: (pair, category) numbers of verdicts; pairs with fewer than two are ignored.
        seed: seed of the bootstrap.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_alpha, *_shared(counts, times), seed)


def cohen_kappa(tables: Counts, seed: int = 0, times: Times | None = None) -> Figure:
    """Return Cohen's kappa (1960, Educational and Psychological Measurement 20(1)) of two annotators.

    Args:
        tables: (pair, category of one annotator, category of the other) one confusion table per pair: a single 1, or
            parts of it that add up to 1 where the other stands for several.
        seed: seed of the bootstrap.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_cohen, np.asarray(tables, dtype=np.float64), _times(tables, times), seed)


def share_of_agreement(tables: Counts, seed: int = 0, times: Times | None = None) -> Figure:
    """Return the share of pairs on which two annotators gave the same verdict.

    Args:
        tables: one confusion table per pair, as for `cohen_kappa`.
        seed: seed of the bootstrap.
        times: (pair,) number of pairs that each row stands for; one by default.
    """
    return _figure(_diagonal, np.asarray(tables, dtype=np.float64), _times(tables, times), seed)


def _times(rows: Counts, times: Times | None) -> Times:
    return np.ones(len(rows), dtype=np.int64) if times is None else times


def _shared(counts: Counts, times: Times | None) -> tuple[Floats, Times]:
    shared = counts.sum(axis=1) > 1
    return np.asarray(counts[shared], dtype=np.float64), _times(counts, times)[shared]


def _figure(statistic: _Statistic, units: Floats, times: Times, seed: int) -> Figure:
    """Resample whole pairs; pairs with the same judgments are equal, so only their frequencies are drawn."""
    n = int(times.sum())
    if not n:
        return Figure(None, None, None, 0, NO_OVERLAP)
    distinct, place = np.unique(units[times > 0], axis=0, return_inverse=True)
    times = np.bincount(place.ravel(), weights=times[times > 0]).astype(np.int64)
    value = float(statistic(distinct, times[None].astype(np.float64))[0])
    if np.isnan(value):
        return Figure(None, None, None, n, ONE_VERDICT)
    if n == 1:
        return Figure(value, None, None, n)
    drawn = np.random.default_rng(seed).multinomial(n, times / n, size=N_RESAMPLES)
    values = statistic(distinct, drawn.astype(np.float64))
    low, high = np.quantile(values[~np.isnan(values)], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Figure(value, float(low), float(high), n)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; NaN for a denominator of zero."""
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
