"""The desk: who gets which pair, what is kept of a verdict, and what others and other tabs do meanwhile."""

import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services import annotation_desk
from jobmatch.services.annotation_desk import LEASE_SECONDS, Desk, Sides
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.queues import SECOND_OPINION
from jobmatch_core.retrieval.match_reasons import SharedWords
from jobmatch_core.retrieval.matches import compared_skills
from tests import made_marketplace
from tests.db.made_judgments import Clock

PROVENANCE = Provenance("uncertain", "model-1", 3, 0.7)


def pair(number: int) -> Pair:
    """Return a pair."""
    return Pair(PairKind.PROJECT_FREELANCER, "tiny", "p-web-0", f"f{number}")


def read(of: Pair) -> Sides | None:
    """Return the same sides for all but f13, who has left."""
    project, freelancer = made_marketplace.projects(1)[0], made_marketplace.freelancers()[0]
    if of.right == "f13":
        return None
    return Sides(project, freelancer, compared_skills(project, freelancer), *SharedWords.of(project, freelancer))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept verdicts at once."""
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 0.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LabelStore]:
    """An empty store."""
    with LabelStore.open(tmp_path / "jobmatch.db") as store:
        yield store


def desk(store: LabelStore, annotator: str = "ann", n: int = 30, *, policy: str = "uncertain") -> Desk:
    """Open a desk with the pairs 0 to *n* in order, without those that the annotator has judged."""
    provenance = PROVENANCE if policy == "uncertain" else Provenance(policy)

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        done = {each.pair for each in store.current(JudgmentFilter(annotator=annotator))} | set(without)
        return [Proposal(pair(number), provenance) for number in range(n) if pair(number) not in done]

    return Desk(store, annotator, "tiny", propose, read).open()


def at_hand(of: Desk) -> str:
    """Return the freelancer of the current pair; '' without one."""
    return of.task.proposal.pair.right if of.task else ""


def judge(of: Desk, verdict: Verdict = Verdict.POSITIVE) -> Judgment | None:
    """Judge the current pair."""
    assert of.task is not None
    return of.judge(of.task.number, verdict)


def test_pairs_come_in_the_order_of_the_queue_each_once(store: LabelStore) -> None:
    """Over several refills, without a pair whose records are gone, until the queue is empty."""
    ann, seen = desk(store), []
    assert ann.left == 30
    while ann.task is not None:
        seen.append(at_hand(ann))
        judge(ann)
    assert seen == [f"f{number}" for number in range(30) if number != 13]
    assert ann.judged == len(ann.own) == store.count() == 29
    assert ann.left == 0


def test_what_is_kept_of_a_verdict(store: LabelStore) -> None:
    """Pair, verdict, reasons, note, annotator, seconds, and provenance."""
    ann = desk(store)
    assert ann.task is not None
    ann.task.reasons, ann.task.note = ("experience",), " too far "
    judge(ann, Verdict.NEGATIVE)
    [kept] = store.judgments()
    assert (kept.pair, kept.verdict, kept.annotator) == (pair(0), Verdict.NEGATIVE, "ann")
    assert (kept.reasons, kept.note, kept.provenance) == (("experience",), "too far", PROVENANCE)
    assert kept.seconds is not None
    assert 0 <= kept.seconds < 60


def test_a_second_press_hits_nothing(store: LabelStore) -> None:
    """It was meant for the previous pair, which the browser still showed."""
    ann = desk(store)
    assert ann.task is not None
    number = ann.task.number
    ann.judge(number, Verdict.POSITIVE)
    ann.judge(number, Verdict.POSITIVE)
    assert store.count() == 1
    assert at_hand(ann) == "f1"


def test_a_verdict_on_a_pair_that_was_just_shown_does_not_count(
    store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was meant for the previous pair; a later one counts."""
    ann = desk(store)
    judge(ann)
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 3600.0)
    judge(ann, Verdict.NEGATIVE)
    assert (store.count(), at_hand(ann)) == (1, "f1")
    assert ann.task is not None
    ann.task.shown -= 3601
    judge(ann, Verdict.NEGATIVE)
    assert (store.count(), at_hand(ann)) == (2, "f2")


