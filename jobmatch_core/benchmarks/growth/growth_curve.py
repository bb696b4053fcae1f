"""Curves: what a step took at each size, and the power of the size that this grows with."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_LEAST_MB, _LEAST_S = 1.0, 1e-6  # less is not told from nothing
_TOLERANCE = 0.1  # of an exponent; timings of a shared machine are no better


@dataclass(frozen=True, slots=True)
class Point:
    """Cost of a step at one size.

    Attributes:
        size: size of the data.
        wall_s: median seconds of the clock.
        processor_s: median seconds of processor time, of this process and its children.
        peak_mb: highest resident memory in MB during the step, above that before the data were prepared.
    """

    size: int
    wall_s: float
    processor_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A step over all sizes of a series.

    Attributes:
        series, unit: name of the series, and what its sizes count.
        step: name of the step.
        points: by ascending size, two or more.
        by_wall: the exponents are those of wall time, not of processor time.
    """

    series: str
    unit: str
    step: str
    points: tuple[Point, ...]
    by_wall: bool = False

    @property
    def sizes(self) -> list[int]:
        """The sizes, ascending."""
        return [point.size for point in self.points]

    @property
    def seconds(self) -> list[float]:
        """The seconds that the exponents are fitted to."""
        return [max(point.wall_s if self.by_wall else point.processor_s, _LEAST_S) for point in self.points]

    @property
    def peaks(self) -> list[float]:
        """The memory in MB."""
        return [max(point.peak_mb, _LEAST_MB) for point in self.points]

    @property
    def exponent(self) -> float:
        """The exponent of time over all sizes; fixed costs lower it."""
        return fitted(self.sizes, self.seconds)[0]

    @property
    def last_exponent(self) -> float:
        """The exponent of time between the two largest sizes, where fixed costs matter least and noise most."""
        return fitted(self.sizes[-2:], self.seconds[-2:])[0]

    @property
    def memory_exponent(self) -> float:
        """The exponent of memory over all sizes."""
        return fitted(self.sizes, self.peaks)[0]

    @property
    def faster_than_linearithmic(self) -> bool:
        """True if time grows faster than n log n, over all sizes or at the end, by more than the noise."""
        allowed = (_linearithmic(self.sizes), _linearithmic(self.sizes[-2:]))
        return any(
            exponent > most + _TOLERANCE
            for exponent, most in zip((self.exponent, self.last_exponent), allowed, strict=True)
        )


def fitted(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the exponent p and the factor c of c * size ** p, by least squares of the logarithms.

    Args:
        sizes: positive, two different ones or more.
        values: positive, one per size.
    """
    exponent, constant = np.polyfit(np.log(sizes), np.log(values), 1)
    return float(exponent), float(np.exp(constant))


def _linearithmic(sizes: Sequence[int]) -> float:
    """Return the exponent that n log n has over the same sizes."""
    return fitted(sizes, [size * math.log(size + 1) for size in sizes])[0]
