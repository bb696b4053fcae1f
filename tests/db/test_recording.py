"""Judgments are kept as they are, once, for good; what is taken back is so by another judgment.

Claims: what was judged under a typed name counts for the person who has signed in since.
"""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError

from db.database import Database
from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.labels import current_judgments
from tests.db.made_judgments import NOON, Clock, make_judgment, make_pair
from tests.db.settled_pairs import pair_verdicts

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.none()
MOMENTS = st.datetimes(
    datetime(1, 1, 3),
    datetime(9999, 12, 29),
    timezones=st.timedeltas(timedelta(hours=-23), timedelta(hours=23)).map(timezone),
)
JUDGMENTS = st.builds(
    Judgment,
    id=st.builds(lambda: str(uuid4())),  # new in every example, for the store keeps what was recorded in those before
    pair=st.builds(Pair, kind=st.sampled_from(PairKind), source=TEXTS, left=TEXTS, right=TEXTS),
    verdict=st.sampled_from(Verdict),
    annotator=TEXTS.filter(lambda name: name.strip()),
    at=MOMENTS,
    provenance=st.builds(
        Provenance, policy=TEXTS, model=TEXTS, rank=st.integers(1, 2**31 - 1) | st.none(), score=NUMBERS
    ),
    reasons=st.lists(TEXTS, max_size=3).map(tuple),
    note=TEXTS,
    seconds=NUMBERS,
    adjudicates=st.booleans(),
)
CHANGES: list[dict[str, Any]] = [
    {"verdict": Verdict.NEGATIVE},
    {"annotator": "Bob"},
    {"note": "!"},
    {"reasons": ("skills",)},
    {"seconds": 2.0},
    {"at": NOON},
    {"pair": make_pair("other")},
    {"adjudicates": True},
    {"provenance": Provenance("random", rank=1)},
]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(judgments=st.lists(JUDGMENTS, max_size=4, unique_by=lambda judgment: judgment.id))
def test_what_is_recorded_comes_back(store: LabelStore, judgments: list[Judgment]) -> None:
    """Any text, any finite number, any moment in any time zone, to the last bit."""
    store.record_all(judgments)
    kept = {judgment.id: judgment for judgment in store.as_recorded()}
    assert [kept[judgment.id] for judgment in judgments] == judgments
    assert all(each.at.utcoffset() == timedelta(0) for each in kept.values())


def test_long_texts_are_kept(store: LabelStore) -> None:
    """Longer than what databases index."""
    judgment = make_judgment(pair=make_pair("r" * 100_000, left="ł" * 100_000), note="n" * 100_000)
    store.record(judgment)
    assert store.judgments() == [judgment]


def test_numbers_of_numpy(store: LabelStore) -> None:
    """Models give scores as they reckon."""
    judgment = make_judgment(seconds=np.float64(2.5), provenance=Provenance("", "", np.int64(3), np.float32(0.1)))
    assert store.record(judgment)
    assert not store.record(judgment)
    assert store.judgments() == [judgment]


def test_what_is_sent_twice_is_kept_once(store: LabelStore) -> None:
    """Alone, and in one go."""
    judgment = make_judgment()
    assert store.record(judgment)
    assert not store.record(judgment)
    assert store.record_all([judgment, judgment, other := make_judgment(), other]) == 1
    assert store.judgments() == [other, judgment]


def test_the_same_moment_elsewhere_is_the_same(store: LabelStore) -> None:
    """12:00 in London in winter is 13:00 in Paris."""
    judgment = make_judgment(at=NOON)
    store.record(judgment)
    assert not store.record(replace(judgment, at=NOON.astimezone(timezone(timedelta(hours=1)))))


def test_an_id_is_never_given_other_content(store: LabelStore) -> None:
    """Whatever differs; the first stays."""
    judgment = make_judgment()
    store.record(judgment)
    for change in CHANGES:
        with pytest.raises(LabelStoreError, match="never changed"):
            store.record(replace(judgment, **change))
    assert store.judgments() == [judgment]


def test_all_are_kept_or_none(store: LabelStore) -> None:
    """One that cannot be kept holds back those with it."""
    store.record(first := make_judgment())
    with pytest.raises(LabelStoreError, match="never changed"):
        store.record_all([make_judgment(), replace(first, note="other")])
    assert store.count() == 1


