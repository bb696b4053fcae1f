"""What lexical overlap explains."""

import math

import numpy as np
import pytest

from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, overlap_correlation
from jobmatch_core.benchmarks.scoreboard.overlap_figures import best_of_each, correlations, overlap_points
from jobmatch_core.benchmarks.scoreboard.published import PUBLISHED_SYSTEMS, PublishedResult, published_results
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from tests.made_results import make_result

DATASETS = ("aaa_q_de_c_de", "bbb_q_de_c_de", "ccc_q_de_c_de")
OVERLAPS = [Overlap(name, np.array([median])) for name, median in zip(DATASETS, (0.1, 0.2, 0.3), strict=True)]


def test_points_by_hand() -> None:
    """Ours falls with the distance: Spearman -1; the published one rises: +1."""
    own = [make_result("ours", name, mrr=mrr) for name, mrr in zip(DATASETS, (0.9, 0.5, 0.1), strict=True)]
    others = [PublishedResult("e5", name, {"mrr": mrr}) for name, mrr in zip(DATASETS, (0.1, 0.2, 0.9), strict=True)]
    first, second = overlap_points(Scoreboard.of(own, "melo", others, []), OVERLAPS, "mrr", "by_name")
    assert (first.label, first.own, first.medians, first.values) == ("ours", True, (0.1, 0.2, 0.3), (0.9, 0.5, 0.1))
    assert (first.correlation, second.correlation) == (pytest.approx(-1), pytest.approx(1))


def test_every_system_has_a_correlation() -> None:
    """All published ones and ours under both rankings, on the monolingual datasets among those that were read.

    Over all 15 systems the figures are the bundled ones'; three datasets of the paper have these MRR by edit distance.
    """
    names = ("deu_q_de_c_de", "fra_q_fr_c_fr", "usa_q_en_c_en")
    read = [Overlap(name, np.array([median])) for name, median in zip(names, (0.3, 0.1, 0.2), strict=True)]
    read.append(Overlap("deu_q_de_c_en", np.array([0.9])))  # cross-lingual
    own = [
        make_result("ours", name, mrr=mrr, ranking=ranking)
        for name, mrr in zip((*names, "deu_q_de_c_en", "ita_q_it_c_it"), (0.2, 0.9, 0.5, 0.1, 0.3), strict=True)
        for ranking in ("by_name", "by_occupation")
    ]
    found = correlations(Scoreboard.of(own, "melo", authors=[]), read)
    ours = [points for points in found if points.own]
    assert [(points.ranking, points.datasets) for points in ours] == [("by_name", names), ("by_occupation", names)]
    assert [points.correlation for points in ours] == pytest.approx([-1, -1])
    others = {points.system: points for points in found if not points.own}
    assert set(others) == set(PUBLISHED_SYSTEMS)
    edit = {each.dataset: each.values["mrr"] for each in published_results() if each.system == "edit_distance"}
    by_hand = overlap_correlation((0.3, 0.1, 0.2), [edit[name] for name in names])
    assert others["edit_distance"].correlation == pytest.approx(by_hand)
    assert {points.ranking for points in others.values()} == {"by_name"}


def test_the_best_are_charted() -> None:
    """Two of ours and two published ones, the best first."""
    own = [
        make_result(system, name, mrr=mrr) for name in DATASETS for system, mrr in (("a", 0.1), ("b", 0.3), ("c", 0.2))
    ]
    others = [
        PublishedResult(system, name, {"mrr": mrr})
        for name in DATASETS
        for system, mrr in (("e5", 0.5), ("me5", 0.9), ("openai", 0.7))
    ]
    points = overlap_points(Scoreboard.of(own, "melo", others, []), OVERLAPS, "mrr", "by_name")
    assert len(points) == 6
    assert [each.system for each in best_of_each(points)] == ["b", "c", "me5", "openai"]


def test_too_few_datasets_have_no_correlation() -> None:
    """Only those with both an overlap and a figure count; none of them is no system."""
    own = [make_result("ours", DATASETS[0]), make_result("ours", "xxx_q_de_c_de"), make_result("far", "yyy_q_de_c_de")]
    [points] = overlap_points(Scoreboard.of(own, "melo", [], []), OVERLAPS, "mrr", "by_name")
    assert points.datasets == (DATASETS[0],)
    assert math.isnan(points.correlation)


def test_a_dataset_without_distances_is_left_out() -> None:
    """It has no median."""
    empty = Overlap(DATASETS[0], np.empty(0))
    assert (
        overlap_points(Scoreboard.of([make_result("ours", DATASETS[0])], "melo", [], []), [empty], "mrr", "by_name")
        == []
    )
