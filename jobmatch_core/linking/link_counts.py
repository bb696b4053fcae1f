"""Counts of a list of links by probability, and the time left."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ProbabilityBin:
    """Number of links with a probability from `start` up to `end`."""

    start: float
    end: float
    count: int


def count_probabilities(probabilities: Sequence[float], *, n_bins: int = 20) -> list[ProbabilityBin]:
    """Count probabilities in bins of equal width from 0 to 1."""
    counts, edges = np.histogram(np.asarray(probabilities, dtype=float), bins=n_bins, range=(0.0, 1.0))
    return [
        ProbabilityBin(round(float(start), 4), round(float(end), 4), int(count))
        for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]


def seconds_left(done: int, total: int, elapsed: float) -> float | None:
    """Return the estimated remaining seconds at the speed so far; None if nothing is done yet."""
    return elapsed / done * (total - done) if done else None
