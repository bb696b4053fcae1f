"""Faithfulness over postings: the baselines are there, and a model without attention is refused."""

import pytest
import torch

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.attention import leave_one_out_shifts, rank_correlation, rollout_weights
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.network import AggregationNetwork
from jobmatch_core.descriptions.postings import Posting
from lab.experiments.faithfulness import LENGTH, RANDOM, ROLLOUT, evaluate_faithfulness
from tests.core.descriptions.made_postings import WordEncoder, made_postings


def model() -> DescriptionModel:
    """Return a network with random weights."""
    torch.manual_seed(1)
    return DescriptionModel(WordEncoder(), "w", "jdan", network=AggregationNetwork(NetworkConfig(2, 2), 16))


def test_against_one_posting_by_hand() -> None:
    """The mean over one posting is its own rank correlation; short ones are passed over."""
    posting = made_postings(1)[0]
    short = Posting("s", "x", "One. Two.")
    figures = {each.weight: each for each in evaluate_faithfulness(model(), [short, posting], 5)}
    assert set(figures) == {"first layer", "last layer", ROLLOUT, LENGTH, RANDOM}
    found = model().describe(posting)
    assert found.attention is not None
    shifts = leave_one_out_shifts(model().aggregate, found.sentences)
    expected = rank_correlation(rollout_weights(found.attention), shifts)
    assert figures[ROLLOUT].correlation.mean == pytest.approx(expected, abs=1e-4)
    assert figures[ROLLOUT].correlation.n == 1


def test_the_seed_draws() -> None:
    """The same postings and random weights."""
    postings = made_postings(30)
    one, same = (evaluate_faithfulness(model(), postings, 10, seed=3) for _ in range(2))
    assert one == same
    assert one != evaluate_faithfulness(model(), postings, 10, seed=4)
    assert one[0].correlation.n == 10


def test_what_is_refused() -> None:
    """No attention; no posting that is long enough."""
    with pytest.raises(ValueError, match="attends to nothing"):
        evaluate_faithfulness(DescriptionModel(WordEncoder(), "w", "sentence-mean"), made_postings(3), 3)
    with pytest.raises(ValueError, match="no posting has 3 sentences"):
        evaluate_faithfulness(model(), [Posting("s", "x", "One.")], 3)
