"""Lexical overlap of queries and their relevant elements."""

import numpy as np
import pytest
from rapidfuzz import fuzz
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, measure_overlap, overlap_correlation


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
    """Ranks 1, 2, 3, 4 against 4, 2, 3, 1: squared differences 9 + 0 + 0 + 9; 1 - 6 * 18 / (4 * 15) = -0.8."""
    assert overlap_correlation([0.1, 0.2, 0.3, 0.9], [0.8, 0.4, 0.5, 0.1]) == pytest.approx(-0.8)
    assert overlap_correlation([0.1, 0.2, 0.3], [0.9, 0.5, 0.1]) == pytest.approx(-1)


@pytest.mark.parametrize(
    ("medians", "figures"), [([], []), ([0.1, 0.2], [1, 2]), ([0.1] * 3, [1, 2, 3]), ([0.1, 0.2, 0.3], [1, 1, 1])]
)
def test_where_there_is_no_correlation(medians: list[float], figures: list[float]) -> None:
    """Too few datasets, or no difference."""
    assert np.isnan(overlap_correlation(medians, figures))
