"""Long calls in background threads, and a cache of slow loads for all threads."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from jobmatch_core.entities import Progress

T = TypeVar("T")


class Background(Generic[T]):
    """A long call in its own thread, which reruns do not interrupt and several tabs can wait for."""

    def __init__(self, work: Callable[[Progress], T]) -> None:
        # total: total amount of work; 0 while unknown
        self.done, self.total = 0, 0
        self.begun = self.reported = time.monotonic()
        self.future: Future[T] = Future()  # future of the result; cancelling it does not stop the work
        # no executor: Python joins its threads at exit, so Ctrl+C would not end the app during a long call
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; return whether the call has ended."""
        return bool(wait([self.future], seconds).done)

    @property
    def failed(self) -> bool:
        """True if the call ended with an error."""
        return self.future.done() and self.future.exception() is not None

    def result(self) -> T:
        """Wait for the result, or raise the error of the call."""
        return self.future.result()

    def _run(self, work: Callable[[Progress], T]) -> None:
        try:
            self.future.set_result(work(self._progress))
        except BaseException as error:  # raised by `result`
            self.future.set_exception(error)

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if total != self.total or done < self.done:
            # start of the counted work, in seconds of the monotonic clock; reset when *done* falls or *total* changes
            self.begun = self.reported if done else now
        self.reported = now  # time of the last progress report
        self.done, self.total = done, total


class LoadCache(Generic[T]):
    """Cache of results by key; each is loaded once in a thread of its own, also for concurrent callers."""

    def __init__(self, most: int) -> None:
        """Cache at most so many results; the least recently used ones are dropped, but none while it is loaded."""
        self._most = most
        self._loads: OrderedDict[Hashable, Background[T]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._loads)

    def loading(self, key: Hashable, load: Callable[[Progress], T]) -> Background[T]:
        """Return the load of a key; it is started if there is none or the last one failed."""
        with self._lock:
            background = self._loads.get(key)
            if background is None or background.failed:
                background = self._loads[key] = Background(load)
            self._loads.move_to_end(key)
            self._drop_others(key)
            return background

    def if_loaded(self, key: Hashable, load: Callable[[Progress], T]) -> T | None:
        """Return the result of a key, or None while it is loaded, which the first call begins.

        The error of a failed load is raised once, although the load begins again.
        """
        with self._lock:
            before = self._loads.get(key)
        background = self.loading(key, load)
        background = before or background
        return background.result() if background.future.done() else None

    def is_loading(self, part: Hashable) -> bool:
        """Return whether the result of any key that is a tuple with *part* in it is being loaded."""
        with self._lock:
            loads = [*self._loads.items()]
        return any(isinstance(key, tuple) and part in key and not load.future.done() for key, load in loads)

    def _drop_others(self, key: Hashable) -> None:
        # a load that was dropped would begin again with the next caller, beside the one that goes on
        ended = [other for other, load in self._loads.items() if load.future.done() and other != key]
        for other in ended[: max(len(self._loads) - self._most, 0)]:
            del self._loads[other]

    def get(self, key: Hashable, load: Callable[[Progress], T]) -> T:
        """Wait for the result of a key, or raise the error of its load."""
        return self.loading(key, load).result()
