"""Threads for what takes long, so that the event loop stays free; what nobody waits for any more is not begun."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TypeVar

from starlette.exceptions import HTTPException

from jobmatch.services.background_call import Background

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
