"""Memory of processes: the most that one has held, and what one adds beside others that share its pages."""

import sys
from pathlib import Path

_UNIT = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, others kB


def peak_memory_mb(*, children: bool = False) -> float:
    """Return the most resident memory in MB of this process, or of its largest child; 0 where Windows does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss / _UNIT


def proportional_memory_mb(process: int | None = None) -> float:
    """Return the proportional set size in MB of this process or another: a page that n share counts 1 / n.

    0 off Linux, and for a process that has ended.
    """
    try:
        lines = Path(f"/proc/{process or 'self'}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
