"""What counts at the moment, by annotator and pair, and by pair."""

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from db import verdicts
from db.history import JudgmentFilter
from db.label_store import LabelStore
from db.rows import pair_keys
from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.judgment_tallies import PairJudgments
from jobmatch_core.labelling.labels import current_judgments
from tests.db.made_judgments import NOON, make_judgment, make_pair
from tests.db.settled_pairs import PairVerdict, pair_verdicts

POSITIVE, NEGATIVE, UNSURE, SKIP = Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE, Verdict.SKIP
EXAMPLES = count()


def settle(store: LabelStore, *said: Verdict, adjudicated: tuple[Verdict, ...] = ()) -> PairVerdict:
    """Let as many annotators say something of one pair; return what it counts as."""
    store.record_all(make_judgment(verdict, f"annotator {number}") for number, verdict in enumerate(said))
    store.record_all(make_judgment(verdict, f"judge {verdict}", adjudicates=True) for verdict in adjudicated)
    [verdict] = pair_verdicts(store)
    return verdict


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ([POSITIVE], POSITIVE),
        ([UNSURE], UNSURE),
        ([SKIP, SKIP], SKIP),
        ([NEGATIVE, SKIP, SKIP], NEGATIVE),
        ([POSITIVE, NEGATIVE], None),
        ([POSITIVE, UNSURE], None),
        ([POSITIVE, POSITIVE, NEGATIVE], POSITIVE),
        ([POSITIVE, POSITIVE, NEGATIVE, UNSURE], None),
        ([NEGATIVE, NEGATIVE, NEGATIVE, UNSURE, POSITIVE, SKIP], NEGATIVE),
    ],
)
def test_what_more_than_half_say(store: LabelStore, said: list[Verdict], verdict: Verdict | None) -> None:
    """Of those who did not skip."""
    counted = settle(store, *said)
    assert (counted.verdict, counted.adjudicated) == (verdict, False)
    votes = (counted.positive, counted.negative, counted.unsure, counted.skip)
    assert votes == tuple(said.count(each) for each in Verdict)


def test_an_adjudication_settles_a_pair(store: LabelStore) -> None:
    """Whatever the others say, and is not one of them."""
    assert settle(store, POSITIVE, POSITIVE, adjudicated=(NEGATIVE,)) == PairVerdict(
        make_pair(), NEGATIVE, adjudicated=True, positive=2, negative=0, unsure=0, skip=0
    )


def test_the_latest_adjudication_settles(store: LabelStore) -> None:
    """A skipped one settles nothing."""
    assert settle(store, POSITIVE, adjudicated=(NEGATIVE, UNSURE, SKIP)).verdict is UNSURE


def test_an_adjudication_can_be_taken_back(store: LabelStore) -> None:
    """Then the others count again."""
    settle(store, POSITIVE, adjudicated=(NEGATIVE,))
    store.undo("judge negative")
    assert settle(store).verdict is POSITIVE


def test_who_adjudicates_keeps_what_they_said_before(store: LabelStore) -> None:
    """An adjudicator has seen what others said, so it does not stand for their own view."""
    own, adjudication = make_judgment(POSITIVE), make_judgment(NEGATIVE, adjudicates=True)
    store.record_all([own, adjudication])
    assert store.current() == [adjudication, own]
    assert store.current(JudgmentFilter(adjudicates=False)) == [own]


@dataclass
class Model:
    """The same in the plainest words: a list, and what is said about it."""

    rows: list[Judgment] = field(default_factory=list)

    def stands(self, judgment: Judgment) -> bool:
        """Nothing that stands takes it back."""
        return not any(self.stands(later) for later in self.rows if later.undoes == judgment.id)

    def newest(self, rows: list[Judgment]) -> Judgment:
        """The one recorded last, whatever the clock said."""
        return max(rows, key=self.rows.index)

    def current(self) -> set[Judgment]:
        """The newest of each annotator and pair."""
        said = [row for row in self.rows if row.verdict is not None and self.stands(row)]
        groups = {(row.annotator, row.pair, row.adjudicates) for row in said}
        return {
            self.newest([row for row in said if (row.annotator, row.pair, row.adjudicates) == group])
            for group in groups
        }

    def pair_verdict(self, pair: Pair) -> Verdict | None:
        """An adjudication, or what more than half say."""
        said = [row for row in self.current() if row.pair == pair]
        settling = [row for row in said if row.adjudicates and row.verdict is not SKIP]
        votes = [row.verdict for row in said if not row.adjudicates and row.verdict is not SKIP]
        if settling:
            return self.newest(settling).verdict
        return SKIP if not votes else next((each for each in Verdict if votes.count(each) > len(votes) / 2), None)

    def end_of_chain(self, row: Judgment) -> Judgment:
        """The last of those that take one another back, beginning with a row."""
        undoing = next((other for other in self.rows if other.undoes == row.id), None)
        return self.end_of_chain(undoing) if undoing else row

    def undone_by(self, annotator: str, target: int | None) -> Judgment | None:
        """What an undo takes back; LabelStoreError where it may not."""
        if target is None:
            own = [row for row in self.rows if row.annotator == annotator and row.verdict and self.stands(row)]
            return self.end_of_chain(self.newest(own)) if own else None
        undone = self.rows[target]
        if undone.annotator != annotator or any(row.undoes == undone.id for row in self.rows):
            raise LabelStoreError
        return undone


