"""Whose turn it is: no pair goes to two people unless that is asked for."""

from collections.abc import Iterator

import pytest

from db.label_store import LabelStore
from jobmatch_core.entities import Pair, Verdict
from tests.db.made_judgments import Clock, make_judgment, make_pair

PAIRS = [make_pair(name) for name in "abcde"]
A, B, C, D, E = PAIRS


@pytest.fixture
def clock() -> Clock:
    """A clock that stands."""
    return Clock()


@pytest.fixture
def store(where: str, clock: Clock) -> Iterator[LabelStore]:
    """An empty store that goes by that clock."""
    with LabelStore.open(where, clock) as opened:
        yield opened


def hand(store: LabelStore, annotator: str, count: int = 1, people: int = 1, queue: list[Pair] = PAIRS) -> list[Pair]:
    """Lease for a minute."""
    return store.lease(queue, annotator, for_seconds=60, count=count, annotators_per_pair=people)


def test_everybody_gets_something_else(store: LabelStore) -> None:
    """The first that are free, in the order of the queue, as long as there are any."""
    assert hand(store, "Ann", 2) == [A, B]
    assert hand(store, "Bob", 2) == [C, D]
    assert hand(store, "Cid", 2) == [E]
    assert hand(store, "Dan", 2) == []
    assert hand(store, "Dan", 0, queue=[make_pair("f")]) == []


def test_what_somebody_holds_they_are_handed_again(store: LabelStore, clock: Clock) -> None:
    """After a reload, say; and the time begins anew."""
    assert hand(store, "Ann") == [A]
    clock.wait(40)
    assert hand(store, "Ann") == [A]
    clock.wait(40)
    assert hand(store, "Bob") == [B]


def test_leases_expire(store: LabelStore, clock: Clock) -> None:
    """To the microsecond."""
    assert hand(store, "Ann") == [A]
    clock.wait(59.999999)
    assert hand(store, "Bob", queue=[A]) == []
    clock.wait(0.000001)
    assert hand(store, "Bob", queue=[A]) == [A]
    assert hand(store, "Ann", queue=[A]) == []


def test_who_has_judged_or_skipped_is_not_asked_again(store: LabelStore) -> None:
    """Unless they take it back."""
    store.record(make_judgment(Verdict.POSITIVE, "Ann", A))
    store.record(make_judgment(Verdict.SKIP, "Ann", B))
    assert hand(store, "Ann", people=2) == [C]
    store.undo("Ann")
    assert hand(store, "Ann", people=2) == [B]


def test_a_judged_pair_is_done_a_skipped_one_is_not(store: LabelStore) -> None:
    """Somebody else has to judge what was skipped; unsure is a verdict."""
    store.record(make_judgment(Verdict.UNSURE, "Ann", A))
    store.record(make_judgment(Verdict.SKIP, "Ann", B))
    assert hand(store, "Bob") == [B]


def test_the_latest_word_is_what_counts(store: LabelStore) -> None:
    """Who skips after all has not judged."""
    store.record(make_judgment(Verdict.POSITIVE, "Ann", A))
    store.record(make_judgment(Verdict.SKIP, "Ann", A))
    assert hand(store, "Bob") == [A]
    assert hand(store, "Ann") == [B]


def test_a_judgment_ends_the_lease(store: LabelStore) -> None:
    """Of its annotator on its pair; taken back, the pair is free for all."""
    hand(store, "Ann", 2)
    store.record(make_judgment(annotator="Ann", pair=A))
    store.record(make_judgment(annotator="Bob", pair=B))
    store.undo("Ann")
    store.undo("Bob")
    assert hand(store, "Cid", 5) == [A, C, D, E]


def test_double_annotation(store: LabelStore) -> None:
    """As many people as asked for, each once, judged or before them."""
    store.record(make_judgment(annotator="Ann", pair=A))
    assert hand(store, "Bob", people=2) == [A]
    assert hand(store, "Cid", people=2) == [B]
    assert hand(store, "Cid", people=3) == [A]
    assert hand(store, "Ann", people=3) == [B]


def test_an_annotator_who_also_adjudicated_is_one(store: LabelStore) -> None:
    """People are counted, not judgments."""
    store.record(make_judgment(annotator="Ann", pair=A))
    store.record(make_judgment(annotator="Ann", pair=A, adjudicates=True))
    assert hand(store, "Bob", people=2) == [A]


def test_given_back(store: LabelStore) -> None:
    """Some, or all."""
    hand(store, "Ann", 3)
    hand(store, "Bob", 1)
    store.release("Ann", [A, E])
    assert hand(store, "Cid", 2) == [A, E]
    store.release("Ann")
    assert hand(store, "Cid", 5) == [A, B, C, E]


def test_a_pair_that_is_named_twice(store: LabelStore) -> None:
    """Is handed out once."""
    assert hand(store, "Ann", 3, queue=[A, A, B]) == [A, B]


def test_a_long_queue(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of it is read than is needed, and all of it where nothing is free before."""
    monkeypatch.setattr("db.leases._CANDIDATES_AT_ONCE", 10)
    queue = [make_pair(str(number)) for number in range(25)]
    store.record_all(make_judgment(annotator="Ann", pair=pair) for pair in queue[:18])
    assert hand(store, "Bob", 3, queue=queue) == queue[18:21]
    assert hand(store, "Cid", 9, queue=queue) == queue[21:]
    unread = iter([make_pair("new"), *queue])
    assert hand(store, "Dan", queue=unread) == [make_pair("new")]
    assert list(unread) == queue[9:]
