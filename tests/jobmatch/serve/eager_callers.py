"""What another server process does in the tests of shared limits; it imports little, because each waits for it."""

import asyncio
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from db.label_store import LabelStore
from jobmatch.serve.rate_limit import SharedRateLimit

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


async def let_through(limit: SharedRateLimit, requests: int) -> int:
    """Return how many of so many requests of one caller a server lets through, some of them at once."""
    waits: list[float] = []
    for _ in range(requests // 4):
        waits += await asyncio.gather(*(limit.wait("a") for _ in range(4)))
    return sum(wait == 0 for wait in waits)


def serve(where: str, a_minute: int, barrier: Barrier, answers: Connection) -> None:
    """Send how many of twice a minute's requests get through, on a store whose clock stands still."""
    with LabelStore.open(where, lambda: NOON) as store:
        limit = SharedRateLimit(a_minute, store.requests.take)
        barrier.wait()
        answers.send(asyncio.run(let_through(limit, 2 * a_minute)))
