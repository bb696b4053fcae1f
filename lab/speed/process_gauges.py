"""Time and memory of processes and their workers, from /proc.

Off Linux, workers are left out, and the peak counts from the start of the process.
"""

import multiprocessing
import os
import threading
import time
from pathlib import Path
from typing import Self

from jobmatch_core.metrics.gauges import peak_memory_mb, proportional_memory_mb

_SAMPLE_SECONDS = 0.2
# among the fields of /proc/PID/stat behind the name in brackets: utime and stime, and with cutime and cstime
_TIMES, _FAMILY_TIMES = slice(11, 13), slice(11, 15)


def family_processor_seconds() -> float:
    """Return the processor seconds of this process, of its ended children, and of its running worker processes."""
    ended = os.times()
    running = sum(_running_seconds(child.pid) for child in multiprocessing.active_children() if child.pid)
    return time.process_time() + ended.children_user + ended.children_system + running


def process_seconds(process: int) -> float:
    """Return the processor seconds of another process and of its ended children; 0 off Linux and for an ended one."""
    return _running_seconds(process, _FAMILY_TIMES)


def resident_memory_mb() -> float:
    """Return the resident memory of this process now; the highest so far off Linux."""
    resident = _status_mb("VmRSS")
    return peak_memory_mb() if resident is None else resident


class PeakWatch:
    """Measures the peak memory of a `with` block."""

    def __init__(self) -> None:
        # peak resident memory in MB of this process, plus the sampled peak of its workers' proportional set sizes
        self.peak_mb = 0.0
        self._workers_mb = 0.0
        self._over = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        _forget_peak()
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._sampler.join()
        self.peak_mb = sum(self.so_far())

    def so_far(self) -> tuple[float, float]:
        """Return the peak memory in MB since the block began, of this process and of its workers."""
        own = _status_mb("VmHWM")
        return peak_memory_mb() if own is None else own, self._workers_mb

    def _sample(self) -> None:
        while not self._over.wait(_SAMPLE_SECONDS):
            workers = [child.pid for child in multiprocessing.active_children() if child.pid]
            self._workers_mb = max(self._workers_mb, sum(map(proportional_memory_mb, workers)))


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5", "ascii")  # Linux: sets VmHWM to VmRSS
    except OSError:
        return


def _status_mb(field: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), None)


def _running_seconds(pid: int, times: slice = _TIMES) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[times])) / os.sysconf("SC_CLK_TCK")
