"""Gauges of a process and its workers: what they count, as far as this machine tells. No number is expected."""

import multiprocessing
import subprocess
import sys

import numpy as np
import pytest

from lab.speed import process_gauges
from lab.speed.process_gauges import PeakWatch, family_processor_seconds, process_seconds, resident_memory_mb

_MB = 2**20
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's /proc")


def test_processor_time_goes_on() -> None:
    """It never goes back, and work adds to it."""
    before = family_processor_seconds()
    sum(number * number for number in range(200_000))
    assert family_processor_seconds() > before


@linux
def test_another_process() -> None:
    """Its children count once they have ended."""
    work = "sum(range(10_000_000))"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{work}'], check=True); print(); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert process_seconds(process.pid) > process_gauges._running_seconds(process.pid) > 0
        process.communicate()
    assert process_seconds(process.pid) == 0


@linux
def test_a_peak_is_seen_after_it_is_gone() -> None:
    """200 MB held for a moment are in the peak; a later block begins anew."""
    with PeakWatch() as watch:
        np.ones(200 * _MB, dtype=np.uint8)
    assert watch.peak_mb > resident_memory_mb() + 100
    with PeakWatch() as later:
        pass
    assert later.peak_mb < watch.peak_mb - 100


@linux
def test_workers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker process holds and has used is added; one that has ended is no error."""
    monkeypatch.setattr(process_gauges, "_SAMPLE_SECONDS", 0.01)
    worker = multiprocessing.get_context("spawn").Process(target=sorted, args=([],))
    with PeakWatch() as watch:
        worker.start()
        worker.join()
        watch._over.wait(0.05)
    assert watch._workers_mb > 1
    assert process_gauges._running_seconds(worker.pid or 0) == 0


def test_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without /proc the highest memory so far stands for both."""
    monkeypatch.setattr(process_gauges, "Path", lambda path: _Missing())
    monkeypatch.setattr(process_gauges, "peak_memory_mb", lambda: 77.0)
    with PeakWatch() as watch:
        pass
    assert (watch.peak_mb, resident_memory_mb()) == (77.0, 77.0)


class _Missing:
    def read_text(self, encoding: str) -> str:
        raise FileNotFoundError

    def write_text(self, text: str, encoding: str) -> None:
        raise FileNotFoundError
