"""What a pair's judgments come to."""

from collections import Counter

import pytest
from hypothesis import given

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.labelling.labels import (
    LABELLED,
    LabelTally,
    Resolution,
    current_judgments,
    labels_of,
    tallies_by_source,
)
from tests.core.labelling.made_judgments import START, histories, judgment, said


@pytest.mark.parametrize(
    ("verdicts", "positive", "resolution"),
    [
        ("+", True, Resolution.UNANIMOUS),
        ("-", False, Resolution.UNANIMOUS),
        ("++s", True, Resolution.UNANIMOUS),
        ("++-", True, Resolution.MAJORITY),
        ("--?+-", False, Resolution.MAJORITY),
        ("+-", None, Resolution.TIE),
        ("+?", None, Resolution.TIE),
        ("++-?", None, Resolution.TIE),  # two of four are not more than half
        ("+-?", None, Resolution.TIE),
        ("??+", None, Resolution.UNSURE),
        ("?s", None, Resolution.UNSURE),
        ("ss", None, Resolution.SKIPPED),
    ],
)
def test_majorities(verdicts: str, positive: bool | None, resolution: Resolution) -> None:
    """More than half of those who did not skip, each annotator one vote."""
    found = labels_of(said(list(verdicts)))
    assert found.resolutions == {each: int(each is resolution) for each in Resolution}
    assert [label.positive for label in found.labels] == ([] if positive is None else [positive])
    assert [label.resolution for label in found.labels] == ([] if positive is None else [resolution])


@pytest.mark.parametrize(
    ("verdicts", "settled", "positive", "resolution"),
    [
        ("++-", "-", False, Resolution.ADJUDICATED),
        ("+-", "-+", True, Resolution.ADJUDICATED),  # the last counts
        ("+", "?", None, Resolution.UNSURE),
        ("++-", "s", True, Resolution.MAJORITY),  # whoever skips settles nothing
        ("+-", "-s", False, Resolution.ADJUDICATED),
        ("ss", "+", True, Resolution.ADJUDICATED),
    ],
)
def test_adjudications_first(verdicts: str, settled: str, positive: bool | None, resolution: Resolution) -> None:
    """They count before all others, and are no votes."""
    history = said(list(verdicts))
    for minute, word in enumerate(settled, 10):
        history.append(judgment(word, f"judge {minute}", history[0].pair, minute=minute, adjudicates=True))
    found = labels_of(history)
    assert [label.positive for label in found.labels] == ([] if positive is None else [positive])
    assert found.resolutions[resolution] == 1


def test_a_label_is_known_with_its_last_judgment() -> None:
    """The label has all current judgments, with their provenance."""
    first, second = judgment("+", "a"), judgment("+", "b", minute=7)
    taken_back = judgment("-", "c", minute=9)
    undo = judgment(None, "c", minute=10, undoes=taken_back.id)
    [label] = labels_of([first, second, taken_back, undo]).labels
    assert (label.at - START).seconds == 7 * 60
    assert label.judgments == (first, second)


def test_of_nothing() -> None:
    """No labels, and all counts are there."""
    found = labels_of([])
    assert found.labels == ()
    assert set(found.resolutions) == set(Resolution)
    assert sum(found.resolutions.values()) == 0


@given(histories(max_size=25))
def test_every_pair_is_resolved_once(history: list[Judgment]) -> None:
    """As counting by hand; what is left out has no label."""
    current = current_judgments(history)
    found = labels_of(history)
    assert sum(found.resolutions.values()) == len({row.pair for row in current})
    assert len(found.labels) == sum(found.resolutions[each] for each in LABELLED)
    for label in found.labels:
        own = [row for row in current if row.pair == label.pair and row.verdict is not Verdict.SKIP]
        settled = [row.verdict for row in own if row.adjudicates]
        votes = Counter(row.verdict for row in own if not row.adjudicates)
        verdict = Verdict.POSITIVE if label.positive else Verdict.NEGATIVE
        assert (settled[-1] if settled else None) == verdict or (
            not settled and votes[verdict] > votes.total() - votes[verdict]
        )


def test_tallies_by_source() -> None:
    """Of two marketplaces, the one with more labels first; labels of titles are not counted."""
    pairs = PairKind.PROJECT_FREELANCER
    said_of = [
        judgment("+", of=Pair(pairs, "small", "p", "f")),
        judgment("+", of=Pair(pairs, "large", "p", "f")),
        judgment("-", of=Pair(pairs, "large", "p", "g")),
        judgment("s", of=Pair(pairs, "large", "p", "h")),
        judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, "isco-08", "nurse", "2221")),
    ]
    tallies = tallies_by_source(labels_of(said_of).labels, pairs)
    assert list(tallies.items()) == [("large", LabelTally(2, 1)), ("small", LabelTally(1, 1))]
