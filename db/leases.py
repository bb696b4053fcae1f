"""Temporary leases of pairs to annotators.

A pair is free for an annotator who has not judged or skipped it, while fewer other annotators than requested have
judged or leased it. Annotators who skipped it are not counted: somebody else has to judge it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from sqlalchemy import Connection, delete, insert, select

from db.database import Database
from db.models import CURRENT, LeaseRow
from db.rows import pair_key
from jobmatch_core.entities import Pair, Verdict

_CANDIDATES_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class LeaseRequest:
    """Request for *count* pairs to judge."""

    annotator: str
    count: int
    annotators_per_pair: int  # number of people who should judge a pair; 1 except for double annotation
    # now, until: start and end of the lease
    now: datetime
    until: datetime


def lease(database: Database, candidates: Iterable[Pair], request: LeaseRequest) -> list[Pair]:
    """Lease the first free candidates and return them; the annotator's own leases count as free, and are renewed."""
    leased: list[Pair] = []
    for pairs in _parts(candidates):
        with database.reading() as connection:
            free = _free(connection, list(pairs), request)
        while free and len(leased) < request.count:
            wanted = request.count - len(leased)
            # others may have leased them in the meantime, so check again under the write lock
            with database.writing() as connection:
                taken = _free(connection, free[:wanted], request)
                _take(connection, taken, request)
            leased += [pairs[key] for key in taken]
            free = free[wanted:]
        if len(leased) == request.count:
            break
    return leased


def release(connection: Connection, annotator: str, pairs: Iterable[Pair] | None = None) -> None:
    """Release an annotator's leases: of some pairs, or all."""
    ended = delete(LeaseRow).where(LeaseRow.annotator == annotator)
    if pairs is None:
        connection.execute(ended)
    else:
        for part in _parts(pairs):
            connection.execute(ended.where(LeaseRow.pair_key.in_(part)))


def _parts(pairs: Iterable[Pair]) -> Iterator[dict[str, Pair]]:
    remaining = iter(pairs)
    while part := {pair_key(pair): pair for pair in islice(remaining, _CANDIDATES_AT_ONCE)}:
        yield part


def _free(connection: Connection, keys: Sequence[str], request: LeaseRequest) -> list[str]:
    done: set[str] = set()
    others: dict[str, set[str]] = defaultdict(set)
    judged = select(CURRENT.c.pair_key, CURRENT.c.annotator, CURRENT.c.verdict).where(CURRENT.c.pair_key.in_(keys))
    for key, annotator, verdict in connection.execute(judged):
        if annotator == request.annotator:
            done.add(key)
        elif verdict != Verdict.SKIP:
            others[key].add(annotator)
    held = select(LeaseRow.pair_key, LeaseRow.annotator).where(
        LeaseRow.pair_key.in_(keys), LeaseRow.expires > request.now, LeaseRow.annotator != request.annotator
    )
    for key, annotator in connection.execute(held):
        others[key].add(annotator)
    return [key for key in keys if key not in done and len(others[key]) < request.annotators_per_pair]


def _take(connection: Connection, keys: Sequence[str], request: LeaseRequest) -> None:
    connection.execute(delete(LeaseRow).where(LeaseRow.expires <= request.now))
    if keys:
        own = LeaseRow.annotator == request.annotator
        connection.execute(delete(LeaseRow).where(own, LeaseRow.pair_key.in_(keys)))
        rows = [{"pair_key": key, "annotator": request.annotator, "expires": request.until} for key in keys]
        connection.execute(insert(LeaseRow), rows)
