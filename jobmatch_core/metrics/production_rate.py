"""Production rate: the share of titles that can be coded automatically at a given share of wrong codes.

Statistical offices use it to decide how much of a survey needs no human coder. Titles are coded from the highest score
down to a threshold; titles of equal score are coded together, and a score of 0 is no answer.
Source: Schierholz and Schonlau (2021), Machine Learning for Occupation Coding: A Comparison Study, who plot this rate
against the agreement of the coded titles.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ERRORS = (0.01, 0.02, 0.04, 0.05, 0.10)
NEVER = float("inf")  # the threshold where no title can be coded at an error
_RESAMPLES = 500
_QUANTILES = (0.025, 0.975)

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RatePoint:
    """The production rate at an error."""

    error: float  # maximum share of wrong codes among the coded titles
    rate: float  # share of titles that are coded
    # low, high: ends of the rate's 95 % bootstrap interval
    low: float
    high: float
    threshold: float  # lowest score of a coded title; `NEVER` if none is coded
    # new_rate, new_error: share of titles coded and share of these that are wrong, where each half of the titles is
    # coded by the threshold of the other half; the error is None if none is coded
    new_rate: float
    new_error: float | None


def production_rates(
    scores: Floats, right: Booleans, halves: Booleans, errors: Iterable[float] = ERRORS
) -> list[RatePoint]:
    """Return the production rate at each error.

    Args:
        scores: (title,) score of each title's code; 0 if it has none.
        right: (title,) whether that code is right.
        halves: (title,) the half that a title belongs to; equal titles belong to the same.

    Raises ValueError if there is no title.
    """
    if not len(scores):
        raise ValueError("there are no titles")
    errors, curve, random = tuple(errors), _Curve(scores, right), np.random.default_rng(0)
    shares = np.full(len(scores), 1 / len(scores))
    # one resample at a time, since all of them take 4 GB for a million titles
    resampled = [curve.coded(errors, random.multinomial(len(scores), shares)) for _ in range(_RESAMPLES)]
    lows, highs = np.quantile(np.array(resampled) / len(scores), _QUANTILES, axis=0)
    coded_by_half = np.zeros((len(errors), len(scores)), dtype=np.bool_)
    for half in (halves, ~halves):
        other = _Curve(scores[~half], right[~half])
        thresholds = np.array([other.threshold(end) for end in other.coded(errors)])
        coded_by_half |= half & (scores >= thresholds[:, np.newaxis])
    points = []
    for error, end, low, high, coded in zip(errors, curve.coded(errors), lows, highs, coded_by_half, strict=True):
        wrong = float((~right[coded]).mean()) if coded.any() else None
        rate = end / len(scores)
        points.append(RatePoint(error, rate, float(low), float(high), curve.threshold(end), float(coded.mean()), wrong))
    return points


class _Curve:
    """Titles by falling score; a title of score 0 is never coded."""

    def __init__(self, scores: Floats, right: Booleans) -> None:
        self._order = np.argsort(-scores, kind="stable")
        self._scores = scores[self._order]
        self._wrong = ~right[self._order]
        last = np.flatnonzero(np.diff(self._scores, append=-1.0))  # of each run of equal scores
        self._ends = last[self._scores[last] > 0]

    def coded(self, errors: Iterable[float], weights: NDArray[np.int64] | None = None) -> list[int]:
        """Return the number of titles that are coded at each error; each title counts as often as its weight says."""
        weights = np.ones(len(self._order), np.int64) if weights is None else weights[self._order]
        counts = np.cumsum(weights)[self._ends]
        wrong = np.cumsum(weights * self._wrong)[self._ends]
        return [int(counts[wrong <= error * counts].max(initial=0)) for error in errors]

    def threshold(self, n: int) -> float:
        """Return the lowest score of the first *n* titles."""
        return float(self._scores[n - 1]) if n else NEVER
