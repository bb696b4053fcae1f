"""Lexical overlap of queries and their relevant elements.

What lexical overlap explains.
"""

import math

import numpy as np
import pytest
from rapidfuzz import fuzz
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.scoreboard.entries import PUBLISHED_SYSTEMS, PublishedResult, published_results
from jobmatch_core.benchmarks.scoreboard.overlap import (
    Overlap,
    best_of_each,
    correlation_words,
    correlations,
    measure_overlap,
    overlap_correlation,
    overlap_points,
)
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from tests.made_results import make_result


def dataset_of(queries: list[str], elements: list[str], relevant: list[list[int]]) -> RankingDataset:
    """Make a dataset of these texts."""
    return RankingDataset(
        name="tiny",
        task="melo",
        query_language="de",
        corpus_languages=("de",),
        query_ids=[str(number) for number in range(len(queries))],
        queries=queries,
        element_ids=[str(number) for number in range(len(elements))],
        elements=elements,
        element_languages=["de"] * len(elements),
        concepts=["uri:a"],
        element_concepts=np.zeros(len(elements), dtype=np.int32),
        relevant=csr_matrix(np.array(relevant, dtype=bool)),
        data_hash="",
    )


def test_distances_by_hand() -> None:
    """KOCH is koch: 0. Of `ab`, `abcd` keeps 2 of 6 letters twice: 1 - 4/6 = 1/3; `ab` itself is not relevant."""
    dataset = dataset_of(["KOCH", "ab", "none"], ["koch", "xyz", "abcd", "ab"], [[1, 1, 0, 0], [0, 1, 1, 0], [0] * 4])
    overlap = measure_overlap(dataset)
    assert overlap.dataset == "tiny"
    assert overlap.distances.tolist() == pytest.approx([0, 1 / 3], abs=1e-6)
    assert overlap.median == pytest.approx(1 / 6, abs=1e-6)


def test_distances_equal_a_naive_loop() -> None:
    """Every pair, one at a time."""
    rng = np.random.default_rng(3)
    queries, elements = (["".join(rng.choice(list("aBcö "), size=8)) for _ in range(n)] for n in (12, 20))
    relevant = rng.random((12, 20)) < 0.3
    relevant[:, 0] = True
    expected = [
        min(1 - fuzz.ratio(query.lower(), elements[column].lower()) / 100 for column in np.flatnonzero(row))
        for query, row in zip(queries, relevant, strict=True)
    ]
    found = measure_overlap(dataset_of(queries, elements, relevant.tolist()))
    assert found.distances.tolist() == pytest.approx(expected, abs=1e-6)


def test_histogram() -> None:
    """Twenty bins of 0.05; a distance of 1 is in the last; the shares add up to one."""
    shares, edges = Overlap("tiny", np.array([0.0, 0.01, 0.52, 1.0])).histogram()
    assert (len(shares), len(edges), edges[0], edges[-1]) == (20, 21, 0, 1)
    assert {int(bin_): shares[bin_] for bin_ in np.flatnonzero(shares)} == {0: 0.5, 10: 0.25, 19: 0.25}


def test_nothing_relevant() -> None:
    """No distance, no median, an empty histogram."""
    overlap = measure_overlap(dataset_of(["a"], ["b"], [[0]]))
    assert (len(overlap.distances), np.isnan(overlap.median), overlap.histogram()[0].sum()) == (0, True, 0)


def test_correlation_by_hand() -> None:
    """Ranks 1 to 5 against 5, 3, 2, 4, 1: squared differences 16 + 1 + 1 + 0 + 16; 1 - 6 * 34 / (5 * 24) = -0.7."""
    assert overlap_correlation([0.1, 0.2, 0.3, 0.5, 0.9], [0.8, 0.4, 0.3, 0.5, 0.1]) == pytest.approx(-0.7)
    assert overlap_correlation([0.1, 0.2, 0.3, 0.4, 0.5], [0.9, 0.5, 0.4, 0.3, 0.1]) == pytest.approx(-1)


def test_a_correlation_says_of_how_many() -> None:
    """Of two, three or four datasets none is said."""
    assert correlation_words(-0.8, 24) == "-0.80 (n = 24)"
    assert [correlation_words(-1.0, n) for n in (2, 4)] == ["too few (n = 2)", "too few (n = 4)"]
    assert correlation_words(float("nan"), 9) == "none, all are alike (n = 9)"


@pytest.mark.parametrize(
    ("medians", "figures"),
    [
        ([], []),
        ([0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4]),
        ([0.1] * 5, [1, 2, 3, 4, 5]),
        ([0.1, 0.2, 0.3, 0.4, 0.5], [1] * 5),
    ],
)
def test_where_there_is_no_correlation(medians: list[float], figures: list[float]) -> None:
    """Too few datasets, or no difference."""
    assert np.isnan(overlap_correlation(medians, figures))


DATASETS = tuple(f"{letter * 3}_q_de_c_de" for letter in "abcde")
MEDIANS = (0.1, 0.2, 0.3, 0.4, 0.5)
OVERLAPS = [Overlap(name, np.array([median])) for name, median in zip(DATASETS, MEDIANS, strict=True)]


def test_points_by_hand() -> None:
    """Ours falls with the distance: Spearman -1; the published one rises: +1."""
    falling, rising = (0.9, 0.7, 0.5, 0.3, 0.1), (0.1, 0.2, 0.3, 0.4, 0.9)
    own = [make_result("ours", name, mrr=mrr) for name, mrr in zip(DATASETS, falling, strict=True)]
    others = [PublishedResult("e5", name, {"mrr": mrr}) for name, mrr in zip(DATASETS, rising, strict=True)]
    first, second = overlap_points(Scoreboard.of(own, "melo", others, []), OVERLAPS, "mrr", "by_name")
    assert (first.label, first.own, first.medians, first.values) == ("ours", True, MEDIANS, falling)
    assert (first.correlation, second.correlation) == (pytest.approx(-1), pytest.approx(1))


def test_every_system_has_a_correlation() -> None:
    """All published ones and ours under both rankings, on the monolingual datasets among those that were read.

    Over all 15 systems the figures are the bundled ones'; five datasets of the paper have these MRR by edit distance.
    """
    names = ("deu_q_de_c_de", "fra_q_fr_c_fr", "usa_q_en_c_en", "bgr_q_bg_c_bg", "swe_q_sv_c_sv")
    medians = (0.3, 0.1, 0.2, 0.4, 0.5)
    read = [Overlap(name, np.array([median])) for name, median in zip(names, medians, strict=True)]
    read.append(Overlap("deu_q_de_c_en", np.array([0.9])))  # cross-lingual
    own = [
        make_result("ours", name, mrr=mrr, ranking=ranking)
        for name, mrr in zip(
            (*names, "deu_q_de_c_en", "ita_q_it_c_it"), (0.3, 0.9, 0.5, 0.2, 0.1, 0.1, 0.3), strict=True
        )
        for ranking in ("by_name", "by_occupation")
    ]
    found = correlations(Scoreboard.of(own, "melo", authors=[]), read)
    ours = [points for points in found if points.own]
    assert [(points.ranking, points.datasets) for points in ours] == [("by_name", names), ("by_occupation", names)]
    assert [points.correlation for points in ours] == pytest.approx([-1, -1])
    others = {points.system: points for points in found if not points.own}
    assert set(others) == set(PUBLISHED_SYSTEMS)
    edit = {each.dataset: each.values["mrr"] for each in published_results() if each.system == "edit_distance"}
    by_hand = overlap_correlation(medians, [edit[name] for name in names])
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
