"""Cache of the label store's answers for some seconds, so that not every request queries the store."""

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

SECONDS = 5.0  # a revoked key or an ended session may still be used for that long
_MOST = 10_000


class Recent(Generic[T]):
    """Answers by question, for any number of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Use a clock in seconds."""
        self._clock = clock
        self._answers: dict[Hashable, tuple[float, T]] = {}
        self._lock = Lock()

    def get(self, question: Hashable, ask: Callable[[], T]) -> T:
        """Return the cached answer to a question, or ask if it is missing or too old."""
        found = self._answers.get(question)
        if found is not None and self._clock() - found[0] < SECONDS:
            return found[1]
        asked = self._clock()
        answer = ask()
        with self._lock:
            if len(self._answers) >= _MOST:
                self._answers.clear()
            self._answers[question] = (asked, answer)
        return answer
