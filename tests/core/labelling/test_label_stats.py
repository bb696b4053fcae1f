"""What a store holds: summed up by hand. That the store counts right is tested with it."""

from datetime import timedelta

import numpy as np

from jobmatch_core.entities import PairKind, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import AlikePairs, HistoryTallies, Votes, Work
from jobmatch_core.labelling.label_stats import KindStats, LabelStats, Share, label_stats
from tests.core.labelling.made_judgments import START

PEOPLE = PairKind.PROJECT_FREELANCER
TITLES = PairKind.TITLE_OCCUPATION


def test_nothing() -> None:
    """An empty store."""
    assert label_stats(HistoryTallies({}, (), ())) == LabelStats((), (), (), ())


def test_kinds() -> None:
    """Of 13 pairs three are positive, one by a settling vote; four are disputed; all that was said of titles is gone.

    Judgments: 2 x 2 positive, 4 x 2 disputed, 1 x 3 settled, 5 x 1 skipped, 1 x 1 negative.
    """
    pairs = (
        AlikePairs(PEOPLE, Votes(positive=2), 2),
        AlikePairs(PEOPLE, Votes(positive=1, negative=1), 4),
        AlikePairs(PEOPLE, Votes(positive=1, negative=1, settled=Verdict.POSITIVE, adjudications=1), 1),
        AlikePairs(PEOPLE, Votes(skip=1), 5),
        AlikePairs(PEOPLE, Votes(negative=1), 1),
    )
    assert label_stats(HistoryTallies({TITLES: 2, PEOPLE: 3}, pairs, ())).kinds == (
        KindStats(PEOPLE, 24, 21, pairs=13, positive=3, negative=1, unlabelled=9, disputed=4),
        KindStats(TITLES, 2, 0, pairs=0, positive=0, negative=0, unlabelled=0, disputed=0),
    )


def test_annotators_and_policies() -> None:
    """The most first; the median of 1, 2 and 9 seconds is 2, of the two of one policy 1.5."""
    day = START.date()
    yes, skip = {Verdict.POSITIVE: 2}, {Verdict.SKIP: 1}
    work = (
        Work("a", "random", yes, np.array([1.0, 2.0]), START),
        Work("a", "uncertain", skip, np.array([9.0]), START + timedelta(days=1)),
        Work("b", "uncertain", {Verdict.NEGATIVE: 1, Verdict.UNSURE: 1}, np.empty(0), START, Origin.BULK),
    )
    found = label_stats(HistoryTallies({}, (), work))
    tomorrow = day + timedelta(days=1)
    assert found.annotators == (
        Share("a", positive=2, negative=0, unsure=0, skip=1, seconds=2.0, last=tomorrow),
        Share("b", positive=0, negative=1, unsure=1, skip=0, seconds=None, last=day),
    )
    assert found.policies == (
        Share("uncertain", positive=0, negative=1, unsure=1, skip=1, seconds=9.0, last=tomorrow),
        Share("random", positive=2, negative=0, unsure=0, skip=0, seconds=1.5, last=day),
    )
    assert [(each.name, each.judgments) for each in found.origins] == [("looked-at", 3), ("bulk", 2)]
