"""Time of calls and memory of processes."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
_UNIT = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, others kB


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that a call took and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def peak_memory_mb(*, children: bool = False) -> float:
    """Return the peak resident memory in MB of this process, or of its largest child; 0 on Windows."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss / _UNIT


def proportional_memory_mb(process: int | None = None) -> float:
    """Return the proportional set size in MB of this process or another; 0 off Linux and for an ended process."""
    try:
        lines = Path(f"/proc/{process or 'self'}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