def test_undo_brings_the_pair_back_as_it_was_left(store: LabelStore) -> None:
    """Twice in a row; then the queue continues."""
    ann = desk(store)
    assert ann.task is not None
    ann.task.reasons, ann.task.note = ("experience",), "hm"
    judge(ann)
    judge(ann)
    ann.undo()
    undone = ann.undo()
    assert undone is not None
    assert undone.pair == pair(0)
    assert at_hand(ann) == "f0"
    assert (ann.task.reasons, ann.task.note) == (("experience",), "hm")
    assert len(ann.own) == 0
    assert ann.judged == 0
    assert [judge(ann, verdict) for verdict in (Verdict.NEGATIVE, Verdict.UNSURE)] == [None, None]
    assert at_hand(ann) == "f2"
    assert [each.verdict for each in store.current()] == [Verdict.UNSURE, Verdict.NEGATIVE]
    assert store.count() == 6


def test_undo_takes_back_what_counts_again(store: LabelStore) -> None:
    """A judgment counts again after its withdrawal was withdrawn, and can be undone."""
    judge(desk(store))
    undo = store.undo("ann")
    assert undo is not None
    store.undo("ann", undo.id)
    ann = desk(store)
    assert ann.undo() is not None
    assert (store.current(), len(ann.own)) == ([], 0)
    assert at_hand(ann) == "f0"


def test_what_was_taken_back_is_nobody_elses_meanwhile(store: LabelStore) -> None:
    """The pair is leased again."""
    ann = desk(store)
    judge(ann)
    ann.undo()
    assert at_hand(ann) == "f0"
    assert at_hand(desk(store, "bob")) == "f8"


def test_what_was_taken_back_is_shown_though_another_has_it(store: LabelStore) -> None:
    """A pair that she skipped and he leased is shown to her again, and stays his."""
    ann = desk(store, n=1)
    judge(ann, Verdict.SKIP)
    bob = desk(store, "bob", n=1)
    ann.undo()
    assert at_hand(ann) == at_hand(bob) == "f0"
    assert at_hand(desk(store, "eva", n=1)) == ""


def test_undo_reaches_back_before_the_page_was_opened(store: LabelStore) -> None:
    """Undo does not reach judgments of others or adjudications."""
    judge(desk(store))
    judge(desk(store, "bob"))
    again = desk(store)
    undone = again.undo()
    assert undone is not None
    assert (undone.annotator, undone.pair) == ("ann", pair(0))
    assert again.undo() is None
    assert at_hand(again) == "f0"


def test_two_people_never_have_the_same_pair(store: LabelStore) -> None:
    """Pairs of one desk are not given to another."""
    ann, bob = desk(store), desk(store, "bob")
    seen: list[str] = []
    for _ in range(12):
        seen += [at_hand(ann), at_hand(bob)]
        judge(ann)
        judge(bob)
    assert len(set(seen)) == 24
    assert store.count() == 24


def test_a_second_opinion_goes_to_a_second_person(store: LabelStore) -> None:
    """A third person does not get the pair."""
    judge(desk(store))
    assert at_hand(desk(store, "bob", 1, policy=SECOND_OPINION)) == "f0"
    assert at_hand(desk(store, "eva", 1, policy=SECOND_OPINION)) == ""


def test_what_was_judged_in_another_tab_does_not_come_again(store: LabelStore) -> None:
    """The current pair of both tabs is judged twice; the newer verdict counts, and she is told."""
    left, right = desk(store), desk(store)
    assert at_hand(left) == at_hand(right) == "f0"
    judge(left, Verdict.POSITIVE)
    judge(left, Verdict.POSITIVE)
    before = judge(right, Verdict.NEGATIVE)
    assert before is not None
    assert before.verdict is Verdict.POSITIVE
    assert at_hand(right) == "f2"
    assert {each.pair.right: each.verdict for each in store.current()} == {
        "f0": Verdict.NEGATIVE,
        "f1": Verdict.POSITIVE,
    }


