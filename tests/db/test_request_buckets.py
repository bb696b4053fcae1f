"""Requests counted by several servers on one store, by hand and for any requests, on SQLite and PostgreSQL."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from db.database import Database
from db.label_store import LabelStore
from db.request_buckets import Allotment, RequestBuckets
from tests.db.made_judgments import NOON


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """Return it."""
        return self.now

    def forward(self, seconds: float) -> None:
        """Let time pass, or set the clock back."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    """A clock of one server."""
    return Clock()


@pytest.fixture
def buckets(where: str, clock: Clock) -> Iterator[RequestBuckets]:
    """What one server sees of a store."""
    with LabelStore.open(where, clock) as store:
        yield store.requests


def test_allotments_of_two_servers(where: str, buckets: RequestBuckets, clock: Clock) -> None:
    """Of 600 a minute each gets a tenth of what is left, at least 10, until less than 10 are left."""
    with LabelStore.open(where, clock) as other:
        servers = [buckets, other.requests]
        taken = [servers[turn % 2].take("a", 600) for turn in range(40)]
        assert taken[:3] == [Allotment(60, 0), Allotment(54, 0), Allotment(48, 0)]
        given = [each.requests for each in taken]
        assert min(number for number in given if number) == 10
        assert 590 < sum(given) <= 600
        left = 600 - sum(given)
        assert taken[-1] == Allotment(0, pytest.approx((10 - left) / 10))  # 10 a second are given back
        clock.forward(taken[-1].seconds)
        assert other.requests.take("a", 600) == Allotment(10, 0)
        assert buckets.take("b", 600) == Allotment(60, 0)
        clock.forward(3600)
        assert buckets.take("a", 600) == Allotment(60, 0)  # never more than a minute's


def test_few_a_minute(buckets: RequestBuckets, clock: Clock) -> None:
    """2 a minute: one at a time, and the next in half a minute."""
    assert [buckets.take("a", 2) for _ in range(3)] == [Allotment(1, 0), Allotment(1, 0), Allotment(0, 30)]
    clock.forward(30)
    assert [buckets.take("a", 2) for _ in range(2)] == [Allotment(1, 0), Allotment(0, 30)]


def test_a_clock_that_is_behind(where: str, buckets: RequestBuckets) -> None:
    """A server whose clock is a minute behind gets nothing back twice, and takes nothing away."""
    behind = Clock()
    behind.forward(-60)
    with LabelStore.open(where, behind) as other:
        assert [buckets.take("a", 2).requests, other.requests.take("a", 2).requests] == [1, 1]
        assert buckets.take("a", 2) == other.requests.take("a", 2) == Allotment(0, 30)


def test_callers_are_forgotten(buckets: RequestBuckets, clock: Clock, database: Database) -> None:
    """Their names are never stored, and their rows go once they say nothing any more."""
    buckets.take("198.51.100.7", 60)
    clock.forward(59)
    buckets.take("b", 60)
    rows = text("SELECT caller FROM request_buckets")
    with database.reading() as connection:
        stored = list(connection.scalars(rows))
    assert len(stored) == 2
    assert "198.51.100.7" not in stored
    clock.forward(2)
    buckets.take("b", 60)
    with database.reading() as connection:
        assert len(list(connection.scalars(rows))) == 1


@given(st.integers(1, 300), st.lists(st.tuples(st.floats(0, 20), st.integers(0, 2)), max_size=40))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_never_more_than_the_rate(
    buckets: RequestBuckets, clock: Clock, a_minute: int, turns: list[tuple[float, int]]
) -> None:
    """In any stretch of time: a minute's, and what that time gives back."""
    clock.forward(3600)
    begin, granted = clock.now, list[tuple[float, int]]()
    for pause, asked in turns:
        clock.forward(pause)
        seconds = (clock.now - begin).total_seconds()
        granted += [(seconds, buckets.take("a", a_minute).requests) for _ in range(asked)]
    for first, (since, _) in enumerate(granted):
        total = 0
        for until, number in granted[first:]:
            total += number
            assert total <= a_minute + (until - since) * a_minute / 60 + 1e-3
