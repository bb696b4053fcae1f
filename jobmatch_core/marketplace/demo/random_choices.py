"""Reproducible random choices; the numbers are drawn by thousands, since one at a time is slow."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
_AT_ONCE = 4096


class RandomChoices:
    """Random choices that depend only on the seed and their order."""

    def __init__(self, seed: Sequence[int]) -> None:
        """Start an independent stream for each *seed*."""
        self._shares = _endless(np.random.default_rng(seed))

    def share(self) -> float:
        """Return a number from 0 up to but not including 1."""
        return next(self._shares)

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return next(self._shares) < probability

    def between(self, lowest: int, highest: int) -> int:
        """Return a whole number from *lowest* to *highest*."""
        return lowest + int(next(self._shares) * (highest - lowest + 1))

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of several."""
        return choices[int(next(self._shares) * len(choices))]

    def some_of(self, choices: Sequence[T], count: int) -> list[T]:
        """Return distinct choices in random order, *count* or as many as there are."""
        left = list(choices)
        for place in range(min(count, len(left))):
            other = self.between(place, len(left) - 1)
            left[place], left[other] = left[other], left[place]
        return left[:count]

    def weighted(self, cumulative: Sequence[float]) -> int:
        """Return a random index of a list of cumulative weights."""
        return bisect(cumulative, next(self._shares) * cumulative[-1], hi=len(cumulative) - 1)


def _endless(generator: np.random.Generator) -> Iterator[float]:
    while True:
        yield from generator.random(_AT_ONCE).tolist()
