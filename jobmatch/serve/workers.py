"""Threads for slow calls, in which cancelled calls are dropped, and a queue that links titles of clients in batches."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from math import ceil
from threading import Event
from typing import Any, Generic, TypeVar

from starlette.exceptions import HTTPException

from jobmatch.services.background_call import Background
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult, Progress
from jobmatch_core.linking.context import Titled
from jobmatch_core.linking.link_counts import seconds_left

T = TypeVar("T")

CALLER: ContextVar[str] = ContextVar("caller", default="")  # of the current request
# time of the event loop until which the current request waits for a model or an index; None without a limit
LOADED_BY: ContextVar[float | None] = ContextVar("loaded_by", default=None)
_SOON, _LATEST = 5, 300  # seconds until a request for what is being loaded is worth repeating
_THREADS = 2
_MOST_WAITING = 1000  # calls; one caller has at most `running_calls` of the limits
BATCH = 256  # titles; they take some 100 ms with a full ESCO, and a cancelled request is dropped after its batch
_MOST_QUEUED, _MOST_OF_CALLER = 100_000, 10_000  # waiting titles: of all callers, of one
_GATHERING_SECONDS = 0.004  # wait, so that the next requests of clients who were answered together form one batch


def busy() -> HTTPException:
    """Return the error for a request that would wait too long."""
    detail = "Too many requests are waiting; try again in some seconds."
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"Retry-After": "5"})


class NobodyWaitsError(Exception):
    """The request of a call was cancelled; raised between two pieces of its work."""


@dataclass(eq=False)
class _Call(Generic[T]):
    caller: str
    work: Callable[[Progress], T]
    result: "asyncio.Future[T]"
    cancelled: Event = field(default_factory=Event)

    def run(self) -> T:
        def check(_done: int, _total: int) -> None:
            if self.cancelled.is_set():
                raise NobodyWaitsError

        return self.work(check)


class ThreadsInTurn:
    """Threads with a bounded queue that serves callers in turn, for one event loop."""

    def __init__(self, name: str, threads: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._idle = threads
        self._queues: OrderedDict[str, deque[_Call[Any]]] = OrderedDict()  # caller -> calls; the next caller is first
        self.waiting = 0  # number of running and waiting calls

    async def run(self, work: Callable[[Progress], T]) -> T:
        """Return what *work* returns, and raise what it raises.

        If the waiting task is cancelled, its work is dropped, or ends when it next reports progress.

        Raises HTTPException if too many calls are waiting.
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
            self._drop_waiting(call)

    def close(self) -> None:
        """Cancel the waiting calls; running ones end by themselves."""
        for calls in list(self._queues.values()):
            for call in calls:
                call.result.cancel()
        self._executor.shutdown(wait=False)

    def _drop_waiting(self, call: _Call[Any]) -> None:
        calls = self._queues.get(call.caller, deque())
        if call in calls:
            calls.remove(call)
            self.waiting -= 1
            if not calls:
                del self._queues[call.caller]

    def _start(self) -> None:
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
            running.exception()  # retrieved, so that asyncio does not warn
        elif (error := running.exception()) is not None:
            call.result.set_exception(error)
        else:
            call.result.set_result(running.result())
        self._start()


class Workers:
    """Threads for slow calls, and others for fast reads, which do not wait behind them."""

    def __init__(self) -> None:
        self._long, self._reads = ThreadsInTurn("serve", _THREADS), ThreadsInTurn("read", _THREADS)

    @property
    def waiting(self) -> int:
        """Number of running and waiting calls."""
        return self._long.waiting + self._reads.waiting

    async def run(self, call: Callable[[], T]) -> T:
        """Return the result of a call; see `ThreadsInTurn.run`."""
        return await self._long.run(lambda _progress: call())

    async def run_in_pieces(self, work: Callable[[Progress], T]) -> T:
        """Return the result of work that reports its progress; see `ThreadsInTurn.run`."""
        return await self._long.run(work)

    async def read(self, call: Callable[[], T]) -> T:
        """Return the result of a call of some milliseconds; see `ThreadsInTurn.run`."""
        return await self._reads.run(lambda _progress: call())

    def close(self) -> None:
        """Cancel the waiting calls; running ones end by themselves."""
        self._long.close()
        self._reads.close()


async def loaded(load: Background[T]) -> T:
    """Return what another thread loads, or raise its error, without blocking a thread.

    Raises HTTPException if it is not loaded in the time of this request; the other thread goes on, for later requests.
    """
    if not load.future.done():
        until = LOADED_BY.get()
        waiting = asyncio.wrap_future(load.future)
        waiting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # raised by `result`, below
        # not `wait_for`, which would cancel the load
        seconds = None if until is None else max(until - asyncio.get_running_loop().time(), 0)
        await asyncio.wait([waiting], timeout=seconds)
        if not load.future.done():
            raise _still_loading(load)
    return load.result()


