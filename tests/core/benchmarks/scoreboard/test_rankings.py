"""The two rankings of one dataset: names, and occupations under their best names."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.scoreboard.run import Judgments, best_of_concepts, relevant_concepts


def dataset_of(element_concepts: list[int], relevant: list[list[int]]) -> RankingDataset:
    """Make a dataset of so many elements; concepts and elements are named by their numbers."""
    n_concepts = max(element_concepts) + 1
    return RankingDataset(
        name="tiny",
        task="melo",
        query_language="en",
        corpus_languages=("en",),
        query_ids=[f"Q{number}" for number in range(len(relevant))],
        queries=[f"query {number}" for number in range(len(relevant))],
        element_ids=[f"E{number}" for number in range(len(element_concepts))],
        elements=[f"name {number}" for number in range(len(element_concepts))],
        element_languages=["en"] * len(element_concepts),
        concepts=[f"uri:{number}" for number in range(n_concepts)],
        element_concepts=np.array(element_concepts, dtype=np.int32),
        relevant=csr_matrix(np.array(relevant, dtype=bool)),
        data_hash="",
    )


SCORES = np.array([[0.1, 0.9, 0.3, 0.3, 0.2]], dtype=np.float32)


@pytest.mark.parametrize(
    ("element_concepts", "best"),
    [([0, 0, 1, 2, 2], [0.9, 0.3, 0.3]), ([2, 0, 1, 0, 2], [0.9, 0.3, 0.2])],
    ids=["in order", "mixed"],
)
def test_each_concept_has_its_best_names_score(element_concepts: list[int], best: list[float]) -> None:
    """Whether or not the elements lie together."""
    dataset = dataset_of(element_concepts, [[0] * 5])
    assert best_of_concepts(SCORES, dataset).tolist() == [pytest.approx(best)]


def test_a_concept_is_relevant_through_any_of_its_names() -> None:
    """Both names of concept 1 are relevant, which is one relevant concept; the second query has none."""
    dataset = dataset_of([0, 1, 1, 2, 2], [[0, 1, 1, 0, 0], [0, 0, 0, 0, 0]])
    assert relevant_concepts(dataset).toarray().tolist() == [[False, True, False], [False] * 3]


def test_both_rankings_by_hand() -> None:
    """Names: order E1, E3, E2, E4, E0 (of equals the greater id), relevant E2, E3: ranks 2 and 3.

    Concepts {E0, E1}, {E2}, {E3, E4} with 0.9, 0.3, 0.3: order 0, 2, 1; relevant are 1 and 2: ranks 2 and 3.
    """
    dataset = dataset_of([0, 0, 1, 2, 2], [[0, 0, 1, 1, 0]])
    assert Judgments.by_name(dataset).rank(SCORES).ranks.tolist() == [2, 3]
    by_occupation = Judgments.by_occupation(dataset).rank(best_of_concepts(SCORES, dataset))
    assert by_occupation.ranks.tolist() == [2, 3]
    assert (by_occupation.first.tolist(), by_occupation.best.tolist()) == ([0], [2])


def test_blocks_know_their_queries() -> None:
    """The second block starts at the third query, whose relevant name comes last."""
    dataset = dataset_of([0, 1], [[1, 0], [1, 0], [0, 1], [1, 0]])
    scores = np.tile(np.array([[0.9, 0.1]], dtype=np.float32), (2, 1))
    assert Judgments.by_name(dataset).rank(scores, 2).first_ranks.tolist() == [2, 1]


@pytest.mark.parametrize("seed", range(5))
def test_by_occupation_equals_a_naive_loop(seed: int) -> None:
    """The best name of each concept, and the rank of the one relevant concept among all."""
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(np.concatenate([np.arange(6), rng.integers(0, 6, size=20)])).tolist()
    gold = rng.integers(0, 6, size=10)
    dataset = dataset_of(numbers, [[number == wanted for number in numbers] for wanted in gold])
    scores = (rng.integers(0, 5, size=(10, 26)) / 4).astype(np.float32)
    found = Judgments.by_occupation(dataset).rank(best_of_concepts(scores, dataset))
    for row, wanted, rank in zip(scores, gold, found.first_ranks, strict=True):
        best = [max(score for score, number in zip(row, numbers, strict=True) if number == c) for c in range(6)]
        order = sorted(range(6), key=lambda concept, best=best: (best[concept], f"uri:{concept}"), reverse=True)
        assert order.index(wanted) + 1 == rank
