"""Rate limit: requests per caller and minute."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_CALLERS = 10_000
_A_MINUTE = 60.0


@dataclass(slots=True)
class _Bucket:
    left: float  # requests that the caller may still send
    at: float  # time at which `left` was computed, in seconds


class RateLimit:
    """A token bucket per caller: it holds the requests of a minute, and refills evenly."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow *a_minute* requests per minute, 0 for no limit; *clock* returns seconds."""
        self.a_minute = a_minute
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def seconds(self, caller: str) -> float:
        """Return the seconds until a caller may send a request; 0 if it may send one now."""
        left = self._refilled(caller).left if self.a_minute else 1.0
        return 0.0 if left >= 1 else (1 - left) * _A_MINUTE / self.a_minute

    def wait(self, caller: str) -> float:
        """Return the result of `seconds`; if it is 0, count a request."""
        if not (seconds := self.seconds(caller)):
            self.count(caller)
        return seconds

    def count(self, caller: str) -> None:
        """Count a request."""
        if self.a_minute:
            bucket = self._refilled(caller)
            bucket.left = max(bucket.left - 1, 0.0)

    def _refilled(self, caller: str) -> _Bucket:
        now, most = self._clock(), float(self.a_minute)
        bucket = self._buckets.setdefault(caller, _Bucket(most, now))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        bucket.left = min(most, bucket.left + (now - bucket.at) * most / _A_MINUTE)
        bucket.at = now
        return bucket
