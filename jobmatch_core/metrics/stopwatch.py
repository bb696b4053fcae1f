"""How long something takes."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that it took, and what came of it."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result
