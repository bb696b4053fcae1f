"""Graded metrics equal scikit-learn's and naive loops; ties and queries without an answer are as the docstrings say.

The area under the ROC curve by counting pairs, and its change over whole projects.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.metrics import dcg_score, ndcg_score

from jobmatch_core.metrics.comparisons import UNKNOWN
from jobmatch_core.metrics.judgment_metrics import (
    GRADED,
    JudgedPairs,
    auc,
    auc_change,
    auc_interval,
    rank_graded,
    translation_hits,
)


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
    assert ranks.ranked[0, :3].tolist() == [0.0, 1.0, 0.0]
    assert ranks.ideal[0, :3].tolist() == [2.0, 1.0, 0.0]


def test_no_answer() -> None:
    """A query without a relevant document has no figure."""
    ranks = rank_graded(np.ones((2, 2), np.float32), csr_matrix([[0.0, 0.0], [1.0, 0.0]]))
    for metric in GRADED.values():
        assert np.isnan(metric.values(ranks)).tolist() == [True, False]


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


def counted(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Count all pairs of a positive and a negative."""
    won = [1.0 if p > n else 0.5 if p == n else 0.0 for p in scores[positive] for n in scores[~positive]]
    return float(np.mean(won)) if won else float("nan")


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=12))
def test_as_counted(rows: list[tuple[int, bool]]) -> None:
    """Draws count half; without one class it is not a number."""
    scores, positive = np.array([s for s, _ in rows], dtype=float), np.array([p for _, p in rows], dtype=bool)
    assert auc(scores, positive) == pytest.approx(counted(scores, positive), nan_ok=True)


def pairs(positive: list[bool], projects: list[int]) -> JudgedPairs:
    """Return judged pairs of some projects."""
    rows = np.arange(len(positive))
    return JudgedPairs(np.array(projects), rows, np.array(positive))


def test_a_change_by_hand() -> None:
    """Fifteen projects with a positive each, scored .1 before and .9 after, and a negative at .5: from 0 to 1."""
    judged = pairs([True, False] * 15, [number // 2 for number in range(30)])
    change = auc_change(judged, np.array([0.1, 0.5] * 15), np.array([0.9, 0.5] * 15))
    assert change is not None
    assert (change.n, change.before, change.after, change.low, change.high) == (30, 0.0, 1.0, 1.0, 1.0)
    assert change.better


def test_few_projects_say_nothing_of_chance() -> None:
    """However many pairs they have: pairs of one project go together."""
    judged = pairs([True, False] * 10, [number % 2 for number in range(20)])
    change = auc_change(judged, np.array([0.1, 0.5] * 10), np.array([0.9, 0.5] * 10))
    assert change is not None
    assert (change.low, change.high) == UNKNOWN


@pytest.mark.parametrize("positive", [[True] * 6, [False] * 6, []])
def test_one_verdict_alone(positive: list[bool]) -> None:
    """There is nothing to part."""
    scores = np.arange(len(positive), dtype=float)
    assert auc_change(pairs(positive, list(range(len(positive)))), scores, scores) is None


def test_changes_are_reproducible() -> None:
    """The interval holds the difference."""
    random = np.random.default_rng(1)
    judged = pairs((random.random(60) < 0.4).tolist(), random.integers(15, size=60).tolist())
    before, after = random.random(60), random.random(60)
    first, again = (auc_change(judged, before, after) for _ in range(2))
    assert first == again
    assert first is not None
    assert first.low <= first.difference <= first.high


def test_interval_of_whole_queries() -> None:
    """Copies of a query's pairs move with it: they do not make the interval narrower."""
    generator = np.random.default_rng(5)
    queries = [str(number) for number in range(40)]
    positive = np.arange(40) % 2 == 0
    scores = generator.normal(size=40) + positive
    once = auc_interval(queries, scores, positive)
    often = auc_interval(queries * 9, np.tile(scores, 9), np.tile(positive, 9))
    assert once.mean == pytest.approx(auc(scores, positive))
    assert once.low < once.mean < once.high
    assert (often.mean, often.low, often.high) == pytest.approx((once.mean, once.low, once.high))
    assert often.n == 360


def test_interval_without_a_negative() -> None:
    """Nothing is known then."""
    assert np.isnan(auc_interval(["a", "b"], np.array([1.0, 2.0]), np.array([True, True])).low)
