"""Long calls in background threads, and the most recently used results of slow loads, shared by all threads."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from jobmatch_core.entities import Progress

T = TypeVar("T")


class Background(Generic[T]):
    """A long call in its own thread, which no rerun interrupts and several tabs can wait for.

    Attributes:
        done: amount of work done.
        total: total amount of work; 0 while unknown.
        begun: start of the counted work, in seconds of the monotonic clock; it is reset when *done* falls or *total*
            changes.
        reported: time of the last progress report.
        future: of the result; cancelling it does not stop the work.
    """

    def __init__(self, work: Callable[[Progress], T]) -> None:
        """Start *work*, which gets a function to report progress to."""
        self.done, self.total = 0, 0
        self.begun = self.reported = time.monotonic()
        self.future: Future[T] = Future()
        # no executor: Python joins its threads at exit, so that Ctrl+C would not end the app before a long call ends
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; return whether it is finished."""
        return bool(wait([self.future], seconds).done)

    @property
    def failed(self) -> bool:
        """True if it ended with an error."""
        return self.future.done() and self.future.exception() is not None

    def result(self) -> T:
        """Return what the finished work returned, or raise what it raised."""
        return self.future.result()

    def _run(self, work: Callable[[Progress], T]) -> None:
        try:
            self.future.set_result(work(self._progress))
        except BaseException as error:  # handed to whoever asks for the result
            self.future.set_exception(error)

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if total != self.total or done < self.done:
            self.begun = self.reported if done else now
        self.reported = now
        self.done, self.total = done, total


class LoadCache(Generic[T]):
    """Results by key; each is loaded once, in a thread of its own, however many ask for it meanwhile."""

    def __init__(self, most: int) -> None:
        """Cache at most so many results; the least recently used ones are dropped."""
        self._most = most
        self._kept: OrderedDict[Hashable, Background[T]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def loading(self, key: Hashable, load: Callable[[Progress], T]) -> Background[T]:
        """Return the load of a key; it is started if there is none, or if the last one failed."""
        with self._lock:
            background = self._kept.get(key)
            if background is None or background.failed:
                background = self._kept[key] = Background(load)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return background

    def get(self, key: Hashable, load: Callable[[Progress], T]) -> T:
        """Return the result of a key, and wait for it; raises what its load raised."""
        return self.loading(key, load).result()
