"""Who may settle a disagreement: nobody their own."""

import pytest

from db.label_store import LabelStore
from jobmatch_core.entities import Verdict
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment, make_pair


def test_nobody_settles_a_disagreement_of_their_own(store: LabelStore) -> None:
    """A name that differs only in case and white space is the same person, also if both judgments come at once."""
    for name, verdict in (("Ann", Verdict.POSITIVE), ("Bob Lee", Verdict.NEGATIVE), ("Eva", Verdict.SKIP)):
        store.record(make_judgment(verdict, name))
    for name in ("Ann", "ann ", "BOB  Lee"):
        own = make_judgment(Verdict.POSITIVE, name, adjudicates=True)
        with pytest.raises(LabelStoreError, match="somebody else must settle it"):
            store.record(own)
        assert list(store.record_each([own])) == [own.id]
    other = make_pair("other")
    both = [
        make_judgment(Verdict.NEGATIVE, "Ann", other),
        make_judgment(Verdict.POSITIVE, "Bob", other),
        make_judgment(Verdict.POSITIVE, "Bob", other, adjudicates=True),
    ]
    with pytest.raises(LabelStoreError, match="somebody else must settle it"):
        store.record_all(both)
    assert store.count() == 3
    assert store.record(make_judgment(Verdict.POSITIVE, "Eva", adjudicates=True))
    assert store.record_all(both, history=True) == 3
    assert store.record_all(both) == 0  # what is stored is taken in again


def test_who_took_their_verdict_back_may_settle(store: LabelStore) -> None:
    """As may those who judge a pair after they have settled it, and those who agree with everybody."""
    store.record_all([make_judgment(Verdict.POSITIVE, "Ann"), make_judgment(Verdict.NEGATIVE, "Bob")])
    store.undo("Ann")
    store.record_all([make_judgment(Verdict.UNSURE, "Eva"), make_judgment(Verdict.POSITIVE, "Ann", adjudicates=True)])
    agreed = make_pair("agreed")
    store.record(make_judgment(Verdict.POSITIVE, "Ann", agreed))
    assert store.record(make_judgment(Verdict.NEGATIVE, "Ann", agreed, adjudicates=True))
