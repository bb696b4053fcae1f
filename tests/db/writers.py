"""What other processes do in the tests of several; it imports little, because each process waits for it."""

from itertools import cycle, islice
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from uuid import uuid4

from db.label_store import LabelStore, utc_now
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict


def pair(number: int) -> Pair:
    """Return a pair of the common queue."""
    return Pair(PairKind.PROJECT_FREELANCER, "demo", "project", str(number))


def judgment(annotator: str, of: Pair) -> Judgment:
    """Judge a pair."""
    return Judgment(str(uuid4()), of, Verdict.POSITIVE, annotator, utc_now(), Provenance("common queue"))


def open_at_once(where: str, name: str, barrier: Barrier) -> None:
    """Open a store at the same moment as others, and judge."""
    barrier.wait()
    with LabelStore.open(where) as store:
        store.record(judgment(name, pair(0)))


def annotate(where: str, name: str, queue_length: int, share: int, results: Connection) -> None:
    """Judge a share of the common queue, as leased, one to nine at a time; send (pair, judgment's id) of each."""
    sizes = cycle(range(1, 10))
    queue = [pair(number) for number in range(queue_length)]
    done: list[tuple[str, str]] = []
    with LabelStore.open(where) as store:
        while len(done) < share:
            leased = iter(store.lease(queue, name, for_seconds=600, count=min(100, share - len(done))))
            while batch := [judgment(name, each) for each in islice(leased, next(sizes))]:
                store.record_all(batch)
                done += [(made.pair.right, made.id) for made in batch]
    results.send(done)


def write_until_killed(where: str, name: str, acknowledged: Connection) -> None:
    """Judge without end, in turn one and ten at once; send the ids of what was recorded, after it was."""
    with LabelStore.open(where) as store:
        while True:
            for size in (1, 10):
                batch = [judgment(name, pair(number)) for number in range(size)]
                store.record_all(batch)
                acknowledged.send([each.id for each in batch])
