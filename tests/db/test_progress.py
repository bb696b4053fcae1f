"""How many, by whom and how."""

from datetime import timedelta

from db.label_store import LabelStore
from db.progress import Counts, Tally
from jobmatch_core.entities import Pair, PairKind, Provenance, Verdict
from tests.db.made_judgments import NOON, make_judgment, make_pair


def test_nothing_yet(store: LabelStore) -> None:
    """No judgments."""
    assert store.counts() == Counts(())
    assert (store.counts().total, store.counts().by_annotator) == (0, {})


def test_what_counts_is_counted(store: LabelStore) -> None:
    """Not what was taken back or said anew: Ann judged three pairs, one of them twice, and Bob one that stands."""
    title = Pair(PairKind.TITLE_OCCUPATION, "isco-08", "x", "y")
    store.record_all(
        [
            make_judgment(Verdict.NEGATIVE, pair=make_pair("a"), at=NOON),
            make_judgment(Verdict.POSITIVE, pair=make_pair("a"), at=NOON + timedelta(seconds=1)),
            make_judgment(Verdict.POSITIVE, pair=title, at=NOON),
            make_judgment(Verdict.SKIP, pair=make_pair("c"), at=NOON, provenance=Provenance("uncertain")),
            make_judgment(Verdict.UNSURE, "Bob", make_pair("a"), at=NOON),
            make_judgment(Verdict.UNSURE, "Bob", make_pair("b"), at=NOON),
        ]
    )
    store.undo("Bob")
    counts = store.counts()
    assert counts.tallies == (Tally("Ann", "random", 2), Tally("Ann", "uncertain", 1), Tally("Bob", "random", 1))
    assert counts.total == 4
    assert counts.by_annotator == {"Ann": 3, "Bob": 1}
    assert counts.by_policy == {"random": 3, "uncertain": 1}
    assert store.counts(PairKind.TITLE_OCCUPATION).tallies == (Tally("Ann", "random", 1),)
