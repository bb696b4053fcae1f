"""What a store holds: counted by hand."""

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.labelling.label_stats import KindStats, LabelStats, Share, label_stats
from tests.core.labelling.made_judgments import START, judgment, pair, said


def test_nothing() -> None:
    """An empty store."""
    assert label_stats([]) == LabelStats((), (), ())


def test_kinds_annotators_and_policies() -> None:
    """Of three pairs one is positive, one disputed, one only skipped; a title was taken back.

    a: +, +, s and an undone title; b: +, -. Times known: 2 s and 4 s of a's, 9 s of the undone one.
    """
    title = judgment(
        "+", "a", Pair(PairKind.TITLE_OCCUPATION, "isco-08", "x", "y"), minute=9, seconds=9.0,
        provenance=Provenance("link-titles"),
    )  # fmt: skip
    history = [
        judgment("+", "a", pair("p0"), seconds=2.0),
        judgment("+", "a", pair("p1"), minute=1, seconds=4.0),
        judgment("s", "a", pair("p2"), minute=2),
        judgment("+", "b", pair("p0"), minute=3),
        judgment("-", "b", pair("p1"), minute=4, provenance=Provenance("uncertain")),
        title,
        judgment(None, "a", title.pair, minute=10, undoes=title.id, provenance=title.provenance),
    ]
    day = START.date()
    assert label_stats(iter(history)) == LabelStats(
        kinds=(
            KindStats(PairKind.PROJECT_FREELANCER, 5, 5, pairs=3, positive=1, negative=0, unlabelled=2, disputed=1),
            KindStats(PairKind.TITLE_OCCUPATION, 2, 0, pairs=0, positive=0, negative=0, unlabelled=0, disputed=0),
        ),
        annotators=(
            Share("a", positive=2, negative=0, unsure=0, skip=1, seconds=3.0, last=day),
            Share("b", positive=1, negative=1, unsure=0, skip=0, seconds=None, last=day),
        ),
        policies=(
            Share("random", positive=3, negative=0, unsure=0, skip=1, seconds=3.0, last=day),
            Share("uncertain", positive=0, negative=1, unsure=0, skip=0, seconds=None, last=day),
        ),
    )


def test_verdicts_add_up_to_what_counts() -> None:
    """Over annotators and over policies."""
    found = label_stats(said(["+-?s+", "+-+.s", "..-s?"]))
    for shares in (found.annotators, found.policies):
        counted = [each.positive + each.negative + each.unsure + each.skip for each in shares]
        assert sum(counted) == found.kinds[0].counting == 12
    assert sum(each.unsure for each in found.annotators) == 2
