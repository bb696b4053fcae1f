"""The limit that servers keep together: by allotments, in processes of their own, and alone without their store."""

import asyncio
import logging
import threading
from collections.abc import Callable
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from db.label_store import LabelStore
from db.request_buckets import Allotment
from jobmatch.serve import rate_limit
from jobmatch.serve.rate_limit import SharedRateLimit
from jobmatch_core.errors import LabelStoreUnavailableError
from tests.jobmatch.serve import eager_callers
from tests.jobmatch.serve.own_loop import finished

A_MINUTE = 60


class Store:
    """A store of which the test says what it answers; *now* is the servers' time."""

    def __init__(self, *answers: Allotment | Exception) -> None:
        self.answers = list(answers)
        self.asked = 0
        self.now = 100.0

    def take(self, _caller: str, _a_minute: int) -> Allotment:
        """Return or raise the next answer."""
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def limit(self, a_minute: int = A_MINUTE) -> SharedRateLimit:
        """Return a server's limit."""
        return SharedRateLimit(a_minute, self.take, lambda: self.now)


def waits(limit: SharedRateLimit, requests: int, caller: str = "a") -> list[float]:
    """Return what some requests, one after the other, are told."""

    async def asked() -> list[float]:
        return [await limit.wait(caller) for _ in range(requests)]

    return finished(asked())


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_two_processes(
    fork_from: Callable[..., ForkServerContext], request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    """Each asks for twice the limit at the same time; together they let through the limit, to the request."""
    where = str(request.getfixturevalue("postgres_url") if database == "postgresql" else tmp_path / "jobmatch.db")
    LabelStore.open(where).close()
    forks = fork_from(eager_callers.__name__)
    barrier, pipes, processes = forks.Barrier(2), [], []
    for _ in range(2):
        receiver, sender = forks.Pipe(duplex=False)
        processes.append(forks.Process(target=eager_callers.serve, args=(where, A_MINUTE, barrier, sender)))
        processes[-1].start()
        sender.close()
        pipes.append(receiver)
    assert sum(pipe.recv() for pipe in pipes) == A_MINUTE
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]


def test_the_store_is_asked_once_for_many_requests() -> None:
    """Also when many come at once; refusals are remembered until there are requests again."""
    store = Store(Allotment(5, 0.0), Allotment(0, 7.0), Allotment(1, 0.0))
    limit = store.limit()

    async def at_once() -> list[float]:
        return list(await asyncio.gather(*(limit.wait("a") for _ in range(5))))

    assert finished(at_once()) == [0.0] * 5
    assert store.asked == 1
    assert waits(limit, 3) == [7.0] * 3
    store.now += 3
    assert waits(limit, 1) == [4.0]
    assert store.asked == 2
    store.now += 4
    assert waits(limit, 1) == [0.0]


def test_an_allotment_lapses() -> None:
    """After a minute, in which the bucket that it was taken from is full again."""
    store = Store(Allotment(5, 0.0), Allotment(0, 9.0))
    limit = store.limit()
    assert waits(limit, 1) == [0.0]
    store.now += 61
    assert waits(limit, 1) == [9.0]


def test_without_the_store_each_counts_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    """It is said once when that begins, and once when it ends; the store is asked again after ten seconds."""
    gone = LabelStoreUnavailableError("It is gone.")
    store = Store(gone, gone, Allotment(1, 0.0), Allotment(0, 5.0))
    limit = store.limit(2)
    with caplog.at_level(logging.WARNING):
        assert waits(limit, 3) == [0.0, 0.0, pytest.approx(30)]
        assert waits(limit, 1, "b") == [0.0]
        assert store.asked == 1
        store.now += 10
        assert waits(limit, 2) == [pytest.approx(20), pytest.approx(20)]
        assert store.asked == 2
        assert [record.message for record in caplog.records] == ["This server counts requests by itself: It is gone."]
        store.now += 10
        assert waits(limit, 2) == [0.0, 5.0]
    assert [record.message for record in caplog.records][1:] == [
        "Requests are counted together with other servers again."
    ]


def test_a_store_that_hangs(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Is waited for no longer than a moment."""
    monkeypatch.setattr(rate_limit, "_PATIENCE_SECONDS", 0.01)

    tested = threading.Event()

    def hang(_caller: str, _a_minute: int) -> Allotment:
        tested.wait(60)
        return Allotment(0, 60.0)

    async def two() -> list[float]:
        try:
            return [await limit.wait("a"), await limit.wait("a")]
        finally:
            tested.set()

    limit = SharedRateLimit(2, hang)
    with caplog.at_level(logging.WARNING):
        assert finished(two()) == [0.0, 0.0]
    assert "takes too long" in caplog.text


def test_no_limit() -> None:
    """0 asks for nothing."""
    store = Store()
    assert waits(store.limit(0), 9) == [0.0] * 9
    assert store.asked == 0


def test_callers_that_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was there the longest time ago; it is asked for once more."""
    monkeypatch.setattr(rate_limit, "MOST_CALLERS", 2)
    store = Store(*[Allotment(9, 0.0)] * 4)
    limit = store.limit()
    for caller in ("a", "b", "a", "c", "a"):
        assert waits(limit, 1, caller) == [0.0]
    assert store.asked == 3
    assert waits(limit, 1, "b") == [0.0]
    assert store.asked == 4
