"""Ranking metrics, by hand, against naive loops and against trec_eval."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.metrics import roc_auc_score

from jobmatch_core.metrics.ranking import (
    METRICS,
    RelevantRanks,
    mean_reciprocal_rank,
    rank_ids,
    rank_relevant,
    ranks_of,
    recall_at,
    rounded,
    within_depth,
)

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


def ranked(scores: list[list[float]], relevant: list[list[int]], ids: list[str] | None = None) -> RelevantRanks:
    """Rank a small matrix; the ids are a, b, c, ... where not given."""
    array = np.array(scores, dtype=np.float32)
    ids = ids or list("abcdefghijklmnopqrstuvwxyz"[: array.shape[1]])
    return rank_relevant(array, csr_matrix(np.array(relevant, dtype=bool)), rank_ids(ids))


def test_ranks_by_hand() -> None:
    """First query: order c, a, b with a and b relevant: ranks 2, 3. Second: order b, c, a with b relevant: rank 1."""
    found = ranked([[0.5, 0.1, 0.9], [0.0, 0.8, 0.3]], [[1, 1, 0], [0, 1, 0]])
    assert found.ranks.tolist() == [2, 3, 1]
    assert found.counts.tolist() == [2, 1]
    assert found.first.tolist() == [2, 1]
    assert found.best.tolist() == [0, 1]


def test_every_metric_by_hand() -> None:
    """Relevant at ranks 2 and 5 of six elements.

    Reciprocal 1/2; AP = (1/2 + 2/5) / 2 = 0.45; recall at 4 = 1/2; R-precision: one of the first two = 1/2;
    DCG at 5 = 1/log2(3) + 1/log2(6) = 0.63093 + 0.38685; ideal 1 + 1/log2(3) = 1.63093;
    AUC: of the 4 others, 3 stand below the first and 1 below the second: 4 of 8 pairs = 0.5.
    """
    found = ranked([[6, 5, 4, 3, 2, 1]], [[0, 1, 0, 0, 1, 0]])
    assert found.reciprocal_ranks().tolist() == [0.5]
    assert [found.accuracy_at(k)[0] for k in (1, 2)] == [0, 1]
    assert found.average_precision()[0] == pytest.approx(0.45)
    assert [found.recall_at(k)[0] for k in (1, 4, 5)] == [0, 0.5, 1]
    assert found.r_precision()[0] == 0.5
    assert found.dcg_at(5)[0] == pytest.approx(0.63093 + 0.38685, abs=1e-5)
    assert found.ndcg_at(5)[0] == pytest.approx((0.63093 + 0.38685) / 1.63093, abs=1e-5)
    assert found.ndcg_at(1)[0] == 0
    assert found.auc[0] == 0.5


def test_of_equal_scores_the_greater_id_comes_first() -> None:
    """All four tie: the order is d, c, b, a; as strings, '9' is greater than '10'."""
    found = ranked([[1, 1, 1, 1]], [[1, 0, 1, 0]])
    assert (found.ranks.tolist(), found.first.tolist(), found.best.tolist()) == ([2, 4], [3], [2])
    assert ranked([[1, 1]], [[1, 0]], ["10", "9"]).ranks.tolist() == [2]
    assert ranked([[1, 1]], [[1, 0]], ["a", "Z"]).ranks.tolist() == [1]


def test_scores_tie_as_32_bit_floats() -> None:
    """A difference of 1e-10 is none in 32 bits, so the greater id stands first although its score is lower."""
    scores = np.array([[0.1 + 1e-10, 0.1]])
    found = rank_relevant(scores, csr_matrix(np.array([[True, False]])), rank_ids(["a", "b"]))
    assert found.ranks.tolist() == [2]


def test_elements_that_are_not_ranked() -> None:
    """Minus infinity: never found, whatever its id; the other relevant one counts half of the recall."""
    found = ranked([[-np.inf, 0.5, 0.9], [-np.inf] * 3], [[1, 1, 0], [0, 0, 1]])
    assert found.ranks.tolist() == [2, np.inf, np.inf]
    assert found.first.tolist() == [2, -1]
    assert found.recall_at(1000).tolist() == [0.5, 0]
    assert found.average_precision().tolist() == [0.25, 0]
    assert found.reciprocal_ranks().tolist() == [0.5, 0]
    assert found.accuracy_at(1000).tolist() == [1, 0]


def test_a_query_without_relevant_elements_is_a_miss() -> None:
    """Nought in every metric but AUC, which is not defined; so it is where all are relevant."""
    found = ranked([[0.2, 0.1], [0.2, 0.1], [0.2, 0.1]], [[0, 0], [0, 1], [1, 1]])
    assert found.reciprocal_ranks().tolist() == [0, 0.5, 1]
    assert found.average_precision().tolist() == [0, 0.5, 1]
    assert found.recall_at(1).tolist() == [0, 0, 0.5]
    assert found.r_precision().tolist() == [0, 0, 1]
    assert found.ndcg_at(10)[0] == 0
    assert found.best.tolist() == [-1, 1, 0]
    assert found.auc.tolist() == [pytest.approx(np.nan, nan_ok=True), 0, pytest.approx(np.nan, nan_ok=True)]


def test_what_cannot_be_ranked() -> None:
    """A score that is not a number, and matrices that do not fit."""
    with pytest.raises(ValueError, match="not numbers"):
        ranked([[0.1, np.nan]], [[1, 0]])
    with pytest.raises(ValueError, match=r"\(1, 2\).*\(1, 3\)"):
        ranked([[0.1, 0.2]], [[1, 0, 0]])


def test_rounding_makes_near_equals_tie() -> None:
    """0.123456 and 0.123460 are 0.12346; 0.12345 is not."""
    scores = rounded(np.array([0.123456, 0.123460, 0.12345], dtype=np.float32))
    assert scores.dtype == np.float32
    assert (scores[0] == scores[1], scores[1] == scores[2]) == (True, False)


MEASURES = {"recip_rank", "success_1,5,10", "recall_5,10", "map", "Rprec", "ndcg", "ndcg_cut_3,10"}


def random_run(seed: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Scores with many ties (some only in 32 bits, some elements missing), relevance, and ids of odd characters."""
    rng = np.random.default_rng(seed)
    n_queries, n_elements = 8, int(rng.integers(3, 60))
    scores = (
        rng.integers(-3, 4, size=(n_queries, n_elements)) / 7 + rng.integers(0, 2, size=(n_queries, n_elements)) * 1e-10
    )
    scores[rng.random(scores.shape) < 0.1] = -np.inf
    scores[:, 0] = 0.3  # trec_eval does not know queries without any element
    relevant = rng.random(scores.shape) < rng.choice([0.05, 0.3, 0.9])
    relevant[:, 1] = True  # nor those without a relevant one
    letters = np.array(list("aZ09_-éßЖ職"))
    ids = ["".join(rng.choice(letters, size=rng.integers(0, 4))) + str(number) for number in range(n_elements)]
    return scores, relevant, ids