def test_each_is_kept_that_can_be(store: LabelStore) -> None:
    """In their order, whatever stands beside them; why the others are not is said."""
    store.record(first := make_judgment())
    store.undo("Ann", first.id)
    late, unstored = make_judgment(None, undoes=first.id), make_judgment(note="\0")
    good = [make_judgment(pair=make_pair(str(number))) for number in range(5)]
    undo = make_judgment(None, pair=good[0].pair, undoes=good[0].id)
    refused = store.record_each([good[0], late, *good[1:3], unstored, undo, *good[3:], good[4]])
    assert set(refused) == {late.id, unstored.id}
    assert "already withdrawn" in refused[late.id]
    assert "NUL character" in refused[unstored.id]
    assert list(store.as_recorded())[2:] == [*good[:3], undo, *good[3:]]
    assert store.record_each(good) == store.record_each([]) == {}
    assert store.count() == 8


def test_none_is_kept_where_the_store_cannot_be_used(sqlite_path: Path) -> None:
    """That is an error, not a refusal: what is held can be kept later."""
    with LabelStore.open(sqlite_path) as store:
        with store._database.writing() as connection:
            connection.exec_driver_sql("PRAGMA user_version")
            connection.exec_driver_sql("PRAGMA query_only = ON")
        with pytest.raises(LabelStoreError, match="is read-only"):
            store.record_each([make_judgment(), make_judgment()])
        assert store.count() == 0


def test_many_at_once(store: LabelStore) -> None:
    """More than the databases take in a statement, with undos of what came just before."""
    judgments = [make_judgment(pair=make_pair(str(number % 400))) for number in range(600)]
    undos = [make_judgment(None, pair=each.pair, undoes=each.id) for each in judgments[::3]]
    assert store.record_all(judgments + undos) == 800
    assert list(store.as_recorded()) == judgments + undos
    assert store.counts().total == 400 - len(
        {each.pair for each in judgments} - {each.pair for each in store.current()}
    )


def test_more_judgments_than_a_statement_has_parameters(sqlite_path: Path) -> None:
    """Judgments, adjudications, withdrawals and the verdicts on their pairs are written and read in parts."""

    def allow_few_parameters(connection: sqlite3.Connection, _: object) -> None:
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1500)  # SQLite's own limit would take minutes

    pairs = [make_pair(str(number)) for number in range(1600)]
    event.listen(Engine, "connect", allow_few_parameters)
    try:
        with LabelStore.open(sqlite_path) as store:
            settled = [make_judgment(pair=pair, adjudicates=True) for pair in pairs]
            assert store.record_all(settled) == len(pairs)
            withdrawn = [make_judgment(None, pair=one.pair, undoes=one.id, adjudicates=True) for one in settled[:1599]]
            assert store.record_each(withdrawn) == {}
            assert store.taken_back(judgment.id for judgment in settled) == {one.id for one in settled[:1599]}
            assert [judged.pair for judged in store.judged_pairs("Eva", pairs)] == [pairs[-1]]
            store.release("Ann", pairs)
    finally:
        event.remove(Engine, "connect", allow_few_parameters)


def test_undo_takes_back_one_after_the_other(store: LabelStore) -> None:
    """The last recorded of this annotator that still counts, until none is left."""
    early, late = make_judgment(pair=make_pair("a")), make_judgment(pair=make_pair("b"))
    others = make_judgment(annotator="Bob")
    store.record_all([early, late, others])
    undo = store.undo("Ann")
    assert undo is not None
    assert (undo.undoes, undo.pair, undo.verdict) == (late.id, late.pair, None)
    assert store.current() == [others, early]
    assert store.undo("Ann").undoes == early.id
    assert store.undo("Ann") is None
    assert store.undo("nobody") is None
    assert store.current() == [others]
    assert store.count() == 5


def test_a_clock_that_is_set_back(where: str) -> None:
    """What is said after that counts, is taken back first, and stays in its place; elsewhere, too."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        first = make_judgment(Verdict.POSITIVE, at=clock.now)
        clock.wait(-3600)
        second = make_judgment(Verdict.NEGATIVE, at=clock.now)
        settled = make_judgment(Verdict.POSITIVE, "Zoe", at=clock.now + timedelta(hours=2), adjudicates=True)
        unsettled = make_judgment(Verdict.NEGATIVE, "Abe", at=clock.now, adjudicates=True)
        for judgment in (first, second, settled, unsettled):
            store.record(judgment)
        assert store.current(JudgmentFilter(adjudicates=False)) == [second]
        assert store.judgments() == [unsettled, settled, second, first]
        assert [each.verdict for each in pair_verdicts(store)] == [Verdict.NEGATIVE]
        clock.wait(-3600)
        assert store.undo("Abe").undoes == unsettled.id
        assert [each.verdict for each in pair_verdicts(store)] == [Verdict.POSITIVE]
        assert store.undo("Ann").undoes == second.id
        assert store.current(JudgmentFilter(adjudicates=False)) == [first]
        assert current_judgments(store.as_recorded()) == store.current()[::-1]


def test_what_was_said_before_counts_again(store: LabelStore) -> None:
    """To change one's mind is one more judgment, and may be undone like any other."""
    first, second = make_judgment(Verdict.POSITIVE), make_judgment(Verdict.NEGATIVE)
    store.record_all([first, second])
    assert store.current() == [second]
    store.undo("Ann")
    assert store.current() == [first]


