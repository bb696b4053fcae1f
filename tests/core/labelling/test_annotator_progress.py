"""AnnotatorProgress, streak and progress."""

from collections.abc import Sequence
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment
from jobmatch_core.labelling.annotator_progress import AnnotatorProgress, annotator_progress
from tests.core.labelling.made_judgments import START, judgment, pair

A_DAY = 24 * 60
NOW = START + timedelta(minutes=60)  # 10 o'clock


def at(*minutes: float, **more: object) -> list[Judgment]:
    """Return judgments of different pairs, some minutes after 9 o'clock."""
    return [judgment("+", of=pair(f"p{minute}"), minute=minute, **more) for minute in minutes]


def test_by_hand() -> None:
    """Seven of the last half hour's in a row: six steps in 12 minutes are 30 an hour."""
    history = at(-2 * A_DAY, -A_DAY, 0, 40, 42, 44, 46, 48, 50, 52)
    found = annotator_progress(history, "ann", NOW)
    assert found == AnnotatorProgress(
        total=10, today=8, in_a_row=7, days_in_a_row=3, seconds=None, per_hour=pytest.approx(30)
    )


def test_nothing_yet() -> None:
    """Nought of all that counts, and no pace."""
    assert annotator_progress([], "ann", NOW) == AnnotatorProgress(0, 0, 0, 0, None, None)


def test_only_ones_own_and_no_skips() -> None:
    """Nor what was taken back; a change of mind is no second judgment."""
    mine = at(50)
    others = [judgment("+", "bob", minute=51), judgment("s", of=pair("p8"), minute=52, seconds=1)]
    undone = judgment("+", of=pair("p7"), minute=53)
    undo = judgment(None, of=pair("p7"), minute=54, undoes=undone.id)
    changed = judgment("-", of=mine[0].pair, minute=55)
    found = annotator_progress([*mine, *others, undone, undo, changed], "ann", NOW)
    assert (found.total, found.today, found.in_a_row, found.seconds) == (1, 1, 1, None)


def test_a_pause_ends_the_sitting() -> None:
    """Ten minutes are none yet."""
    assert annotator_progress(at(30, 40, 50), "ann", NOW).in_a_row == 3
    assert annotator_progress(at(29, 40, 50), "ann", NOW).in_a_row == 2
    assert annotator_progress(at(30, 40, 49), "ann", NOW).in_a_row == 0
    assert annotator_progress(at(30, 40, 49), "ann", NOW).per_hour is None


def test_one_judgment_has_no_rate() -> None:
    """Nor have two in one moment."""
    assert annotator_progress(at(55), "ann", NOW).per_hour is None
    twins = [judgment("+", of=pair(left), minute=55) for left in "pq"]
    assert annotator_progress(twins, "ann", NOW).per_hour is None


def test_seconds_are_the_median_of_the_last_fifty() -> None:
    """What was not measured does not count; how slow one was at first does not, either."""
    slow = [judgment("+", of=pair(f"a{row}"), minute=row, seconds=100) for row in range(60)]
    fast = [judgment("+", of=pair(f"b{row}"), minute=100 + row, seconds=8) for row in range(26)]
    assert annotator_progress([*slow, *fast], "ann", NOW).seconds == 8
    assert annotator_progress([*slow, *fast[:25]], "ann", NOW).seconds == 54
    assert annotator_progress([*slow[:1], *fast[:1], judgment("+", minute=200)], "ann", NOW).seconds == 54


@pytest.mark.parametrize(
    ("days", "streak"),
    [((0,), 1), ((-1,), 1), ((-2,), 0), ((0, -1, -2, -4), 3), ((-1, -2), 2), ((-1, -1, 0), 2), ((), 0)],
)
def test_days_in_a_row(days: Sequence[int], streak: int) -> None:
    """Today may still come."""
    history = [judgment("+", of=pair(f"p{row}"), minute=day * A_DAY) for row, day in enumerate(days)]
    assert annotator_progress(history, "ann", NOW).days_in_a_row == streak


def test_a_day_begins_at_midnight_where_one_is() -> None:
    """At 9 o'clock UTC it is 23 o'clock of the day before, ten hours to the west."""
    west = timezone(timedelta(hours=-10))
    early, late = at(0), at(61)
    now = START + timedelta(minutes=62)
    assert annotator_progress(early + late, "ann", now).today == 2
    assert annotator_progress(early + late, "ann", now, zone=west).today == 1
    assert annotator_progress(early + late, "ann", now, zone=west).days_in_a_row == 2


@given(st.lists(st.integers(-3 * A_DAY, 60), unique=True, max_size=20))
def test_what_always_holds(minutes: list[int]) -> None:
    """The parts are no more than the whole, and all that was today's counts."""
    found = annotator_progress(at(*minutes), "ann", NOW)
    assert 0 <= found.in_a_row <= found.total == len(minutes)
    assert found.today == sum(minute >= -9 * 60 for minute in minutes)
    assert (found.days_in_a_row > 0) == any(minute >= -9 * 60 - A_DAY for minute in minutes)
    if found.per_hour is not None:
        assert found.per_hour >= 6  # ten minutes at most lie between