def _still_loading(load: Background[Any]) -> HTTPException:
    done, total = load.done, load.total
    left = seconds_left(done, total, load.reported - load.begun) if done < total else None
    seconds = min(max(ceil(left or 0), _SOON), _LATEST)
    progress = f", {done:,} of {total:,} done in this step" if total else ""
    detail = (
        f"The model or index of this request is still being loaded or built{progress}; that goes on in the background. "
        f"Send the request again in about {seconds:,} s."
    )
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"Retry-After": str(seconds)})


@dataclass(eq=False)
class _LinkRequest:
    caller: str
    titles: Sequence[Titled]
    options: LinkOptions
    answer: "asyncio.Future[list[LinkResult]]"
    results: list[LinkResult] = field(default_factory=list)

    @property
    def left(self) -> int:
        return len(self.titles) - len(self.results)


class LinkQueue:
    """Links titles for the tasks of one event loop, those of several tasks in one batch."""

    def __init__(self, service: LinkingService) -> None:
        self._service = service
        self._waiting: list[_LinkRequest] = []
        self._arrived = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Number of waiting titles."""
        return sum(request.left for request in self._waiting)

    async def link(self, titles: Sequence[Titled], options: LinkOptions) -> list[LinkResult]:
        """Return the links of titles, at once if there are none; a cancelled task's remaining titles are dropped.

        Raises:
            JobMatchError: the linker cannot be opened, or not with these options.
            HTTPException: too many titles are waiting.
        """
        if not titles:
            return []
        await loaded(self._service.opening(options))  # building an index must not delay other linkers
        caller = CALLER.get()
        of_caller = sum(request.left for request in self._waiting if request.caller == caller)
        if self.waiting + len(titles) > _MOST_QUEUED or of_caller + len(titles) > _MOST_OF_CALLER:
            raise busy()
        request = _LinkRequest(caller, titles, options, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        self._arrived.set()
        return await request.answer

    async def run(self) -> None:
        """Link the titles that arrive, until this task is cancelled."""
        with ThreadPoolExecutor(1, thread_name_prefix="link") as thread:
            while True:
                await self._arrived.wait()
                if batch := self._next_batch():
                    await self._link(batch, thread)
                    if len(batch) > 1:
                        await asyncio.sleep(_GATHERING_SECONDS)
                else:
                    self._arrived.clear()

    def _next_batch(self) -> list[tuple[_LinkRequest, int]]:
        """Return the next requests, with the options of the one that waits longest, and how many titles of each."""
        self._waiting = [request for request in self._waiting if not request.answer.done() and request.left]
        if not self._waiting:
            return []
        # at most one request per title of a batch, so that new requests do not overtake old ones
        alike = [request for request in self._waiting if request.options == self._waiting[0].options][:BATCH]
        callers: dict[str, list[_LinkRequest]] = {}
        for request in alike:
            callers.setdefault(request.caller, []).append(request)
        batch, room = [], BATCH
        fewest_first = sorted(callers.values(), key=lambda requests: sum(request.left for request in requests))
        for place, requests in enumerate(fewest_first):
            shares = _shared(requests, room // (len(callers) - place))
            batch += shares
            room -= sum(share for _, share in shares)
        return batch

    async def _link(self, batch: list[tuple[_LinkRequest, int]], thread: ThreadPoolExecutor) -> None:
        titles = [
            title
            for request, share in batch
            for title in request.titles[len(request.results) : len(request.results) + share]
        ]
        options = batch[0][0].options
        try:
            loop = asyncio.get_running_loop()
            results = await loop.run_in_executor(thread, self._service.link, titles, options)
        except Exception as error:  # passed on to the waiting requests
            for request, _ in batch:
                if not request.answer.done():
                    request.answer.set_exception(error)
            return
        start = 0
        for request, share in batch:
            request.results.extend(results[start : start + share])
            start += share
            if not request.left and not request.answer.done():
                request.answer.set_result(request.results)
        # partly linked requests wait behind the others
        served = {id(request) for request, _ in batch}
        self._waiting.sort(key=lambda request: id(request) in served)


def _shared(requests: Sequence[_LinkRequest], room: int) -> list[tuple[_LinkRequest, int]]:
    """Return how many titles of each request are linked next: an equal share of the room."""
    shares = []
    for place, request in enumerate(sorted(requests, key=lambda request: request.left)):
        share = min(request.left, room // (len(requests) - place))
        if share:
            shares.append((request, share))
            room -= share
    return shares
