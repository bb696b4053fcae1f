"""The k best by sorting everything, gains by hand, NDCG against trec_eval."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.metrics.ranking import graded_ndcg, mean_gains, rank_ids, retrieve

ROWS = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=n, max_size=n), min_size=1, max_size=4)
)


def test_of_equal_scores_the_greater_id_comes_first() -> None:
    """Scores 1, 3, 3, 2 of the ids a, b, c, d: c, b, d."""
    found = retrieve(np.array([[1, 3, 3, 2]], dtype=np.float32), 3, rank_ids(list("abcd")))
    assert found.tolist() == [[2, 1, 3]]


@given(ROWS, st.integers(1, 15))
def test_retrieve_equals_sorting_everything(scores: list[list[float]], k: int) -> None:
    """By (score, id), descending."""
    ids = [f"id{number * 7 % 12}" for number in range(len(scores[0]))]
    found = retrieve(np.array(scores, dtype=np.float32), k, rank_ids(ids))
    for row, columns in zip(scores, found.tolist(), strict=True):
        naive = sorted(range(len(row)), key=lambda each: (row[each], ids[each]), reverse=True)
        assert columns == naive[:k]


@pytest.mark.parametrize(
    ("scores", "k", "n_ids"),
    [([[1.0, 2.0]], 0, 2), ([[1.0, 2.0]], 1, 3), ([[1.0, float("nan")]], 1, 2), ([[]], 1, 0)],
    ids=["nothing wanted", "shapes", "no number", "nobody there"],
)
def test_what_cannot_be_ranked_is_an_error(scores: list[list[float]], k: int, n_ids: int) -> None:
    """Not an empty ranking."""
    with pytest.raises(ValueError, match=r"cannot be found|not numbers"):
        retrieve(np.array(scores, dtype=np.float32), k, rank_ids(list("abc")[:n_ids]))


def test_no_query_no_ranking() -> None:
    """The depth is kept."""
    assert retrieve(np.empty((0, 3), dtype=np.float32), 2, rank_ids(list("abc"))).shape == (0, 2)


def test_gains_by_hand() -> None:
    """Gains 0.2 and 1 retrieved: mean 0.6; DCG 0.2 + 1/log2(3); ideal 1 + 0.5/log2(3)."""
    gains = np.array([[0.5, 1.0, 0.2], [0, 0, 0]], dtype=np.float32)
    found = np.array([[2, 1], [0, 1]])
    assert mean_gains(gains, found).tolist() == pytest.approx([0.6, 0])
    ndcg = graded_ndcg(gains, found)
    assert ndcg[0] == pytest.approx((0.2 + 0.63093) / (1 + 0.5 * 0.63093), abs=1e-5)
    assert np.isnan(ndcg[1])


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=12))
def test_ndcg_equals_trec_eval(pairs: list[tuple[int, float]]) -> None:
    """Graded judgments, and ties that the ids decide."""
    ids = [f"d{number:02}" for number in range(len(pairs))]
    gains = np.array([[gain for gain, _ in pairs]], dtype=np.float32)
    scores = np.array([[score for _, score in pairs]], dtype=np.float32)
    mine = graded_ndcg(gains, retrieve(scores, 10, rank_ids(ids)))[0]
    if not gains.any():
        assert np.isnan(mine)
        return
    qrels = {"q": {key: gain for key, (gain, _) in zip(ids, pairs, strict=True)}}
    run = {"q": {key: score for key, (_, score) in zip(ids, pairs, strict=True)}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)["q"]["ndcg_cut_10"]
    assert mine == pytest.approx(theirs)
