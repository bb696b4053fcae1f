"""Threads in front of which callers take turns, and work that nobody waits for any more."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from threading import Event
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from jobmatch.serve import workers
from jobmatch.serve.workers import CALLER, ThreadsInTurn, Workers, loaded
from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress
from tests.jobmatch.own_loop import finished


def served(threads: int, work: Callable[[ThreadsInTurn], Awaitable[Any]]) -> Any:
    """Return the result of work with threads."""

    async def run() -> Any:
        pool = ThreadsInTurn("test", threads)
        try:
            return await work(pool)
        finally:
            pool.close()

    return finished(run())


class Gate:
    """Work that starts, and ends when the test allows it."""

    def __init__(self) -> None:
        self.begun, self.opened = Future[None](), Event()

    def __call__(self, progress: Progress) -> str:
        """Wait until the gate opens, then report progress."""
        self.begun.set_result(None)
        assert self.opened.wait(60)
        progress(1, 2)
        return "through"


async def call_as(pool: ThreadsInTurn, caller: str, work: Callable[[Progress], Any]) -> Any:
    """Run work as a caller."""
    CALLER.set(caller)
    return await pool.run(work)


def test_callers_take_turns() -> None:
    """A caller waits for only one of another caller's four calls."""

    async def work(pool: ThreadsInTurn) -> list[str]:
        gate, order = Gate(), list[str]()
        first = asyncio.create_task(call_as(pool, "busy", gate))
        await asyncio.wrap_future(gate.begun)
        calls = [
            asyncio.create_task(call_as(pool, caller, lambda _, caller=caller: order.append(caller)))
            for caller in ("busy", "busy", "busy", "other", "other")
        ]
        await asyncio.sleep(0)  # all of them wait
        gate.opened.set()
        await asyncio.gather(first, *calls)
        return order

    assert served(1, work) == ["busy", "other", "busy", "other", "busy"]


def test_errors_are_raised() -> None:
    """The thread continues with the next call."""

    def fail(_progress: Progress) -> None:
        raise ValueError("no")

    async def work(pool: ThreadsInTurn) -> str:
        with pytest.raises(ValueError, match="no"):
            await pool.run(fail)
        return await pool.run(lambda _: "yes")

    assert served(1, work) == "yes"


def test_cancelled_work_ends_at_its_next_piece() -> None:
    """The thread is free again; a waiting call never starts."""
    gate, ended, never = Gate(), Event(), list[int]()

    def long(progress: Progress) -> None:
        try:
            gate(progress)
            never.append(1)
        finally:
            ended.set()

    async def work(pool: ThreadsInTurn) -> int:
        running = asyncio.create_task(pool.run(long))
        waiting = asyncio.create_task(pool.run(lambda _: never.append(2)))
        await asyncio.wrap_future(gate.begun)
        for task in (running, waiting):
            task.cancel()
        await asyncio.wait([running, waiting])
        gate.opened.set()
        await pool.run(lambda _: None)
        return pool.waiting

    assert served(1, work) == 0
    assert ended.is_set()
    assert not never


def test_cancelled_calls_count_no_more() -> None:
    """Also while the threads are busy."""

    async def work(pool: ThreadsInTurn) -> int:
        gate = Gate()
        running = asyncio.create_task(pool.run(gate))
        await asyncio.wrap_future(gate.begun)
        waiting = [asyncio.create_task(pool.run(lambda _: None)) for _ in range(5)]
        await asyncio.sleep(0)
        assert pool.waiting == 6
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        left = pool.waiting
        gate.opened.set()
        await running
        return left

    assert served(1, work) == 1


def test_calls_that_wait_when_the_server_stops() -> None:
    """They are cancelled."""

    async def work(pool: ThreadsInTurn) -> bool:
        gate = Gate()
        running = asyncio.create_task(pool.run(gate))
        await asyncio.wrap_future(gate.begun)
        waiting = asyncio.create_task(pool.run(lambda _: None))
        await asyncio.sleep(0)
        pool.close()
        await asyncio.wait([waiting])
        gate.opened.set()
        await running
        return waiting.cancelled()

    assert served(1, work)


def test_too_many_calls_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says to try again."""
    monkeypatch.setattr(workers, "_MOST_WAITING", 100)

    async def work(pool: ThreadsInTurn) -> HTTPException:
        gate = Gate()
        tasks = [asyncio.create_task(pool.run(gate if not number else lambda _: None)) for number in range(100)]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException) as refused:
            await pool.run(lambda _: None)
        gate.opened.set()
        await asyncio.gather(*tasks)
        return refused.value

    refused = served(1, work)
    assert (refused.status_code, refused.headers) == (503, {"Retry-After": "5"})


def test_reads_do_not_wait_behind_long_calls() -> None:
    """Behind any number of them."""

    async def work() -> str:
        pools, gates = Workers(), [Gate() for _ in range(8)]
        tasks = [asyncio.create_task(pools.run_in_pieces(gate)) for gate in gates]
        await asyncio.wrap_future(gates[0].begun)
        assert pools.waiting == 8
        answer = await pools.read(lambda: "read")
        for gate in gates:
            gate.opened.set()
        await asyncio.gather(*tasks)
        pools.close()
        return answer

    assert finished(work()) == "read"


def test_a_load_outlives_who_waits_for_it() -> None:
    """A cancelled request does not cancel a shared load."""
    gate = Gate()

    async def work() -> str:
        load = Background(gate)
        impatient = asyncio.create_task(loaded(load))
        await asyncio.wrap_future(gate.begun)
        impatient.cancel()
        await asyncio.wait([impatient])
        gate.opened.set()
        return await loaded(load)

    assert finished(work()) == "through"
