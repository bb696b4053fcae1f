"""The random baseline: the same for the same query, and no better than chance."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.systems.random_system import RandomRanker
from jobmatch_core.metrics.ranking import rank_ids, rank_relevant


def test_a_query_has_the_same_scores_wherever_it_stands() -> None:
    """Blocks of queries make no difference, and two queries have different scores."""
    ranker = RandomRanker(50)
    together = ranker.scores(["nurse", "baker"])
    assert together.shape == (2, 50)
    assert (together[1:] == ranker.scores(["baker"])).all()
    assert (together[0] != together[1]).all()


def test_its_mean_reciprocal_rank_is_that_of_chance() -> None:
    """One of ten elements is right, at each rank with probability 1/10: MRR = (1 + 1/2 + ... + 1/10) / 10 = 0.293."""
    queries = [f"query {number}" for number in range(2000)]
    right = csr_matrix((np.ones(2000, dtype=np.bool_), (range(2000), [3] * 2000)), shape=(2000, 10))
    ranks = rank_relevant(RandomRanker(10).scores(queries), right, rank_ids([str(number) for number in range(10)]))
    assert ranks.reciprocal_ranks().mean() == pytest.approx(0.293, abs=0.02)
