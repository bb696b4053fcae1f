"""How many, by whom, when, how and why."""

from datetime import date, datetime, timedelta, timezone

import pytest

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from db.progress import Counts, Tally
from jobmatch_core.entities import Provenance, Verdict
from tests.db.made_judgments import NOON, make_judgment, make_pair

TODAY, TOMORROW = date(2026, 1, 31), date(2026, 2, 1)


def test_nothing_yet(store: LabelStore) -> None:
    """No judgments, no pace."""
    assert store.counts() == Counts(())
    assert (store.counts().total, store.counts().by_day, store.counts().pace) == (0, {}, None)


@pytest.fixture
def judged(store: LabelStore) -> LabelStore:
    """Three pairs judged by Ann, one of them anew, and one by Bob, late in New York."""
    late = datetime(2026, 1, 31, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    store.record_all(
        [
            make_judgment(Verdict.NEGATIVE, pair=make_pair("a"), at=NOON, seconds=50.0),
            make_judgment(Verdict.POSITIVE, pair=make_pair("a"), at=NOON + timedelta(seconds=1), seconds=3.0),
            make_judgment(Verdict.POSITIVE, pair=make_pair("b"), at=NOON, seconds=4.5),
            make_judgment(Verdict.SKIP, pair=make_pair("c"), at=NOON, provenance=Provenance("uncertain")),
            make_judgment(Verdict.UNSURE, "Bob", make_pair("a"), at=late, seconds=1.5),
            make_judgment(Verdict.UNSURE, "Bob", make_pair("b"), at=late, seconds=100.0),
        ]
    )
    store.undo("Bob")
    return store


def test_what_counts_is_counted(judged: LabelStore) -> None:
    """Not what was taken back or said anew; days are those of UTC."""
    counts = judged.counts()
    assert counts.tallies == (
        Tally("Ann", TODAY, Verdict.POSITIVE, "random", judgments=2, timed=2, seconds=7.5),
        Tally("Ann", TODAY, Verdict.SKIP, "uncertain", judgments=1, timed=0, seconds=0.0),
        Tally("Bob", TOMORROW, Verdict.UNSURE, "random", judgments=1, timed=1, seconds=1.5),
    )
    assert counts.total == 4
    assert counts.by_annotator == {"Ann": 3, "Bob": 1}
    assert counts.by_day == {TODAY: 3, TOMORROW: 1}
    assert counts.by_verdict == {Verdict.POSITIVE: 2, Verdict.SKIP: 1, Verdict.UNSURE: 1}
    assert counts.by_policy == {"random": 3, "uncertain": 1}
    assert counts.pace == pytest.approx(3.0)


def test_only_some_are_counted(judged: LabelStore) -> None:
    """Those of an annotator, say."""
    assert judged.counts(JudgmentFilter(annotator="Bob")).by_day == {TOMORROW: 1}
    assert judged.counts(JudgmentFilter(policy="uncertain")).pace is None
