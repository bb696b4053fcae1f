"""Ranking metrics, by hand and against naive loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.evaluation.ranking import mean_reciprocal_rank, ranks_of, recall_at

RANKS = st.lists(st.one_of(st.integers(1, 30).map(float), st.just(float("inf"))), min_size=1, max_size=40)


def test_ranks_start_at_one() -> None:
    """Found first, found third, not found, and nothing found at all."""
    ranked = [["a", "b"], ["a", "b", "c"], ["a", "b"], []]
    assert ranks_of(ranked, ["a", "c", "z", "a"]).tolist() == [1, 3, np.inf, np.inf]


def test_the_first_occurrence_counts() -> None:
    """A ranking with the right one twice."""
    assert ranks_of([["a", "b", "a"]], ["a"]).tolist() == [1]


def test_a_title_without_an_answer_is_an_error() -> None:
    """Two rankings for one right occupation: titles and answers are out of step."""
    with pytest.raises(ValueError, match="shorter"):
        ranks_of([["a"], ["b"]], ["a"])


def test_mean_reciprocal_rank_by_hand() -> None:
    """Ranks 1, 2, 4 and not found: (1 + 1/2 + 1/4 + 0) / 4 = 0.4375."""
    assert mean_reciprocal_rank(np.array([1, 2, 4, np.inf])) == pytest.approx(0.4375)


def test_recall_by_hand() -> None:
    """Ranks 1, 2, 6 and not found: one of four within 1, two within 5, three within 10."""
    ranks = np.array([1, 2, 6, np.inf])
    assert [recall_at(ranks, k) for k in (1, 2, 5, 6, 10)] == [0.25, 0.5, 0.5, 0.75, 0.75]


def test_limits() -> None:
    """Nothing found is nought, everything first is one."""
    assert (mean_reciprocal_rank(np.array([np.inf])), recall_at(np.array([np.inf]), 10)) == (0, 0)
    assert (mean_reciprocal_rank(np.array([1.0, 1.0])), recall_at(np.array([1.0, 1.0]), 1)) == (1, 1)


@given(RANKS, st.integers(1, 30))
def test_metrics_equal_naive_loops(ranks: list[float], k: int) -> None:
    """Sum and count in plain Python."""
    reciprocal, within = 0.0, 0
    for rank in ranks:
        reciprocal += 1 / rank
        within += rank <= k
    assert mean_reciprocal_rank(np.array(ranks)) == pytest.approx(reciprocal / len(ranks))
    assert recall_at(np.array(ranks), k) == pytest.approx(within / len(ranks))


@given(RANKS)
def test_reciprocal_rank_lies_between_accuracy_and_one(ranks: list[float]) -> None:
    """Accuracy at 1 <= MRR <= recall over everything found."""
    array = np.array(ranks)
    assert recall_at(array, 1) <= mean_reciprocal_rank(array) + 1e-12
    assert mean_reciprocal_rank(array) <= recall_at(array, 30) + 1e-12


@given(st.permutations(list("abcdefgh")), st.sampled_from("abcdefghz"))
def test_rank_equals_a_naive_search(ranked: list[str], gold: str) -> None:
    """Count how many come before."""
    expected = float("inf")
    for place, found in enumerate(ranked, 1):
        if found == gold:
            expected = place
    assert ranks_of([ranked], [gold]).tolist() == [expected]
