"""The most recently used results of slow loads, shared by all threads of a process."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from jobmatch.services.background_call import Background
from jobmatch_core.entities import Progress

T = TypeVar("T")


class KeptLoads(Generic[T]):
    """Results by key; each is loaded once, in a thread of its own, however many ask for it meanwhile."""

    def __init__(self, most: int) -> None:
        """Cache at most so many results; the least recently used ones are dropped."""
        self._most = most
        self._kept: OrderedDict[Hashable, Background[T]] = OrderedDict()
        self._lock = Lock()

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
