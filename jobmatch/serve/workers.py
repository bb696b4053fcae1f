"""Threads for what takes long, so that the event loop stays free; what nobody waits for any more is not begun.

A queue stands in front of the linker: what many clients ask at once is linked in batches, which costs far less.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar

from starlette.exceptions import HTTPException

from jobmatch.services.background_call import Background
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult

T = TypeVar("T")

_THREADS = 2
_MOST_WAITING = 100
_POLL_SECONDS = 0.02


def busy() -> HTTPException:
    """Return the error for a request that would have to wait too long."""
    detail = "Too many requests are waiting; try again in some seconds."
    return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"Retry-After": "5"})


class Workers:
    """A few threads, and a queue of bounded length in front of them.

    Attributes:
        waiting: number of calls that have begun or wait to.
    """

    def __init__(self) -> None:
        """Start no thread yet."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="serve")
        self.waiting = 0

    async def run(self, call: Callable[[], T]) -> T:
        """Return what a call returns; raises what it raises, or HTTPException if too many calls are waiting.

        If the waiting task is cancelled, a call that has not begun never does; one that has cannot be stopped.
        """
        if self.waiting >= _MOST_WAITING:
            raise busy()
        loop = asyncio.get_running_loop()
        future = self._threads.submit(call)
        self.waiting += 1
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._done))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Wait for no call, and begin none any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _done(self) -> None:
        self.waiting -= 1


async def loaded(load: Background[T]) -> T:
    """Wait for what another thread loads, without keeping a thread waiting, and return it; raises what it raised."""
    while not load.wait(0):
        await asyncio.sleep(_POLL_SECONDS)
    return load.result()


BATCH = 256  # titles; some 100 ms of a full ESCO, after which a cancelled request costs nothing more
_MOST_QUEUED = 20_000  # titles
_GATHERING_SECONDS = 0.004  # for the next requests of clients who were answered together


@dataclass(eq=False)
class _Asked:
    """A request: its titles, and as many results as there are so far."""

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
        if self.waiting + len(titles) > _MOST_QUEUED:
            raise busy()
        await loaded(self._service.opening(options))  # building an index must not hold up other linkers
        asked = _Asked(titles, options, asyncio.get_running_loop().create_future())
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
        batch, room = [], BATCH
        for place, asked in enumerate(sorted(alike, key=lambda each: each.left)):
            share = min(asked.left, room // (len(alike) - place))
            if share:
                batch.append((asked, share))
                room -= share
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
