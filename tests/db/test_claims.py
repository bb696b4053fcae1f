"""Claims: what was judged under a typed name counts for the person who has signed in since."""

from dataclasses import replace

import pytest

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment, make_pair

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
    [verdict] = store.pair_verdicts()
    assert (verdict.positive, verdict.negative) == (0, 1)


def test_withdrawn_judgments_stay_withdrawn(store: LabelStore) -> None:
    """And one whose undo was withdrawn counts."""
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
    assert {each.pair.right: each.verdict for each in store.pair_verdicts()} == {
        "freelancer": Verdict.NEGATIVE, "other": Verdict.POSITIVE,
    }  # fmt: skip
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
