"""Calibration of probabilities: expected calibration error, reliability and risk-coverage curves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Titles with a top probability in one tenth of the range: their number, mean probability and accuracy."""

    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A point of the risk-coverage curve: share of titles linked, threshold, and share of these that are wrong."""

    coverage: float
    threshold: float
    risk: float


def expected_calibration_error(probabilities: NDArray[np.float64], correct: NDArray[np.bool_]) -> float:
    """Return the mean gap between confidence and accuracy over ten bins of equal width.

    Source: Guo et al. (2017), On Calibration of Modern Neural Networks, equation 5.
    """
    bins = _bins(probabilities)
    gaps = np.bincount(bins, weights=probabilities - correct, minlength=N_BINS)
    return float(np.abs(gaps).sum() / len(probabilities))


def reliability(probabilities: NDArray[np.float64], correct: NDArray[np.bool_]) -> list[ReliabilityBin]:
    """Return the reliability curve; bins without titles are left out."""
    bins = _bins(probabilities)
    return [
        ReliabilityBin(int(inside.sum()), float(probabilities[inside].mean()), float(correct[inside].mean()))
        for inside in (bins == number for number in range(N_BINS))
        if inside.any()
    ]


def risk_coverage(probabilities: NDArray[np.float64], correct: NDArray[np.bool_]) -> list[CoveragePoint]:
    """Return the risk-coverage curve at every tenth of coverage (El-Yaniv and Wiener 2010)."""
    order = np.argsort(-probabilities, kind="stable")
    wrong = np.cumsum(~correct[order])
    counts = np.ceil(np.arange(1, N_BINS + 1) / N_BINS * len(order)).astype(int)
    return [
        CoveragePoint(float(n / len(order)), float(probabilities[order[n - 1]]), float(wrong[n - 1] / n))
        for n in counts
    ]


@dataclass(frozen=True, slots=True)
class PrecisionPoint:
    """A point of the precision curve: precision and share of titles linked at a threshold."""

    threshold: float
    precision: float
    coverage: float


def precision_curve(
    probabilities: NDArray[np.float64], correct: NDArray[np.bool_], *, points: int = 50
) -> tuple[PrecisionPoint, ...]:
    """Return the precision curve at *points* equal steps of coverage; equal probabilities are linked together."""
    order = np.argsort(-probabilities, kind="stable")
    ends = np.flatnonzero(np.diff(probabilities[order], append=-1.0))  # the last of each run of equal probabilities
    wanted = np.arange(1, points + 1) * len(order) // points - 1
    chosen = np.unique(ends[np.searchsorted(ends, wanted)])
    right = np.cumsum(correct[order])
    return tuple(
        PrecisionPoint(float(probabilities[order[at]]), float(right[at] / (at + 1)), float((at + 1) / len(order)))
        for at in chosen.tolist()
    )


def threshold_for(curve: Sequence[PrecisionPoint], precision: float) -> PrecisionPoint | None:
    """Return the point of greatest coverage that reaches a target precision; None if none does."""
    reached = [point for point in curve if point.precision >= precision]
    return max(reached, key=lambda point: point.coverage, default=None)


def _bins(probabilities: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.clip((probabilities * N_BINS).astype(np.intp), 0, N_BINS - 1)
