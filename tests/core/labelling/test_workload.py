"""Workload: how much each annotator has judged, and at what pace."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment
from jobmatch_core.labelling.workload import Workload, workloads
from tests.core.labelling import plain_measures
from tests.core.labelling.made_judgments import START, arrays, histories, judgment, pair

A_DAY = 24 * 60


def at(*minutes: float, annotator: str = "ann", verdict: str = "+", **more: object) -> list[Judgment]:
    """Return judgments of different pairs, some minutes after 9 o'clock."""
    return [judgment(verdict, annotator, pair(f"p{minute}"), minute=minute, **more) for minute in minutes]


def test_by_hand() -> None:
    """Three of the five lie in the last week; 20 seconds each are 180 an hour."""
    old, new = at(0, 4, seconds=10.0), at(10 * A_DAY, 10 * A_DAY + 1, 10 * A_DAY + 2, seconds=20.0)
    skipped = at(10 * A_DAY + 3, verdict="s", seconds=1.0)
    now = START + timedelta(minutes=10 * A_DAY + 5)
    others = at(7, annotator="bob")
    assert workloads(arrays([*old, *others, *new, *skipped]), now) == [
        Workload("ann", 5, 1, 3, 20.0, START + timedelta(minutes=10 * A_DAY + 3)),
        Workload("bob", 1, 0, 0, None, START + timedelta(minutes=7)),
    ]
    assert [each.per_hour for each in workloads(arrays([*old, *others, *new]), now)] == [180, None]


def test_what_does_not_count() -> None:
    """Withdrawn judgments, adjudications, and the first of two on the same pair."""
    gone, settled = judgment("+", of=pair("p1")), judgment("+", of=pair("p2"), adjudicates=True)
    history = [
        gone,
        judgment(None, of=pair("p1"), minute=1, undoes=gone.id),
        settled,
        judgment("+", of=pair("p3"), minute=2),
        judgment("-", of=pair("p3"), minute=3),
    ]
    [ann] = workloads(arrays(history), START + timedelta(minutes=5))
    assert (ann.verdicts, ann.skipped, ann.per_hour) == (1, 0, None)
    assert workloads(arrays(history[:3]), START) == []


@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=30))
def test_seconds_and_verdicts_an_hour_are_one_measure(seconds: list[float]) -> None:
    """As they are shown: 3,600 seconds are an hour; nought seconds are no pace."""
    given_ = [judgment("+", "ann", pair(f"p{row}"), minute=row, seconds=each) for row, each in enumerate(seconds)]
    [found] = workloads(arrays(given_), START + timedelta(days=10))
    assert found.seconds is not None
    assert found.per_hour == (3600 / found.seconds if found.seconds else None)


@given(histories(max_size=30), st.integers(0, 9 * A_DAY), st.lists(st.none() | st.floats(0, 1e6), min_size=30))
def test_as_judgment_by_judgment(history: list[Judgment], minutes: int, seconds: list[float | None]) -> None:
    """To the last digit, of whatever was said and taken back."""
    timed = [replace(each, seconds=took) for each, took in zip(history, seconds, strict=False)]
    now = START + timedelta(minutes=minutes)
    assert workloads(arrays(timed), now) == plain_measures.workloads(timed, now)
