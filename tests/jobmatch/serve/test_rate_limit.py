"""Rate limit: a minute's requests at once, and never more than the rate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch.serve.rate_limit import RateLimit


def test_a_minutes_requests_at_once_then_evenly() -> None:
    """6 per minute: six at once, then one every ten seconds; per caller."""
    now = 0.0
    limit = RateLimit(6, clock=lambda: now)
    assert [limit.wait("a") for _ in range(6)] == [0] * 6
    assert limit.wait("a") == pytest.approx(10)
    assert limit.wait("b") == 0
    now = 10.0
    assert limit.wait("a") == 0
    assert limit.wait("a") == pytest.approx(10)
    now = 1000.0
    assert [limit.wait("a") for _ in range(7)] == [*[0] * 6, pytest.approx(10)]


@given(st.integers(1, 100), st.lists(st.floats(0, 30), max_size=300))
def test_never_more_than_the_rate(a_minute: int, pauses: list[float]) -> None:
    """In any period: the burst and the refill of that time."""
    now, allowed = 0.0, []
    limit = RateLimit(a_minute, clock=lambda: now)
    for pause in pauses:
        now += pause
        if limit.wait("a") == 0:
            allowed.append(now)
    for first, begin in enumerate(allowed):
        for last in range(first, len(allowed)):
            most = a_minute + (allowed[last] - begin) * a_minute / 60
            assert last - first + 1 <= most + 1e-6


def test_looking_counts_nothing() -> None:
    """Requests beyond the limit do not extend the wait."""
    limit = RateLimit(6, clock=lambda: 0.0)
    assert [limit.seconds("a") for _ in range(9)] == [0.0] * 9
    for _ in range(9):
        limit.count("a")
    assert limit.seconds("a") == pytest.approx(10)


def test_no_limit() -> None:
    """0 means no limit."""
    limit = RateLimit(0)
    assert [limit.wait("a") for _ in range(9)] == [0.0] * 9
