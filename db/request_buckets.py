"""Requests that callers may still send: a token bucket for each, shared by all servers on one store.

A full bucket holds the requests of a minute, and refills evenly. A server takes an allotment from it (a tenth of the
remaining requests, but at least one second's refill) and counts requests against the allotment by itself. So a server
writes about once a second at most for a caller, and an unused allotment holds at most a tenth of the requests.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update

from db.database import Database
from db.models import CALLER_LENGTH, RequestBucketRow

ALLOTMENT = 0.1  # of what is left
_A_MINUTE = 60  # seconds
_FULL_AFTER = timedelta(seconds=_A_MINUTE)  # an unused bucket is full by then, and its row can be deleted


@dataclass(frozen=True, slots=True)
class Allotment:
    """Requests that a server may let through; 0 if none is left, then with the seconds until there are some."""

    requests: int
    seconds: float


class RequestBuckets:
    """The part of a label store that counts requests; `LabelStore.requests` is one."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Use a database that is up to date, and a clock."""
        self._database = database
        self._clock = clock

    def take(self, caller: str, a_minute: int) -> Allotment:
        """Take an allotment for a caller.

        Args:
            caller: who sends the requests; only a hash is stored, until a minute has passed and others ask.
            a_minute: requests that are allowed in a minute, at least 1.

        Raises:
            LabelStoreError: the database cannot be used.
        """
        row = RequestBucketRow.__table__.c
        key, least = _key(caller), -(-a_minute // _A_MINUTE)
        with self._database.writing() as connection:
            now = self._clock()
            stored = connection.execute(select(row.left, row.at).where(row.caller == key)).one_or_none()
            left, at = (float(a_minute), now) if stored is None else (stored.left, max(stored.at, now))
            if stored is not None:  # another server's clock may be ahead
                left = min(float(a_minute), left + (at - stored.at).total_seconds() * a_minute / _A_MINUTE)
            if left < least:
                return Allotment(0, (least - left) * _A_MINUTE / a_minute)
            taken = max(least, int(left * ALLOTMENT))
            connection.execute(delete(RequestBucketRow).where(row.at < now - _FULL_AFTER, row.caller != key))
            if stored is None:
                connection.execute(insert(RequestBucketRow), [{"caller": key, "left": left - taken, "at": at}])
            else:
                connection.execute(update(RequestBucketRow).where(row.caller == key).values(left=left - taken, at=at))
        return Allotment(taken, 0.0)


def _key(caller: str) -> str:
    return hashlib.sha256(caller.encode("utf-8", "surrogatepass")).hexdigest()[:CALLER_LENGTH]
