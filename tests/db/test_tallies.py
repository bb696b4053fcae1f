"""How many, by whom and how.

What is counted in the database is what a loop over the whole history finds.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from db.label_store import LabelStore
from db.tallies import Counts, Tally
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.judgment_tallies import TimedVerdict, VotedPair
from jobmatch_core.labelling.agreement import Period, agreement_report
from jobmatch_core.labelling.label_files import json_line
from jobmatch_core.labelling.label_records import label_record
from jobmatch_core.labelling.label_stats import KindStats, Share, label_stats
from jobmatch_core.labelling.labels import LABELLED, current_judgments, judged_pairs, labels_of, votes_of
from jobmatch_core.labelling.snapshot import JUDGMENTS_FILE, freeze, freeze_current, load_snapshot
from jobmatch_core.labelling.workload import workloads
from tests.core.labelling import plain_measures
from tests.core.labelling.made_judgments import START, histories, judgment, pair
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


KINDS = (PairKind.PROJECT_FREELANCER, PairKind.TITLE_OCCUPATION)
EXAMPLES = count()


def spread(history: list[Judgment], number: int) -> list[Judgment]:
    """Return a history of an example's own pairs, of two kinds and policies, some of them timed."""
    return [
        replace(
            each,
            pair=replace(each.pair, kind=KINDS[each.pair.left == "p0"], source=str(number)),
            provenance=Provenance(("random", "uncertain")[place % 3 == 0]),
            seconds=None if place % 4 == 0 else place * 1.1,
        )
        for place, each in enumerate(history)
    ]


def kinds(history: list[Judgment], current: list[Judgment]) -> list[KindStats]:
    """Count the judgments of each kind, and the labels that they come to."""
    found = []
    for kind, recorded in Counter(each.pair.kind for each in history).items():
        counting = [each for each in current if each.pair.kind is kind]
        labels = labels_of(counting)
        positive = sum(label.positive for label in labels.labels)
        unlabelled = sum(n for resolution, n in labels.resolutions.items() if resolution not in LABELLED)
        found.append(
            KindStats(
                kind,
                recorded,
                len(counting),
                pairs=sum(labels.resolutions.values()),
                positive=positive,
                negative=len(labels.labels) - positive,
                unlabelled=unlabelled,
                disputed=len(plain_measures.disputes(counting)),
            )
        )
    return sorted(found, key=lambda each: (-each.recorded, each.kind))


def shares(current: list[Judgment], name: Callable[[Judgment], str]) -> list[Share]:
    """Count the judgments of each annotator, or policy."""
    found = []
    for word in {name(each) for each in current}:
        own = [each for each in current if name(each) == word]
        said = Counter(each.verdict for each in own)
        seconds = [each.seconds for each in own if each.seconds is not None]
        last = max(each.at for each in own).date()
        found.append(
            Share(
                word,
                *(said[verdict] for verdict in (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE, Verdict.SKIP)),
                median(seconds) if seconds else None,
                last,
            )
        )
    return sorted(found, key=lambda each: (-each.judgments, each.name))


def frozen(freezing: Callable[..., object], judgments: object) -> tuple[object, bytes]:
    """Return the manifest and the file of a snapshot, which can be read."""
    with TemporaryDirectory() as folder:
        manifest = freezing(judgments, Path(folder) / "frozen", at=START)
        load_snapshot(Path(folder) / "frozen")
        return manifest, (Path(folder) / "frozen" / JUDGMENTS_FILE).read_bytes()


SETTLED = [
    judgment("+", "a", pair("p1")),
    judgment("-", "b", pair("p1")),
    judgment("s", "c", pair("p1"), adjudicates=True),
    judgment("?", "b", pair("p1"), adjudicates=True),
    judgment("-", "a", pair("p1"), adjudicates=True),
]


@pytest.mark.thorough
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=histories(max_size=20), most=st.integers(1, 3))
@example(made=SETTLED, most=1)
def test_as_a_loop_counts(store: LabelStore, made: list[Judgment], most: int) -> None:
    """Of a store that grows from example to example: statistics, page counts, queues and snapshots."""
    number = next(EXAMPLES)
    store.record_all(spread(made, number), history=True)
    history = list(store.as_recorded())
    current = current_judgments(history)
    found = label_stats(store.tallies())
    assert list(found.kinds) == kinds(history, current)
    assert list(found.annotators) == shares(current, lambda each: each.annotator)
    assert list(found.policies) == shares(current, lambda each: each.provenance.policy)
    assert list(found.origins) == shares(current, lambda each: each.provenance.origin)
    for kind in (None, *KINDS):
        of_kind = [each for each in current if kind in (None, each.pair.kind)]
        assert store.counts(kind).total == len(of_kind)
        assert store.counts(kind).by_annotator == Counter(each.annotator for each in of_kind)
        assert store.counts(kind).by_policy == Counter(each.provenance.policy for each in of_kind)
    assert store.current() == current[::-1]
    check_queue(store, current, str(number), most)
    check_measures(store, current)
    check_votes(store, current, str(number))
    if current:
        lines = b"".join(json_line(label_record(each)) for each in current)
        with store.all_current() as found:
            assert frozen(freeze_current, found) == (frozen(freeze, history)[0], lines)


def check_measures(store: LabelStore, current: list[Judgment]) -> None:
    """Compare agreement, disputes and workload with those from the judgments themselves."""
    assert store.kinds() >= {each.pair.kind for each in current}
    for kind in KINDS:
        given = [each for each in current if each.pair.kind is kind]
        judgments, now = store.verdict_columns(kind), START + timedelta(minutes=9)
        report, plain = agreement_report(judgments, store.judgments_of, UTC), plain_measures.plain_table(given)
        assert report.overall == plain_measures.agreement(plain)
        assert list(report.ones) == plain_measures.against_others(plain)
        assert list(report.twos) == plain_measures.two_by_two(plain)
        assert list(report.weeks) == plain_measures.over_time(plain, Period.WEEK)
        assert list(report.disputes) == plain_measures.disputes(given)
        assert workloads(judgments, now) == plain_measures.workloads(given, now)


def check_votes(store: LabelStore, current: list[Judgment], source: str) -> None:
    """Compare the votes of pairs with those counted one by one."""
    for kind in (None, *KINDS):
        by_pair: dict[Pair, list[Judgment]] = {}
        for each in current:
            if each.pair.source == source and kind in (None, each.pair.kind):
                by_pair.setdefault(each.pair, []).append(each)
        assert store.voted_pairs(kind, source) == [VotedPair(of, votes_of(given)) for of, given in by_pair.items()]


def check_queue(store: LabelStore, current: list[Judgment], source: str, most: int) -> None:
    """Compare what each annotator, and one who has judged nothing, finds."""
    everything = {each.pair for each in current} | {pair("never judged")}
    for annotator in "abcd":
        expected = judged_pairs(current, annotator)
        assert set(store.judged_pairs(annotator, everything)) == set(expected)
        for kind in KINDS:
            own = [
                each
                for each in current
                if (each.annotator, each.pair.kind, each.pair.source) == (annotator, kind, source)
            ]
            timed = [TimedVerdict(each.verdict, each.at, each.seconds) for each in own if not each.adjudicates]
            assert Counter(store.timed_verdicts(annotator, kind, source)) == Counter(timed)
            waiting = {
                (each.pair, each.others)
                for each in expected
                if (each.pair.kind, each.pair.source) == (kind, source) and not each.own and 1 <= each.others <= most
            }
            found = store.second_opinions(annotator, kind, source, most)
            assert {(each.pair, each.others) for each in found} == waiting
            assert len(found) == len(waiting)
