"""The list of freelancers before and after: judged people first, each project by what has not seen it."""

from dataclasses import replace

import pytest

from jobmatch_core.ranking.ranker import Ranker
from jobmatch_core.retraining.list_comparison import NAME, BothStages, ListTest, list_part
from jobmatch_core.towers.document_pairs import temporal_split
from tests.core.retraining.made_labels import labels_by_language
from tests.core.retraining.test_ranker_retraining import TOWERS
from tests.made_marketplace import marketplace

PAST, LATER = temporal_split(marketplace(4), 0.5)
LABELS = labels_by_language(PAST)
BEFORE = BothStages(TOWERS, Ranker({"must-haves declared": 1.0}, "by hand"))
AFTER = BothStages(TOWERS, Ranker({"language": 1.0}, "by hand"))
TEST = ListTest(LATER, PAST.projects, PAST.freelancers, LABELS, frozenset({"p-web-0", "p-data-0"}))


def test_the_judged_measure_comes_first() -> None:
    """Judges go by the language, as the new ranker; the past goes by the skill, as the old one."""
    part = list_part(BEFORE, AFTER, TEST)
    assert (part.kind, part.name, part.n, part.unit) == ("list", NAME, 2, "projects")
    first, *others = part.changes
    assert (first.figure, first.n, first.after) == ("judged_at_10", 2, 1.0)
    assert first.before < 1
    figures = {change.figure: change for change in others}
    assert list(figures) == ["ndcg_at_10", "coverage_at_10", "skills_at_10", "positives_at_100", "map"]
    assert figures["map"].before == pytest.approx(1.0)
    assert figures["map"].after < figures["map"].before


def test_what_the_new_towers_have_seen_is_taken_from_cross_fitting() -> None:
    """Without a figure it is left out; with one, the figure counts as it is."""
    part = list_part(BEFORE, AFTER, replace(TEST, after={"p-logo-0": 0.25}))
    assert (part.n, part.changes[0].after) == (3, pytest.approx((1 + 1 + 0.25) / 3))


def test_without_judgments_or_a_benchmark() -> None:
    """What there is is measured."""
    assert [change.figure for change in list_part(BEFORE, AFTER, replace(TEST, benchmark=None)).changes] == [
        "judged_at_10"
    ]
    alone = list_part(BEFORE, AFTER, replace(TEST, projects=(), labels=(), unseen=frozenset()))
    assert (alone.n, alone.changes[0].figure) == (len(LATER.projects), "ndcg_at_10")
    nothing = list_part(BEFORE, AFTER, ListTest(None, (), PAST.freelancers, (), frozenset()))
    assert (nothing.n, nothing.changes) == (0, ())
