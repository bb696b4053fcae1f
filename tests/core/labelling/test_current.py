"""What counts of all that was said."""

from datetime import UTC, timedelta, timezone

from hypothesis import given

from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.labelling.labels import current_judgments
from tests.core.labelling.made_judgments import START, histories, judgment, pair


def test_the_last_of_each_annotator_and_pair() -> None:
    """A change of mind counts, and comes last; others are not touched by it."""
    first, other, changed = judgment("+"), judgment("+", "bob", minute=1), judgment("-", minute=2)
    apart = judgment("+", of=pair("p2"), minute=1.5)
    assert current_judgments([first, other, apart, changed]) == [other, apart, changed]


def test_what_is_taken_back_does_not_count() -> None:
    """After an undo the verdict before it counts again; where there was none, none does."""
    first, changed = judgment("+"), judgment("-", minute=1)
    undo = judgment(None, minute=2, undoes=changed.id)
    assert current_judgments([first, changed, undo]) == [first]
    again = judgment(None, minute=3, undoes=first.id)
    assert current_judgments([first, changed, undo, again]) == []


def test_an_undo_taken_back() -> None:
    """Then the verdict counts again; and not, if that is taken back as well."""
    first = judgment("+")
    undo = judgment(None, minute=1, undoes=first.id)
    redo = judgment(None, minute=2, undoes=undo.id)
    third = judgment(None, minute=3, undoes=redo.id)
    assert current_judgments([first, undo]) == []
    assert current_judgments([first, undo, redo]) == [first]
    assert current_judgments([first, undo, redo, third]) == []


def test_an_undo_with_a_verdict_puts_another_in_place() -> None:
    """What takes back may say something itself."""
    first = judgment("+")
    instead = judgment("-", minute=1, undoes=first.id)
    assert current_judgments([first, instead]) == [instead]


def test_nobody_takes_back_what_another_said() -> None:
    """An undo counts only of one's own judgments."""
    first = judgment("+", "ann")
    assert current_judgments([first, judgment(None, "bob", minute=1, undoes=first.id)]) == [first]


def test_an_undo_by_a_clock_that_is_behind() -> None:
    """What is taken back is known by its id, not by the time."""
    first = judgment("+", minute=5)
    assert current_judgments([first, judgment(None, minute=1, undoes=first.id)]) == []


def test_a_clock_that_was_set_back() -> None:
    """What was said later counts, whenever that was by the clock."""
    first, second, third = judgment("+", minute=60), judgment("-", minute=0), judgment("?", minute=30)
    assert current_judgments([first, second]) == [second]
    assert current_judgments([first, second, third]) == [third]
    undo = judgment(None, minute=-5, undoes=third.id)
    assert current_judgments([first, second, third, undo]) == [second]


def test_adjudications_are_kept_apart() -> None:
    """Who adjudicates has said before, by themselves, what they thought."""
    own, settles = judgment("+"), judgment("-", minute=1, adjudicates=True)
    assert current_judgments([own, settles]) == [own, settles]


def test_two_at_the_same_moment() -> None:
    """The later in order wins, whatever its time zone."""
    first, second = judgment("+"), judgment("-")
    east = Judgment(
        **{name: getattr(second, name) for name in second.__slots__}
        | {"at": second.at.astimezone(timezone(timedelta(hours=3)))}
    )
    assert current_judgments([first, east]) == [second]
    assert current_judgments([second, first]) == [first]


def test_rows_that_take_each_other_back() -> None:
    """Only a damaged file has them; neither counts, and nothing hangs."""
    one = judgment("+")
    other = judgment("-", undoes=one.id)
    ring = Judgment(**{name: getattr(one, name) for name in one.__slots__} | {"undoes": other.id})
    assert current_judgments([ring, other]) == []


@given(histories(max_size=20))
def test_as_one_would_by_hand(history: list[Judgment]) -> None:
    """Take rows back one by one, the last first; then each verdict replaces the one before."""
    taken_back: set[str] = set()
    for row in reversed(history):
        if row.undoes and row.id not in taken_back:
            taken_back.add(row.undoes)
    last = {}
    for row in history:
        if row.verdict is not None and row.id not in taken_back:
            last[row.pair, row.annotator, row.adjudicates] = row
    expected = sorted(last.values(), key=lambda row: row.at)
    assert current_judgments(history) == expected
    assert current_judgments(expected) == expected


def test_of_nothing() -> None:
    """Nothing."""
    assert current_judgments([]) == []
    assert START.tzinfo is UTC
    assert Verdict.SKIP in [each.verdict for each in current_judgments([judgment("s")])]
