"""Threads for what takes long, so that the event loop stays free; cancelled calls are dropped before they start.

A queue stands in front of the linker: what many clients ask at once is linked in batches, which costs far less.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from threading import Event
from typing import Any, Generic, TypeVar

from starlette.exceptions import HTTPException

from jobmatch.services.background_call import Background
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult, Progress

T = TypeVar("T")

CALLER: ContextVar[str] = ContextVar("caller", default="")  # who sends the request at hand
_THREADS = 2
_MOST_WAITING = 1000  # calls; of one caller, `running_calls` of the limits
BATCH = 256  # titles; some 100 ms of a full ESCO, after which a cancelled request costs nothing more
_MOST_QUEUED, _MOST_OF_CALLER = 100_000, 10_000  # titles that wait, and those of one caller
_GATHERING_SECONDS = 0.004  # for the next requests of clients who were answered together


def busy() -> HTTPException:
    """Return the error for a request that would have to wait too long."""
    detail = "Too many requests are waiting; try again in some seconds."
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"Retry-After": "5"})


class NobodyWaitsError(Exception):
    """The request of a call was cancelled."""


@dataclass(eq=False)
class _Call(Generic[T]):
    """A call of somebody's, and the future of its result."""

    caller: str
    work: Callable[[Progress], T]
    result: "asyncio.Future[T]"
    cancelled: Event = field(default_factory=Event)

    def run(self) -> T:
        """Do the work; raises NobodyWaitsError between two pieces of a cancelled call."""
        return self.work(self._between_pieces)

    def _between_pieces(self, _done: int, _total: int) -> None:
        if self.cancelled.is_set():
            raise NobodyWaitsError


class ThreadsInTurn:
    """A few threads, and a queue of bounded length in front of them, from which callers are served in turn.

    For one event loop.

    Attributes:
        waiting: number of calls that run or wait.
    """

    def __init__(self, name: str, threads: int) -> None:
        """Start no thread yet."""
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._idle = threads
        self._queues: OrderedDict[str, deque[_Call[Any]]] = OrderedDict()  # caller -> calls; who is next stands first
        self.waiting = 0

    async def run(self, work: Callable[[Progress], T]) -> T:
        """Return what *work* returns, and raise what it raises.

        If the waiting task is cancelled, work that has not begun never does; work that has begun ends when it next
        reports its progress.

        Raises:
            HTTPException: too many calls are waiting.
        """
        if self.waiting >= _MOST_WAITING:
            raise busy()
        call: _Call[T] = _Call(CALLER.get(), work, asyncio.get_running_loop().create_future())
        self._queues.setdefault(call.caller, deque()).append(call)
        self.waiting += 1
        self._start()
        try:
            return await call.result
        finally:
            call.cancelled.set()
            self._forget(call)

    def close(self) -> None:
        """Cancel the calls that wait, and wait for none of those that run."""
        for calls in list(self._queues.values()):
            for call in calls:
                call.result.cancel()
        self._executor.shutdown(wait=False)

    def _forget(self, call: _Call[Any]) -> None:
        """Take a call that has not begun out of its queue."""
        calls = self._queues.get(call.caller, deque())
        if call in calls:
            calls.remove(call)
            self.waiting -= 1
            if not calls:
                del self._queues[call.caller]

    def _start(self) -> None:
        """Give the idle threads work."""
        while self._idle and self._queues:
            caller, calls = self._queues.popitem(last=False)
            call = calls.popleft()
            if calls:
                self._queues[caller] = calls  # behind the others
            self._idle -= 1
            running = asyncio.get_running_loop().run_in_executor(self._executor, call.run)
            running.add_done_callback(partial(self._ended, call))

    def _ended(self, call: _Call[Any], running: "asyncio.Future[Any]") -> None:
        self._idle += 1
        self.waiting -= 1
        if running.cancelled():  # the server stops
            call.result.cancel()
        elif call.result.done():
            running.exception()  # is looked at, so that asyncio does not complain of it
        elif (error := running.exception()) is not None:
            call.result.set_exception(error)
        else:
            call.result.set_result(running.result())
        self._start()


