"""What lexical overlap explains."""

import math

import numpy as np
import pytest

from jobmatch_core.evaluation.overlap import Overlap
from jobmatch_core.evaluation.overlap_figures import overlap_points
from jobmatch_core.evaluation.published import PublishedResult
from jobmatch_core.evaluation.scoreboard import Scoreboard
from tests.made_results import make_result

DATASETS = ("aaa_q_de_c_de", "bbb_q_de_c_de", "ccc_q_de_c_de")
OVERLAPS = [Overlap(name, np.array([median])) for name, median in zip(DATASETS, (0.1, 0.2, 0.3), strict=True)]


def test_points_by_hand() -> None:
    """Ours falls with the distance: Spearman -1; the published one rises: +1."""
    own = [make_result("ours", name, mrr=mrr) for name, mrr in zip(DATASETS, (0.9, 0.5, 0.1), strict=True)]
    others = [PublishedResult("e5", name, mrr, 0, 0, 0, 0) for name, mrr in zip(DATASETS, (0.1, 0.2, 0.9), strict=True)]
    first, second = overlap_points(Scoreboard.of(own, "melo", others), OVERLAPS, "mrr", "by_name")
    assert (first.label, first.own, first.medians, first.values) == ("ours", True, (0.1, 0.2, 0.3), (0.9, 0.5, 0.1))
    assert (first.correlation, second.correlation) == (pytest.approx(-1), pytest.approx(1))


def test_too_few_datasets_have_no_correlation() -> None:
    """Only those with both an overlap and a figure count; none of them is no system."""
    own = [make_result("ours", DATASETS[0]), make_result("ours", "xxx_q_de_c_de"), make_result("far", "yyy_q_de_c_de")]
    [points] = overlap_points(Scoreboard.of(own, "melo", []), OVERLAPS, "mrr", "by_name")
    assert points.datasets == (DATASETS[0],)
    assert math.isnan(points.correlation)


def test_a_dataset_without_distances_is_left_out() -> None:
    """It has no median."""
    empty = Overlap(DATASETS[0], np.empty(0))
    assert (
        overlap_points(Scoreboard.of([make_result("ours", DATASETS[0])], "melo", []), [empty], "mrr", "by_name") == []
    )
