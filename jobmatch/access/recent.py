"""Cache of the label store's answers for a few seconds, so that not every request queries it."""

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

SECONDS = 5.0  # for which a revoked key or an ended session remains valid
_MOST_ANSWERS = 10_000


class Recent(Generic[T]):
    """Answers by question; thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: dict[Hashable, tuple[float, T]] = {}
        self._lock = Lock()

    def get(self, question: Hashable, ask: Callable[[], T]) -> T:
        """Return the cached answer to a question, or call *ask* if there is none younger than `SECONDS`."""
        cached = self._answers.get(question)
        if cached is not None and self._clock() - cached[0] < SECONDS:
            return cached[1]
        asked_at = self._clock()
        answer = ask()
        with self._lock:
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            self._answers[question] = (asked_at, answer)
        return answer