def test_who_comes_back_late_loses_what_others_took(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict on the current pair still counts, without its time."""
    ann = desk(store)
    away = 2 * LEASE_SECONDS
    clock = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + away)
    store.release("ann")  # as if the leases had run out
    bob = desk(store, "bob")
    assert at_hand(bob) == "f0"
    judge(bob)
    judge(bob)
    judge(ann)
    [kept] = [each for each in store.judgments() if each.annotator == "ann"]
    assert kept.pair == pair(0)
    assert kept.seconds is None
    assert at_hand(ann) not in {"f0", "f1", at_hand(bob)}


def test_a_refill_renews_no_older_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expired ones are his; those of the refill stay hers."""
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", lambda: clock().timestamp())
    with LabelStore.open(tmp_path / "jobmatch.db", clock) as store:
        ann = desk(store)
        clock.wait(LEASE_SECONDS - 1)
        while ann._refilling is None:
            judge(ann)
        assert at_hand(ann) == "f4"
        assert ann._refilling.wait(30)  # f8 and those behind it are hers from now on
        clock.wait(2)
        bob = desk(store, "bob")
        assert at_hand(bob) == "f4"
        judge(ann)
        assert at_hand(ann) == "f8"
        assert at_hand(desk(store, "eva")) not in {f"f{number}" for number in range(16)}


def test_what_is_leased_again_is_kept_as_long_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is not asked at every verdict."""
    clock, asked = Clock(), list[int]()
    monkeypatch.setattr(time, "monotonic", lambda: clock().timestamp())
    with LabelStore.open(tmp_path / "jobmatch.db", clock) as store:
        ann = desk(store, n=8)
        lease = store.lease

        def counted(pairs: Collection[Pair], *args: Any, **more: Any) -> list[Pair]:
            asked.append(len(pairs))
            return lease(pairs, *args, **more)

        monkeypatch.setattr(store, "lease", counted)
        clock.wait(LEASE_SECONDS)
        judge(ann)
        judge(ann)
        assert asked == [7]
        clock.wait(LEASE_SECONDS - 1)
        assert at_hand(desk(store, "bob", n=8)) == ""
        judge(ann)
        assert at_hand(ann) == "f3"
        assert asked == [7, 8]  # hers once, and his


def test_closing_gives_back_what_waits(store: LabelStore) -> None:
    """Somebody else can lease the pairs at once."""
    ann = desk(store)
    assert at_hand(desk(store, "bob")) != "f0"
    ann.close()
    assert at_hand(desk(store, "eva")) == "f0"


def test_closing_gives_back_what_is_being_loaded(store: LabelStore) -> None:
    """No pair stays leased, also with a refill in progress."""
    ann = desk(store, n=12)
    while ann._refilling is None:
        judge(ann)
    ann.close()
    left = store.lease(map(pair, range(12)), "eva", for_seconds=9, count=12)
    assert len(left) == 12 - store.count()


def test_chosen_pairs_are_shown_whoever_judged_them(store: LabelStore) -> None:
    """With the earlier judgment, and each once."""
    judge(desk(store), Verdict.NEGATIVE)
    waiting = [Proposal(pair(0), Provenance("find-freelancers"))]

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        taken = waiting.copy()
        waiting.clear()
        return taken

    ann = Desk(store, "ann", "tiny", propose, read, chosen=True).open()
    assert ann.task is not None
    assert ann.task.before is not None
    assert ann.task.before.verdict is Verdict.NEGATIVE
    judge(ann)
    assert ann.task is None
    assert [each.verdict for each in store.current()] == [Verdict.POSITIVE]


def test_a_verdict_that_cannot_be_kept_leaves_the_pair(store: LabelStore) -> None:
    """The error is raised, and she can try again."""
    ann = desk(store)
    assert ann.task is not None
    ann.task.note = "half a character: \ud800"
    with pytest.raises(LabelStoreError, match="note"):
        judge(ann)
    assert at_hand(ann) == "f0"
    ann.task.note = ""
    judge(ann)
    assert store.count() == 1


def test_nothing_waits(store: LabelStore) -> None:
    """An empty queue is not an error."""
    assert desk(store, n=0).task is None
    assert desk(store, n=0).undo() is None