class Workers:
    """Threads for what takes long, and others for cheap reads, which need not wait behind it."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._long, self._reads = ThreadsInTurn("serve", _THREADS), ThreadsInTurn("read", _THREADS)

    @property
    def waiting(self) -> int:
        """Number of calls that run or wait."""
        return self._long.waiting + self._reads.waiting

    async def run(self, call: Callable[[], T]) -> T:
        """Return what a call returns; see `ThreadsInTurn.run`."""
        return await self._long.run(lambda _progress: call())

    async def run_in_pieces(self, work: Callable[[Progress], T]) -> T:
        """Return what work returns that reports its progress; see `ThreadsInTurn.run`."""
        return await self._long.run(work)

    async def read(self, call: Callable[[], T]) -> T:
        """Return what a call returns that takes milliseconds; see `ThreadsInTurn.run`."""
        return await self._reads.run(lambda _progress: call())

    def close(self) -> None:
        """Wait for no call, and begin none any more."""
        self._long.close()
        self._reads.close()


async def loaded(load: Background[T]) -> T:
    """Return what another thread loads, without keeping a thread waiting; raises what it raised."""
    if not load.future.done():
        await asyncio.shield(asyncio.wrap_future(load.future))
    return load.result()


@dataclass(eq=False)
class _Asked:
    """A request: its titles, and as many results as there are so far."""

    caller: str
    titles: Sequence[str]
    options: LinkOptions
    answer: "asyncio.Future[list[LinkResult]]"
    results: list[LinkResult] = field(default_factory=list)

    @property
    def left(self) -> int:
        return len(self.titles) - len(self.results)


class LinkQueue:
    """Links titles for any number of tasks of one event loop."""

    def __init__(self, service: LinkingService) -> None:
        """Link by *service*; nothing is linked until `run` runs."""
        self._service = service
        self._waiting: list[_Asked] = []
        self._arrived = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Number of titles that are not linked yet."""
        return sum(asked.left for asked in self._waiting)

    async def link(self, titles: Sequence[str], options: LinkOptions) -> list[LinkResult]:
        """Return the links of titles; of a task that is cancelled no further titles are linked.

        Raises:
            JobMatchError: the linker cannot be opened, or not with these options.
            HTTPException: too many titles are waiting.
        """
        await loaded(self._service.opening(options))  # building an index must not hold up other linkers
        caller = CALLER.get()
        of_caller = sum(asked.left for asked in self._waiting if asked.caller == caller)
        if self.waiting + len(titles) > _MOST_QUEUED or of_caller + len(titles) > _MOST_OF_CALLER:
            raise busy()
        asked = _Asked(caller, titles, options, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        self._arrived.set()
        return await asked.answer

    async def run(self) -> None:
        """Link what arrives, until this task is cancelled."""
        with ThreadPoolExecutor(1, thread_name_prefix="link") as thread:
            while True:
                await self._arrived.wait()
                if batch := self._next_batch():
                    await self._link(batch, thread)
                    if len(batch) > 1:
                        await asyncio.sleep(_GATHERING_SECONDS)
                else:
                    self._arrived.clear()

    def _next_batch(self) -> list[tuple[_Asked, int]]:
        """Return who is linked next, all with the options of who waits longest, and how many titles of each."""
        self._waiting = [asked for asked in self._waiting if not asked.answer.done() and asked.left]
        if not self._waiting:
            return []
        # no more than get a title each, so that new requests do not pass old ones
        alike = [asked for asked in self._waiting if asked.options == self._waiting[0].options][:BATCH]
        callers: dict[str, list[_Asked]] = {}
        for asked in alike:
            callers.setdefault(asked.caller, []).append(asked)
        batch, room = [], BATCH
        fewest_first = sorted(callers.values(), key=lambda requests: sum(asked.left for asked in requests))
        for place, requests in enumerate(fewest_first):
            shares = _shared(requests, room // (len(callers) - place))
            batch += shares
            room -= sum(share for _, share in shares)
        return batch

    async def _link(self, batch: list[tuple[_Asked, int]], thread: ThreadPoolExecutor) -> None:
        titles = [
            title for asked, share in batch for title in asked.titles[len(asked.results) : len(asked.results) + share]
        ]
        options = batch[0][0].options
        try:
            loop = asyncio.get_running_loop()
            results = await loop.run_in_executor(thread, self._service.link, titles, options)
        except Exception as error:  # handed to whoever asked
            for asked, _ in batch:
                if not asked.answer.done():
                    asked.answer.set_exception(error)
            return
        start = 0
        for asked, share in batch:
            asked.results.extend(results[start : start + share])
            start += share
            if not asked.left and not asked.answer.done():
                asked.answer.set_result(asked.results)
        # who got only a part waits behind the others
        served = {id(asked) for asked, _ in batch}
        self._waiting.sort(key=lambda asked: id(asked) in served)


def _shared(requests: Sequence[_Asked], room: int) -> list[tuple[_Asked, int]]:
    """Return how many titles of each request are linked next, as many of each as there is room for."""
    shares = []
    for place, asked in enumerate(sorted(requests, key=lambda request: request.left)):
        share = min(asked.left, room // (len(requests) - place))
        if share:
            shares.append((asked, share))
            room -= share
    return shares
