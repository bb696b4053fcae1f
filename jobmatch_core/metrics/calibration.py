"""Calibration of probabilities: expected calibration error, reliability and risk-coverage curves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Titles with a top probability in one tenth: their number, mean probability and accuracy."""

    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A point of the risk-coverage curve: share of titles linked (surest first), threshold, share of them wrong."""

    coverage: float
    threshold: float
    risk: float


def expected_calibration_error(probabilities: NDArray[np.float64], correct: NDArray[np.bool_]) -> float:
    """Return the mean gap between confidence and accuracy over ten bins of equal width.

    Source: guo et al. (2017), On Calibration of Modern Neural Networks, equation 5.
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


def _bins(probabilities: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.clip((probabilities * N_BINS).astype(np.intp), 0, N_BINS - 1)
