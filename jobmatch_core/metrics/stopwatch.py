"""Timing of a function call."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result