ANNOTATORS, PAIRS, MINUTES = st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)
JUDGE = st.tuples(st.just("judge"), ANNOTATORS, PAIRS, st.sampled_from(Verdict), MINUTES, st.booleans())
UNDO = st.tuples(st.just("undo"), ANNOTATORS, st.none() | st.integers(0, 9))
REPLACE = st.tuples(st.just("replace"), st.integers(0, 9), st.sampled_from(Verdict), MINUTES)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(JUDGE | UNDO | REPLACE, max_size=12))
@example(steps=[("judge", 0, 0, Verdict.POSITIVE, 0, False), ("undo", 0, None), ("undo", 0, 1), ("undo", 0, None)])
def test_any_sequence_counts_as_in_the_model(store: LabelStore, steps: list[tuple]) -> None:
    """Judgments, undos of undos, adjudications and replacements, many of them in the same minute."""
    example = str(next(EXAMPLES))
    model = Model()
    for step in steps:
        take(step, store, model, example)
    current = store.current(JudgmentFilter(source=example))
    assert set(current) == model.current() == set(current_judgments(model.rows))
    assert len(current) == len(model.current())
    verdicts = pair_verdicts(store, example)
    assert {each.pair for each in verdicts} == {row.pair for row in current}
    assert all(each.verdict == model.pair_verdict(each.pair) for each in verdicts)
    ids = [row.id for row in model.rows]
    assert store.taken_back(ids) == {row.id for row in model.rows if not model.stands(row)}


def take(step: tuple, store: LabelStore, model: Model, example: str) -> None:
    """Do the same in the store and in the model; names and pairs are the example's own."""
    action, *values = step
    if action == "judge":
        annotator, pair, verdict, minute, adjudicates = values
        at = NOON + timedelta(minutes=minute)
        pair = make_pair(str(pair), source=example)
        row = make_judgment(verdict, f"{annotator} of {example}", pair, at=at, adjudicates=adjudicates)
        assert store.record_all([row], history=True)
        model.rows.append(row)
        return
    if action == "replace":
        target, verdict, minute = values
        if target < len(model.rows) and not any(row.undoes == model.rows[target].id for row in model.rows):
            old = model.rows[target]
            at = NOON + timedelta(minutes=minute)
            row = make_judgment(verdict, old.annotator, old.pair, at=at, undoes=old.id)
            assert store.record(row)
            model.rows.append(row)
        return
    annotator, target = f"{values[0]} of {example}", values[1]
    if target is not None and target >= len(model.rows):
        return
    try:
        undone = model.undone_by(annotator, target)
    except LabelStoreError:
        with pytest.raises(LabelStoreError):
            store.undo(annotator, model.rows[target].id)
        return
    undo = store.undo(annotator, None if target is None else undone.id)
    assert (undo and undo.undoes) == (undone and undone.id)
    model.rows += [undo] if undo else []


def test_all_of_one_moment(store: LabelStore, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded and withdrawn while the current judgments are read is not among them, in blocks of any size."""
    monkeypatch.setattr(verdicts, "_ROWS_READ", 2)
    monkeypatch.setattr(verdicts, "_ROWS_IN_BLOCK", 3)
    given = [make_judgment(annotator=f"annotator {number}") for number in range(8)]
    store.record_all(given)
    with store.all_current() as current, LabelStore.open(where) as other:
        other.record(make_judgment(NEGATIVE, "late"))
        other.take_back(given[-1].annotator, given[-1].id)
        blocks = list(current.blocks)
    assert [len(block.id) for block in blocks] == [4, 4]
    assert [id_ for block in blocks for id_ in block.id] == [each.id for each in given]
    assert [(alike.votes.positive, alike.votes.negative, alike.pairs) for alike in current.pairs] == [(8, 0, 1)]


def test_pairs_by_their_keys(store: LabelStore) -> None:
    """In the order asked for, each with what counts; of a pair of which all is withdrawn there is nothing."""
    first, second = make_judgment(pair=make_pair("a")), make_judgment(NEGATIVE, pair=make_pair("b"))
    settled = make_judgment(UNSURE, "judge", first.pair, adjudicates=True)
    store.record_all([first, second, settled])
    store.undo(second.annotator, second.id)
    keys = pair_keys([second.pair, first.pair])
    assert store.judgments_of(keys) == [PairJudgments(second.pair, ()), PairJudgments(first.pair, (first, settled))]
    assert store.judgments_of([]) == []
