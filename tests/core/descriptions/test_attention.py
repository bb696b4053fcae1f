"""Attention as data: shares, rollout by hand and by a naive loop.

Leaving sentences out, and ranks.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from jobmatch_core.descriptions.attention import (
    Attention,
    leave_one_out_shifts,
    rank_correlation,
    rollout,
    rollout_weights,
    summary_means,
    summary_rows,
)
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.entities import FloatArray
from tests.core.descriptions.made_postings import WordEncoder, made_postings


def random_attention(layers: int = 3, heads: int = 2, sentences: int = 4, seed: int = 1) -> Attention:
    """Return attention whose rows sum to one."""
    weights = np.random.default_rng(seed).random((layers, heads, sentences + 1, sentences + 1))
    return Attention((weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32))


def test_shares_of_the_summary_token_by_hand() -> None:
    """0.5 to itself, 0.4 and 0.1 to the sentences: shares 0.8 and 0.2; the heads' mean 0.25 and 0.25: halves."""
    weights = np.zeros((1, 2, 3, 3), dtype=np.float32)
    weights[0, :, 0] = [[0.5, 0.4, 0.1], [0.5, 0.1, 0.4]]
    attention = Attention(weights)
    assert summary_rows(attention)[0].ravel().tolist() == pytest.approx([0.8, 0.2, 0.2, 0.8])
    assert summary_means(attention)[0].tolist() == pytest.approx([0.5, 0.5])
    assert (attention.n_layers, attention.n_heads) == (1, 2)


def test_rollout_by_hand() -> None:
    """One layer that attends to its sentence alone: half of the summary comes from there, half from itself."""
    weights = np.array([[[[0.0, 1.0], [0.0, 1.0]]]], dtype=np.float32)
    assert rollout(Attention(weights)).tolist() == [[0.5, 0.5], [0.0, 1.0]]
    both = Attention(np.concatenate([weights, weights]))
    assert rollout(both).tolist() == [[0.25, 0.75], [0.0, 1.0]]
    assert rollout_weights(both).tolist() == [1.0]


def test_rollout_equals_naive_loop() -> None:
    """Abnar & Zuidema's equation 1, number by number."""
    attention = random_attention()
    all_of = range(5)
    rolled = [[float(i == j) for j in all_of] for i in all_of]
    for layer in attention.weights:
        mixed = [[(layer[:, i, j].mean() + (i == j)) / 2 for j in all_of] for i in all_of]
        rolled = [[sum(mixed[i][k] * rolled[k][j] for k in all_of) for j in all_of] for i in all_of]
    assert rollout(attention) == pytest.approx(np.array(rolled), abs=1e-6)


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 6))
def test_all_are_shares(layers: int, heads: int, sentences: int) -> None:
    """They are not negative and sum to one."""
    attention = random_attention(layers, heads, sentences)
    for shares in (summary_rows(attention), summary_means(attention), rollout(attention), rollout_weights(attention)):
        assert shares.sum(axis=-1) == pytest.approx(np.ones(shares.shape[:-1]), abs=1e-5)
        assert (shares >= 0).all()


def test_a_posting_without_a_sentence() -> None:
    """The summary token attends to itself alone; there is nothing to share."""
    attention = Attention(np.ones((2, 2, 1, 1), dtype=np.float32))
    assert summary_rows(attention).shape == (2, 2, 0)
    assert rollout_weights(attention).shape == (0,)
    assert not summary_rows(Attention(np.eye(3, dtype=np.float32)[None, None])).any()


@pytest.mark.parametrize("shape", [(2, 3, 3), (1, 1, 2, 3), (0, 1, 2, 2)])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    """At once, not where they are drawn."""
    with pytest.raises(ValueError, match="expected weights"):
        Attention(np.zeros(shape, dtype=np.float32))


def sums(postings: Sequence[FloatArray]) -> FloatArray:
    """Sum the sentences up; an aggregator that can be reckoned by hand."""
    return np.array([each.sum(axis=0) for each in postings], dtype=np.float32)


def test_shifts_by_hand() -> None:
    """East, east, north: (2, 1) without an east is (1, 1), cosine 3 / sqrt(10); without north (2, 0), 2 / sqrt(5)."""
    sentences = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    expected = [1 - 3 / 10**0.5, 1 - 3 / 10**0.5, 1 - 2 / 5**0.5]
    assert leave_one_out_shifts(sums, sentences).tolist() == pytest.approx(expected, abs=1e-6)


def test_no_sentence_and_one() -> None:
    """Without its only sentence a posting says nothing: as far away as what has nothing to do with it."""
    assert leave_one_out_shifts(sums, np.empty((0, 2), dtype=np.float32)).shape == (0,)
    assert leave_one_out_shifts(sums, np.array([[1, 0]], dtype=np.float32)).tolist() == [1]


def test_equals_a_naive_loop_over_a_model() -> None:
    """One posting after the other, each without one sentence."""
    model = DescriptionModel(WordEncoder(), "words", "sentence-max")
    for posting in made_postings(4):
        found = model.describe(posting)
        naive = []
        for place in range(len(found.segments)):
            lines = posting.description.split("\n")
            del lines[place]
            [other] = model.encode_postings([type(posting)("", "", "\n".join(lines))])
            naive.append(1 - other @ found.vector)
        assert leave_one_out_shifts(model.aggregate, found.sentences).tolist() == pytest.approx(naive, abs=1e-5)


NUMBERS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20)


@given(NUMBERS)
def test_ranks_as_scipy(pairs: list[tuple[int, int]]) -> None:
    """With ties; None where scipy would have no number."""
    left, right = np.array(pairs, dtype=np.float32).T
    found = rank_correlation(left, right)
    if len(set(left)) == 1 or len(set(right)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(left, right).statistic)


def test_ranks_by_hand() -> None:
    """The same order, the reverse, and too few."""
    up = np.array([1, 2, 9], dtype=np.float32)
    assert rank_correlation(up, up**2) == pytest.approx(1)
    assert rank_correlation(up, -up) == pytest.approx(-1)
    assert rank_correlation(up[:1], up[:1]) is None
    with pytest.raises(ValueError, match="same length"):
        rank_correlation(up, up[:2])