@pytest.mark.parametrize("seed", range(40))
def test_metrics_equal_trec_eval(seed: int) -> None:
    """The reference implementation, query by query."""
    scores, relevant, ids = random_run(seed)
    run = {
        str(query): {key: float(score) for key, score in zip(ids, row, strict=True) if np.isfinite(score)}
        for query, row in enumerate(scores)
    }
    judged = {
        str(query): {key: int(good) for key, good in zip(ids, row, strict=True)} for query, row in enumerate(relevant)
    }
    expected = pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(run)
    found = rank_relevant(scores, csr_matrix(relevant), rank_ids(ids))
    ours = {
        "recip_rank": found.reciprocal_ranks(),
        "map": found.average_precision(),
        "Rprec": found.r_precision(),
        "ndcg": found.ndcg_at(len(ids)),
        **{f"success_{k}": found.accuracy_at(k) for k in (1, 5, 10)},
        **{f"recall_{k}": found.recall_at(k) for k in (5, 10)},
        **{f"ndcg_cut_{k}": found.ndcg_at(k) for k in (3, 10)},
    }
    for measure, values in ours.items():
        assert values.tolist() == pytest.approx([expected[str(query)][measure] for query in range(8)], abs=1e-6), (
            measure
        )


@pytest.mark.parametrize("seed", range(10))
def test_auc_equals_scikit_learn(seed: int) -> None:
    """Ties count half, and what is not ranked ties at the end."""
    scores, relevant, ids = random_run(seed)
    found = rank_relevant(scores, csr_matrix(relevant), rank_ids(ids))
    low = np.nan_to_num(scores, neginf=-9.0).astype(np.float32)
    for auc, row, good in zip(found.auc, low, relevant, strict=True):
        assert np.isnan(auc) if good.all() else auc == pytest.approx(roc_auc_score(good, row))


