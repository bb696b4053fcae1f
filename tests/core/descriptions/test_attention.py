"""Attention as data: shares, rollout by hand and by a naive loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.attention import Attention, rollout, rollout_weights, summary_means, summary_rows


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
    assert (attention.n_layers, attention.n_heads, attention.n_sentences) == (1, 2, 2)


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
