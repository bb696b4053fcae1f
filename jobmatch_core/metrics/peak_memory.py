"""The most memory that a process has held."""

import sys

_UNIT = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, others kB


def peak_memory_mb(*, children: bool = False) -> float:
    """Return the most resident memory in MB of this process, or of its largest child; 0 where Windows does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss / _UNIT
