"""Graded metrics equal scikit-learn's and naive loops; ties and queries without an answer are as the docstrings say."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import dcg_score, ndcg_score

from jobmatch_core.metrics.graded import GRADED, rank_graded, translation_hits


def _random(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    scores = generator.permuted(np.tile(np.arange(30, dtype=np.float32), (20, 1)), axis=1)  # no ties
    grades = generator.choice([0, 0, 0, 1, 2], size=(20, 30)).astype(np.float64)
    grades[:, 0] = 2
    return scores, grades


@pytest.mark.parametrize("k", [1, 5, 10])
def test_scikit_learn(k: int) -> None:
    """DCG and nDCG are scikit-learn's."""
    scores, grades = _random()
    ranks = rank_graded(scores, csr_matrix(grades))
    assert ranks.dcg_at(k).mean() == pytest.approx(dcg_score(grades, scores, k=k))
    assert ranks.ndcg_at(k).mean() == pytest.approx(ndcg_score(grades, scores, k=k))


def test_naive_loop() -> None:
    """One query by hand: grades 1, 0, 2 in the order of the ranking; 2, 1, 0 is best."""
    ranks = rank_graded(np.array([[0.1, 0.9, 0.5]], np.float32), csr_matrix([[2.0, 1.0, 0.0]]))
    dcg = 1 / math.log2(2) + 0 / math.log2(3) + 2 / math.log2(4)
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    assert ranks.dcg_at(10) == pytest.approx([dcg])
    assert ranks.ndcg_at(10) == pytest.approx([dcg / ideal])


def test_ties_and_the_unranked() -> None:
    """Of equal scores the first comes first; what is not ranked has no gain."""
    scores = np.array([[0.5, 0.5, -np.inf]], np.float32)
    ranks = rank_graded(scores, csr_matrix([[0.0, 1.0, 2.0]]))
    assert ranks.found[0, :3].tolist() == [0.0, 1.0, 0.0]
    assert ranks.ideal[0, :3].tolist() == [2.0, 1.0, 0.0]


def test_no_answer() -> None:
    """A query without a relevant document has no figure."""
    ranks = rank_graded(np.ones((2, 2), np.float32), csr_matrix([[0.0, 0.0], [1.0, 0.0]]))
    for values in GRADED.values():
        assert np.isnan(values(ranks)).tolist() == [True, False]


def test_wrong_scores() -> None:
    """Scores of another shape, and those that are no numbers, are refused."""
    with pytest.raises(ValueError, match="differ in shape"):
        rank_graded(np.ones((1, 2), np.float32), csr_matrix([[1.0]]))
    with pytest.raises(ValueError, match="not numbers"):
        rank_graded(np.array([[np.nan]], np.float32), csr_matrix([[1.0]]))


def test_translation_hits() -> None:
    """Both directions count, and ties count as guesses: 0 ties in its column, 2 in its row and its column."""
    scores = np.array([[0.9, 0.1, 0.2], [0.9, 0.1, 0.8], [0.0, 0.8, 0.8]], np.float32)
    assert translation_hits(scores).tolist() == pytest.approx([(1 + 1 / 2) / 2, 0.0, (1 / 2 + 1 / 2) / 2])
    assert translation_hits(np.zeros((4, 4), np.float32)).mean() == pytest.approx(1 / 4)  # as good as a guess


def test_translation_hits_naive() -> None:
    """Without ties the mean is the share of right first places in rows and columns."""
    scores = np.random.default_rng(1).random((40, 40)).astype(np.float32) + np.eye(40, dtype=np.float32) / 2
    rows = sum(int(max(range(40), key=lambda j: scores[i, j]) == i) for i in range(40))
    columns = sum(int(max(range(40), key=lambda i: scores[i, j]) == j) for j in range(40))
    assert translation_hits(scores).mean() == pytest.approx((rows + columns) / 80)
