"""The area under the ROC curve by counting pairs, and its change over whole projects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.metrics.before_after import UNKNOWN
from jobmatch_core.metrics.judged_pairs import JudgedPairs, auc, auc_change, auc_interval


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
    """Six projects with a positive each, scored .1 before and .9 after, and a negative at .5: from 0 to 1."""
    judged = pairs([True, False] * 6, [number // 2 for number in range(12)])
    change = auc_change(judged, np.array([0.1, 0.5] * 6), np.array([0.9, 0.5] * 6))
    assert change is not None
    assert (change.n, change.before, change.after, change.low, change.high) == (12, 0.0, 1.0, 1.0, 1.0)
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


def test_the_same_seed_draws_the_same() -> None:
    """And the interval holds the difference."""
    random = np.random.default_rng(1)
    judged = pairs((random.random(60) < 0.4).tolist(), random.integers(15, size=60).tolist())
    before, after = random.random(60), random.random(60)
    first, again = (auc_change(judged, before, after, seed=3) for _ in range(2))
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
