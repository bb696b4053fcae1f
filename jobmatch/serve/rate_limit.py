"""Limit of how many requests somebody may send in a minute: to one server, or to all servers on one label store."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from anyio import to_thread

from db.request_buckets import Allotment
from jobmatch_core.errors import LabelStoreError

MOST_CALLERS = 10_000
_A_MINUTE = 60.0


@dataclass(slots=True)
class _Bucket:
    """The requests that somebody may still send, and when that was reckoned."""

    left: float
    at: float


class RateLimit:
    """A token bucket for each caller: a minute's requests may come at once, and are then given back evenly."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow so many requests a minute, 0 for any number; *clock* returns seconds."""
        self.a_minute = a_minute
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def seconds(self, caller: str) -> float:
        """Return 0 if a caller may send a request, else the seconds until then."""
        left = self._refilled(caller).left if self.a_minute else 1.0
        return 0.0 if left >= 1 else (1 - left) * _A_MINUTE / self.a_minute

    def wait(self, caller: str) -> float:
        """Count a request if the caller may send one; return what `seconds` said before."""
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


_KEPT_SECONDS = 60.0  # an allotment that is not used up lapses
_PATIENCE_SECONDS = 1.0  # for the store, which others may be writing to
_ALONE_SECONDS = 10.0  # until the store is asked again
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Held:
    """Allotment of a caller that this server holds.

    Attributes:
        requests: how many it may still let through.
        until: when they lapse; where there are none, when the store may have some.
        asking: held while the store is asked.
    """

    requests: int = 0
    until: float = 0.0
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


class SharedRateLimit:
    """A `RateLimit` that all servers keep together, by allotments from the label store.

    While the store cannot be used, or takes too long, each counts for itself.
    """

    def __init__(
        self, a_minute: int, take: Callable[[str, int], Allotment], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Allow so many requests a minute, 0 for any number.

        Args:
            a_minute: requests of a caller.
            take: see `RequestBuckets.take`; called in a thread.
            clock: returns seconds.
        """
        self.a_minute = a_minute
        self._take = take
        self._clock = clock
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._own = RateLimit(a_minute, clock)
        self._alone_until: float | None = None  # None while the store answers

    async def wait(self, caller: str) -> float:
        """Count a request if the caller may send one and return 0; else return the seconds until then."""
        if not self.a_minute:
            return 0.0
        held = self._of(caller)
        if self._has_to_ask(held):
            async with held.asking:
                if self._has_to_ask(held):  # another request may have asked meanwhile
                    await self._ask(caller, held)
        if self._alone_until is not None:
            return self._own.wait(caller)
        if not held.requests:
            return held.until - self._clock()
        held.requests -= 1
        if not held.requests:
            held.until = 0.0
        return 0.0

    def _has_to_ask(self, held: _Held) -> bool:
        now = self._clock()
        return now >= (held.until if self._alone_until is None else self._alone_until)

    async def _ask(self, caller: str, held: _Held) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                taken = await to_thread.run_sync(self._take, caller, self.a_minute, abandon_on_cancel=True)
        except (LabelStoreError, TimeoutError) as error:
            if self._alone_until is None:
                reason = str(error) or "the label store takes too long."
                _log.warning("This server counts requests by itself: %s", reason)
            self._alone_until = self._clock() + _ALONE_SECONDS
            return
        if self._alone_until is not None:
            _log.warning("Requests are counted together with other servers again.")
        self._alone_until = None
        held.requests = taken.requests
        held.until = self._clock() + (_KEPT_SECONDS if taken.requests else taken.seconds)

    def _of(self, caller: str) -> _Held:
        held = self._held.setdefault(caller, _Held())
        self._held.move_to_end(caller)
        if len(self._held) > MOST_CALLERS:
            self._held.popitem(last=False)
        return held
