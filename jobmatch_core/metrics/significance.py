"""Significance of a difference between two systems, and bootstrap intervals of a mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon

Floats = NDArray[np.float64]

LEVEL = 0.95
N_RESAMPLES = 2000
_DRAWS = 1 << 22  # at a time, to bound memory


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same queries (or datasets).

    Attributes:
        n: number of pairs of figures.
        difference: mean of the first's figures minus the second's.
        p_value: two-sided Wilcoxon signed-rank test (1945) of differences symmetric around zero; pairs
            without a difference are left out, and where all are, it is 1.
    """

    n: int
    difference: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of *n* figures and the ends of its 95 % bootstrap interval."""

    n: int
    mean: float
    low: float
    high: float


def compare(first: Floats, second: Floats) -> Comparison:
    """Test two systems' figures, such as reciprocal ranks query by query, or means dataset by dataset.

    Raises:
        ValueError: the numbers of queries differ, or there are no queries.
    """
    if first.shape != second.shape or not first.size:
        raise ValueError(
            f"expected the same queries for both systems, at least one; got {first.size} and {second.size}"
        )
    differences = first - second
    p_value = float(wilcoxon(differences).pvalue) if differences.any() else 1.0
    return Comparison(len(differences), float(differences.mean()), p_value)


def bootstrap_interval(figures: Floats, seed: int = 0) -> Interval:
    """Return the mean with its 95 % percentile interval from 2,000 resamples (Efron and Tibshirani 1993, chapter 13).

    Raises:
        ValueError: there are no figures.
    """
    n = len(figures)
    if not n:
        raise ValueError("there is no figure to take a mean of")
    generator = np.random.default_rng(seed)
    blocks = np.array_split(np.arange(N_RESAMPLES), max(N_RESAMPLES * n // _DRAWS, 1))
    means = np.concatenate([figures[generator.integers(n, size=(len(block), n))].mean(axis=1) for block in blocks])
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(n, float(figures.mean()), float(low), float(high))
