"""Several processes on one store, and what is left of those that are killed."""

import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

import pytest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from tests.db import writers

PROCESSES, SHARE = 8, 250
KILLS = 25


@pytest.fixture(scope="module")
def forks(fork_from: Callable[..., ForkServerContext]) -> ForkServerContext:
    """Start processes that have imported what they need."""
    return fork_from(writers.__name__)


@pytest.mark.parametrize("attempt", [0, *(pytest.param(number, marks=pytest.mark.thorough) for number in (1, 2))])
def test_two_open_a_fresh_store_at_once(forks: ForkServerContext, where: str, attempt: int) -> None:
    """One makes it, the other waits."""
    barrier = forks.Barrier(2)
    processes = [
        forks.Process(target=writers.open_at_once, args=(where, f"annotator {number}", barrier)) for number in range(2)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    with LabelStore.open(where) as store:
        assert store.counts().by_annotator == {"annotator 0": 1, "annotator 1": 1}


@pytest.mark.thorough
def test_eight_annotators_on_one_queue(forks: ForkServerContext, where: str) -> None:
    """2,000 judgments: none lost, none doubled, and no pair handed to two."""
    LabelStore.open(where).close()
    total = PROCESSES * SHARE
    pipes: list[Connection] = []
    processes = []
    for number in range(PROCESSES):
        receiver, sender = forks.Pipe(duplex=False)
        arguments = (where, f"annotator {number}", total, SHARE, sender)
        processes.append(forks.Process(target=writers.annotate, args=arguments))
        processes[-1].start()
        sender.close()
        pipes.append(receiver)
    done = [each for pipe in pipes for each in pipe.recv()]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * PROCESSES
    assert sorted(int(right) for right, _ in done) == list(range(total))
    with LabelStore.open(where) as store:
        recorded = [(judgment.pair.right, judgment.id) for judgment in store.as_recorded()]
        assert len(recorded) == total
        assert sorted(recorded) == sorted(done)
        assert set(store.counts().by_annotator.values()) == {SHARE}


@pytest.mark.thorough
def test_what_was_acknowledged_outlives_the_writer(forks: ForkServerContext, where: str) -> None:
    """Killed 25 times in mid-write: nothing that it said was recorded is lost, nothing is there by halves."""
    draw = random.Random(0)
    acknowledged: set[str] = set()
    LabelStore.open(where).close()
    for kill in range(KILLS):
        receiver, sender = forks.Pipe(duplex=False)
        process = forks.Process(target=writers.write_until_killed, args=(where, f"annotator {kill}", sender))
        process.start()
        sender.close()
        for _ in range(draw.randrange(1, 5)):
            acknowledged.update(receiver.recv())
        time.sleep(draw.uniform(0, 0.005))
        process.kill()
        process.join()
        acknowledged.update(rest(receiver))
    with LabelStore.open(where) as store:
        assert acknowledged <= {judgment.id for judgment in store.judgments()}
        for kill in range(KILLS):  # ten at once are there all or not at all, as is one
            assert store.count(JudgmentFilter(annotator=f"annotator {kill}")) % 11 in (0, 1)
        assert store.record(writers.judgment("Ann", writers.pair(0)))
    if "://" not in where:
        with closing(sqlite3.connect(where)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def rest(receiver: Connection) -> list[str]:
    """Return what a killed process still said, a last message cut in two left out."""
    ids: list[str] = []
    try:
        while True:
            ids += receiver.recv()
    except (EOFError, OSError):
        return ids
