"""AnnotatorProgress: the judgments of today, and the pace."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment
from jobmatch_core.judgment_tallies import TimedVerdict
from jobmatch_core.labelling.workload import AnnotatorProgress, OwnVerdicts
from tests.core.labelling.made_judgments import START, judgment, pair

A_DAY = 24 * 60
NOW = START + timedelta(minutes=60)  # 10 o'clock


def at(*minutes: float, **more: object) -> list[Judgment]:
    """Return judgments of different pairs, some minutes after 9 o'clock."""
    return [judgment("+", of=pair(f"p{minute}"), minute=minute, **more) for minute in minutes]


def timed(of: Judgment) -> TimedVerdict:
    """Return what of a judgment counts for progress."""
    assert of.verdict is not None
    return TimedVerdict(of.verdict, of.at, of.seconds)


def progress(history: Sequence[Judgment], now: datetime, zone: tzinfo = UTC) -> AnnotatorProgress:
    """Return the progress of who gave these verdicts, in whatever order."""
    return OwnVerdicts(map(timed, history)).progress(now, zone=zone)


def test_by_hand() -> None:
    """Eight of ten judgments are of today."""
    history = at(-2 * A_DAY, -A_DAY, 0, 40, 42, 44, 46, 48, 50, 52)
    assert progress(history, NOW) == AnnotatorProgress(today=8, seconds=None)


def test_nothing_yet() -> None:
    """Nought of all that counts, and no pace."""
    assert progress([], NOW) == AnnotatorProgress(0, None)


def test_skips_are_given_and_not_counted() -> None:
    """Withdrawn judgments are not counted, and a changed verdict counts once."""
    [first], skip = at(50), judgment("s", of=pair("p8"), minute=52, seconds=1)
    own = OwnVerdicts(map(timed, [first, skip]))
    own.add(timed(judgment("-", minute=55)))
    own.remove(timed(first))
    found = own.progress(NOW)
    assert (len(own), found.today, found.seconds) == (2, 1, None)
    own.remove(timed(skip))
    own.remove(timed(judgment("+", minute=54)))  # given in another tab
    assert len(own) == 1


def test_the_pace_is_one_measure() -> None:
    """Two seconds per pair, however long lay between the pairs."""
    found = progress(at(10, 19, 28, seconds=2.04), NOW)
    assert found.seconds == 2.0
    assert progress(at(55), NOW).seconds is None


def test_seconds_are_the_median_of_the_last_fifty() -> None:
    """What was not measured does not count; how slow one was at first does not, either."""
    slow = [judgment("+", of=pair(f"a{row}"), minute=row, seconds=100) for row in range(60)]
    fast = [judgment("+", of=pair(f"b{row}"), minute=100 + row, seconds=8) for row in range(26)]
    assert progress([*slow, *fast], NOW).seconds == 8
    assert progress([*slow, *fast[:25]], NOW).seconds == 54
    assert progress([*slow[:1], *fast[:1], judgment("+", minute=200)], NOW).seconds == 54


def test_a_day_begins_at_midnight_where_one_is() -> None:
    """At 9 o'clock UTC it is 23 o'clock of the day before, ten hours to the west."""
    west = timezone(timedelta(hours=-10))
    early, late = at(0), at(61)
    now = START + timedelta(minutes=62)
    assert progress(early + late, now).today == 2
    assert progress(early + late, now, zone=west).today == 1


@given(st.lists(st.integers(-3 * A_DAY, 60), max_size=20), st.data())
def test_added_one_by_one(minutes: list[int], data: st.DataObject) -> None:
    """The order makes no difference, and what is removed was never there."""
    given_ = at(*minutes)
    gone = data.draw(st.integers(0, len(minutes)))
    own = OwnVerdicts(())
    for each in data.draw(st.permutations(given_)):
        own.add(timed(each))
    for each in given_[:gone]:
        own.remove(timed(each))
    assert len(own) == len(minutes) - gone
    assert own.progress(NOW) == progress(given_[gone:], NOW)


@given(st.lists(st.integers(-3 * A_DAY, 60), unique=True, max_size=20))
def test_every_judgment_of_today_counts(minutes: list[int]) -> None:
    """All judgments since midnight count."""
    assert progress(at(*minutes), NOW).today == sum(minute >= -9 * 60 for minute in minutes)