def test_undo_of_an_undo(store: LabelStore) -> None:
    """What it took back counts again, as of when it was judged: not before what came later."""
    first, second = make_judgment(Verdict.POSITIVE), make_judgment(Verdict.NEGATIVE)
    store.record_all([first, second])
    undo = store.undo("Ann", first.id)
    assert store.taken_back([first.id, second.id, undo.id]) == {first.id}
    redo = store.undo("Ann", undo.id)
    assert (redo.undoes, redo.verdict) == (undo.id, None)
    assert store.taken_back([first.id, second.id, undo.id, redo.id]) == {undo.id}
    assert store.current() == [second]
    store.undo("Ann")
    assert store.current() == [first]
    store.undo("Ann", redo.id)
    assert store.current() == []


def test_taking_back_what_counts_again(store: LabelStore) -> None:
    """A judgment whose undo was undone is taken back by the last link of its chain; other pairs are left alone."""
    first, other = make_judgment(), make_judgment(pair=make_pair("other"))
    store.record_all([first, other])
    undo = store.take_back("Ann", first.id)
    assert undo.undoes == first.id
    redo = store.undo("Ann", undo.id)
    assert set(store.current()) == {first, other}
    assert store.take_back("Ann", first.id).undoes == redo.id
    assert store.current() == [other]


def test_what_does_not_count_is_not_taken_back(store: LabelStore) -> None:
    """Twice the same, nothing of somebody else's, nothing unknown; nothing changes."""
    first = make_judgment()
    store.record_all([first, make_judgment(annotator="Bob")])
    store.take_back("Ann", first.id)
    for annotator, judgment_id, problem in (
        ("Ann", first.id, "already withdrawn"),
        ("Ann", "unknown", "no judgment"),
        ("Ann", store.current()[0].id, "another annotator|Bob"),
    ):
        with pytest.raises(LabelStoreError, match=problem):
            store.take_back(annotator, judgment_id)
    assert [each.annotator for each in store.current()] == ["Bob"]


def test_a_judgment_may_replace_another(store: LabelStore) -> None:
    """It takes back and says something else; taken back itself, the other counts again."""
    first = make_judgment(Verdict.POSITIVE)
    second = make_judgment(Verdict.NEGATIVE, undoes=first.id)
    store.record_all([first, second])
    assert store.current() == [second]
    store.undo("Ann")
    assert store.current() == [first]


def test_what_may_not_be_taken_back(store: LabelStore) -> None:
    """Others' judgments, what is taken back already, what there is not, what is of another pair."""
    judgment = make_judgment()
    store.record(judgment)
    with pytest.raises(LabelStoreError, match="'Bob' cannot withdraw a judgment of 'Ann'"):
        store.undo("Bob", judgment.id)
    with pytest.raises(LabelStoreError, match="no judgment 'x'"):
        store.undo("Ann", "x")
    with pytest.raises(LabelStoreError, match="record that one first"):
        store.record(make_judgment(None, undoes=make_judgment().id))
    with pytest.raises(LabelStoreError, match="another pair"):
        store.record(make_judgment(None, pair=make_pair("other"), undoes=judgment.id))
    store.undo("Ann", judgment.id)
    with pytest.raises(LabelStoreError, match="already withdrawn"):
        store.undo("Ann", judgment.id)
    undos = [make_judgment(None, undoes=(other := make_judgment()).id) for _ in range(2)]
    store.record(other)
    with pytest.raises(LabelStoreError, match="already withdrawn"):
        store.record_all([undos[1], replace(undos[1], id=undos[0].id)])
    assert store.count() == 3


