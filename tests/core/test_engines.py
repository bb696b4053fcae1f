"""Engines: order of results, few tasks drawn ahead, and reports of lost workers."""

import os
import resource
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core import engines
from jobmatch_core.engines import DaskCluster, InProcess, Processes, _PoolContext, opened_engine
from jobmatch_core.errors import DataFileError, EngineError, SettingsError


def square(number: int) -> int:
    """Run a task; the first takes longest."""
    time.sleep(0.2 if number == 0 else 0)
    return number * number


def fail(number: int) -> int:
    """Fail as a damaged file does."""
    raise DataFileError(Path("adverts.csv"), "it is damaged", line=number)


def die(number: int) -> int:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_writing(number: int) -> bytes:
    """Kill this process while it writes half of the result."""

    def write_half(connection: Connection, result: bytes) -> None:
        os.write(connection.fileno(), struct.pack("!i", len(result)) + result[: len(result) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    if number == 0:
        Connection._send_bytes = write_half  # type: ignore[attr-defined]
    return bytes(1000)


def threads(_: int) -> str:
    """Say how many threads a call may have."""
    return os.environ.get("OMP_NUM_THREADS", "")


def test_in_process_tasks_are_drawn_one_by_one() -> None:
    """A task is drawn only after the previous result was taken."""
    drawn: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(5):
            drawn.append(number)
            yield number

    results = InProcess().map(square, tasks())
    assert next(results) == 0
    assert drawn == [0]


@pytest.mark.thorough
def test_processes() -> None:
    """Results are in order, few tasks are drawn ahead, errors keep their fields, and a killed worker is reported."""
    drawn: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(20):
            drawn.append(number)
            yield number

    with Processes(2) as engine:
        results = engine.map(square, tasks())
        assert next(results) == 0
        assert len(drawn) == 4
        assert list(results) == [number * number for number in range(1, 20)]
        assert list(engine.map(threads, [0])) == ["1"]
        with pytest.raises(DataFileError) as caught:
            list(engine.map(fail, [7]))
        assert (str(caught.value), caught.value.line) == ("adverts.csv, line 7: it is damaged", 7)
        with pytest.raises(EngineError, match=r"worker process ended"):
            list(engine.map(die, [0]))


@pytest.mark.thorough
def _grown(size: int) -> float:
    """Fill 32 blocks, free all but the last, and return the growth of this process in MB."""
    before = _resident()
    blocks = [np.ones(size, dtype=np.uint8) for _ in range(32)]
    del blocks[:-1]
    return (_resident() - before) / 1e6


def _resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="the C library of Linux alone is told to")
def test_a_worker_gives_its_memory_back() -> None:
    """Of 32 blocks of 4 MB only the last stays, even after a larger block, which would raise glibc's threshold."""
    with Processes(1) as engine:
        grown = list(engine.map(_grown, [4 << 20, 16 << 20, 4 << 20]))
    assert max(grown[0], grown[2]) < 16


@pytest.mark.thorough
def test_a_worker_killed_while_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the pool would wait for the rest of the result for ever."""
    monkeypatch.setattr(engines, "_NOTICE_SECONDS", 1.0)
    with Processes(2) as engine, pytest.raises(EngineError, match=r"worker process ended"):
        list(engine.map(die_writing, range(4)))


def test_results_whose_end_two_threads_tell() -> None:
    """The second thread finds the connection closed, and closes no other file descriptor."""
    results = _PoolContext("spawn").SimpleQueue()
    writer, closed = results._writer, []  # type: ignore[attr-defined]
    close = writer._close

    def close_slowly() -> None:
        closed.append(True)
        time.sleep(0.05)
        close()

    writer._close = close_slowly
    first = threading.Thread(target=results.end)
    first.start()
    results.close()
    first.join()
    assert closed == [True]


@pytest.mark.thorough
@pytest.mark.filterwarnings("default::ResourceWarning", "default::DeprecationWarning")  # Dask's own
def test_a_dask_cluster_on_this_machine() -> None:
    """The same results in the same order as with processes."""
    with opened_engine("dask", 1) as engine:
        assert list(engine.map(square, range(5))) == [0, 1, 4, 9, 16]


class _Failing:
    """A client and its future that fail like Dask's without a connection, or like a task on a full disk."""

    def __init__(self, status: str, error: OSError, *, may_submit: bool = True) -> None:
        self.status, self._error, self._may_submit = status, error, may_submit

    def nthreads(self) -> dict[str, int]:
        if not self._may_submit:
            raise self._error
        return {"tcp://127.0.0.1:1": 1}

    def submit(self, *_: object, **__: object) -> "_Failing":
        return self

    def result(self) -> int:
        raise self._error


@pytest.mark.parametrize("may_submit", [False, True])
@pytest.mark.parametrize("status", ["cancelled", "finished"])
def test_a_scheduler_that_is_gone(status: str, may_submit: bool) -> None:
    """The error names the scheduler, although Dask raises a plain OSError when it reconnects."""
    gone = OSError("Timed out trying to connect to tcp://127.0.0.1:8786 after 30 s")
    with pytest.raises(EngineError, match="connection to the Dask scheduler was lost") as caught:
        list(DaskCluster(_Failing(status, gone, may_submit=may_submit)).map(square, [1]))
    assert caught.value.__cause__ is gone


def test_an_error_beside_a_scheduler_that_answers() -> None:
    """A full disk is not reported as a lost scheduler."""
    with pytest.raises(OSError, match="No space left"):
        list(DaskCluster(_Failing("error", OSError("No space left on device"))).map(square, [1]))


def test_the_local_engine() -> None:
    """One worker runs in this process."""
    with opened_engine() as engine:
        assert isinstance(engine, InProcess)
    with opened_engine("local", 0) as engine:
        assert isinstance(engine, Processes) == ((os.cpu_count() or 1) > 1)


def test_an_engine_that_does_not_exist() -> None:
    """The message lists the existing ones."""
    with pytest.raises(SettingsError, match="no engine 'spark'; give local, dask or"), opened_engine("spark"):
        pass


@pytest.mark.filterwarnings("default::ResourceWarning", "default::DeprecationWarning")  # Dask's own
def test_nobody_answers() -> None:
    """Includes an address with a protocol that Dask does not know."""
    with pytest.raises(EngineError, match="No Dask scheduler answers at nothing://x"), opened_engine("nothing://x"):
        pass