@pytest.mark.parametrize("seed", range(10))
def test_ranks_equal_a_naive_sort(seed: int) -> None:
    """Sort the whole corpus by score, then by id, both descending."""
    scores, relevant, ids = random_run(seed)
    found = rank_relevant(scores, csr_matrix(relevant), rank_ids(ids))
    expected, first = [], []
    for row, good in zip(scores.astype(np.float32).tolist(), relevant, strict=True):
        order = sorted(range(len(ids)), key=lambda column, row=row: (row[column], ids[column]), reverse=True)
        first.append(order[0])
        ranks = [place if row[column] > -np.inf else np.inf for place, column in enumerate(order, 1) if good[column]]
        expected += ranks
    assert found.ranks.tolist() == expected
    assert found.first.tolist() == first


@pytest.mark.parametrize("size", [1, 3, 8])
def test_blocks_of_queries_give_the_same(size: int) -> None:
    """However the queries are cut, each has its figures."""
    scores, relevant, ids = random_run(7)
    whole = rank_relevant(scores, csr_matrix(relevant), rank_ids(ids))
    judged = csr_matrix(relevant)
    blocks = [
        rank_relevant(scores[start : start + size], judged[start : start + size], rank_ids(ids))
        for start in range(0, 8, size)
    ]
    joined = RelevantRanks.concatenate(blocks)
    assert joined.average_precision().tolist() == whole.average_precision().tolist()
    assert joined.best.tolist() == whole.best.tolist()
    assert joined.first_ranks.tolist() == whole.first_ranks.tolist()
    assert joined.auc.tolist() == pytest.approx(whole.auc.tolist(), nan_ok=True)


@given(st.lists(st.text("aZ09_-éßЖ職😀", max_size=4), unique=True, max_size=20))
def test_ids_are_ranked_as_their_bytes_are(ids: list[str]) -> None:
    """trec_eval compares UTF-8 bytes; for any two ids, their ranks say the same."""
    ranks = rank_ids(ids)
    expected = sorted(ids, key=lambda key: key.encode())
    assert [expected[rank] for rank in ranks] == ids


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=4), st.integers(1, 7))
def test_within_depth_equals_a_naive_loop(rows: list[list[int]], depth: int) -> None:
    """The best are kept; of equal scores those that come first."""
    scores = np.array(rows, dtype=np.float32)
    kept = np.isfinite(within_depth(scores, depth))
    for row, marks in zip(rows, kept, strict=True):
        best = sorted(range(6), key=lambda column, row=row: (-row[column], column))[:depth]  # type: ignore[misc]
        assert sorted(best) == np.flatnonzero(marks).tolist()


def test_every_metric_says_what_it_is() -> None:
    """The page lists the names with these words."""
    assert all(metric.meaning for metric in METRICS.values())
    assert len({metric.label for metric in METRICS.values()}) == len(METRICS)