def test_the_database_refuses_to_forget(store: LabelStore, database: Database) -> None:
    """Whoever asks: rows are only ever added."""
    store.record(judgment := make_judgment())
    for change in ("UPDATE judgments SET note = 'x'", "DELETE FROM judgments", "DELETE FROM pairs"):
        with pytest.raises(DBAPIError, match="only ever added"), database.writing() as connection:
            connection.exec_driver_sql(change)
    assert store.judgments() == [judgment]


def test_times_are_of_utc(store: LabelStore) -> None:
    """To the microsecond."""
    store.record(make_judgment(at=datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=timezone(timedelta(hours=-5)))))
    assert store.judgments()[0].at == datetime(2026, 2, 1, 4, 59, 59, 999999, tzinfo=UTC)


NEW = "person-1"


def without_id(judgment: Judgment) -> Judgment:
    """Return a judgment without what a claim changes."""
    return replace(judgment, id="", annotator="", undoes="")


def test_judgments_count_for_the_new_annotator(store: LabelStore) -> None:
    """With their times, reasons and notes; nothing counts for the old one, and all rows stay."""
    first = make_judgment(annotator="Ada", note="seen", reasons=("skills",))
    second = make_judgment(Verdict.NEGATIVE, "Ada", make_pair("other"), seconds=2.5)
    others = make_judgment(annotator="Bob")
    store.record_all([first, second, others])
    assert store.claim("Ada", NEW, "admin") == 2
    claimed = store.current(JudgmentFilter(annotator=NEW))[::-1]
    assert [without_id(each) for each in claimed] == [without_id(first), without_id(second)]
    assert store.current(JudgmentFilter(annotator="Ada")) == []
    assert store.current(JudgmentFilter(annotator="Bob")) == [others]
    assert store.count() == 3 + 2 + 2
    notes = {each.note for each in store.judgments(JudgmentFilter(annotator="Ada")) if each.verdict is None}
    assert notes == {"Claimed for person-1 by admin"}


def test_what_the_new_annotator_has_judged_stays(store: LabelStore) -> None:
    """The pair has one verdict of one person, not two."""
    own = make_judgment(Verdict.NEGATIVE, NEW)
    store.record_all([make_judgment(annotator="Ada"), own])
    assert store.claim("Ada", NEW, "admin") == 0
    assert store.current() == [own]
    [verdict] = pair_verdicts(store)
    assert (verdict.positive, verdict.negative) == (0, 1)


def test_withdrawn_judgments_stay_withdrawn(store: LabelStore) -> None:
    """A judgment whose undo was withdrawn counts again."""
    gone, back = make_judgment(annotator="Ada"), make_judgment(annotator="Ada", pair=make_pair("other"))
    store.record_all([gone, back])
    store.undo("Ada", gone.id)
    undone = store.undo("Ada", back.id)
    assert undone is not None
    store.undo("Ada", undone.id)
    assert store.claim("Ada", NEW, "admin") == 1
    assert [each.pair for each in store.current()] == [back.pair]
    assert store.take_back(NEW, store.current()[0].id).annotator == NEW


def test_an_overruled_adjudication_overrules_nothing(store: LabelStore) -> None:
    """The later adjudication of somebody else still settles the pair."""
    early = make_judgment(Verdict.POSITIVE, "Ada", adjudicates=True)
    late = make_judgment(Verdict.NEGATIVE, "Bob", adjudicates=True)
    counting = make_judgment(Verdict.POSITIVE, "Ada", make_pair("other"), adjudicates=True)
    store.record_all([early, late, counting])
    assert store.claim("Ada", NEW, "admin") == 1
    assert {each.pair.right: each.verdict for each in pair_verdicts(store)} == {
        "freelancer": Verdict.NEGATIVE,
        "other": Verdict.POSITIVE,
    }
    assert [each.annotator for each in store.current(JudgmentFilter(pairs=(counting.pair,)))] == [NEW]


def test_a_claim_there_and_back(store: LabelStore) -> None:
    """Nothing is lost."""
    store.record(make_judgment(annotator="Ada"))
    assert [store.claim("Ada", NEW, "admin"), store.claim(NEW, "Ada", "admin"), store.claim("Ada", NEW, "x")] == [
        1,
        1,
        1,
    ]
    assert [each.annotator for each in store.current()] == [NEW]


def test_a_claim_of_ones_own(store: LabelStore) -> None:
    """It is refused; of somebody unknown there is nothing to claim."""
    with pytest.raises(LabelStoreError, match="give two different annotators"):
        store.claim("Ada", "Ada", "admin")
    assert store.claim("nobody", NEW, "admin") == 0
