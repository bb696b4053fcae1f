"""Attention of the aggregation network as plain arrays, and its faithfulness; without torch.

Paper: Laosaengpha et al. (2024), appendix E, which shows the summary token's row of the first layer; rollout:
Abnar & Zuidema (2020), section 4. Attention need not explain a model (Jain & Wallace 2019), so it is compared with the
shift of a posting's vector when a sentence is left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.vectors import normalised

_LEAST = 2  # sentences that can be ranked

Aggregate = Callable[[Sequence[FloatArray]], FloatArray]  # postings of (sentence, dimension) -> (posting, dimension)


@dataclass(frozen=True, slots=True)
class Attention:
    """The attention of one posting."""

    # (layer, head, sentence + 1, sentence + 1), softmax over the last axis; the first row and column are the summary
    # token's
    weights: FloatArray

    def __post_init__(self) -> None:
        shape = self.weights.shape
        if len(shape) != 4 or shape[2] != shape[3] or 0 in shape:
            raise ValueError(f"expected weights (layer, head, place, place), but got the shape {shape}")

    @property
    def n_layers(self) -> int:
        """Number of layers."""
        return int(self.weights.shape[0])

    @property
    def n_heads(self) -> int:
        """Number of heads of each layer."""
        return int(self.weights.shape[1])


@dataclass(frozen=True, slots=True)
class AttentionView:
    """A choice of layer and head."""

    layer: int | None = None  # from 0; None for the rollout over all layers
    head: int | None = None  # from 0, of that layer; None for the mean of its heads


def summary_rows(attention: Attention) -> FloatArray:
    """Return the summary token's attention to the sentences, shape (layer, head, sentence).

    Its attention to itself is excluded and the rest scaled to sum to one, so that postings are comparable; zeros if it
    attends only to itself.
    """
    return _shares(attention.weights[:, :, 0, 1:])


def summary_means(attention: Attention) -> FloatArray:
    """Return `summary_rows` of the mean of each layer's heads, shape (layer, sentence)."""
    return _shares(attention.weights.mean(axis=1)[:, 0, 1:])


def rollout(attention: Attention) -> FloatArray:
    """Return the attention rollout, shape (sentence + 1, sentence + 1): the share of each input in each output.

    With A = (mean of heads + 1) / 2 for the residual connection, the rollout is the product of all layers' A, the last
    layer first.
    """
    places = attention.weights.shape[-1]
    rolled = np.eye(places, dtype=np.float32)
    for layer in attention.weights.mean(axis=1):
        mixed = (layer + np.eye(places, dtype=np.float32)) / 2
        rolled = mixed / mixed.sum(axis=-1, keepdims=True) @ rolled
    return np.asarray(rolled, dtype=np.float32)


def rollout_weights(attention: Attention) -> FloatArray:
    """Return the summary token's rollout over the sentences, scaled to sum to one, shape (sentence,)."""
    return _shares(rollout(attention)[0, 1:])


def attention_weights(attention: Attention, view: AttentionView) -> FloatArray:
    """Return the summary token's attention to the sentences, scaled to sum to one, shape (sentence,)."""
    if view.layer is None:
        return rollout_weights(attention)
    if view.head is None:
        return np.asarray(summary_means(attention)[view.layer], dtype=np.float32)
    return np.asarray(summary_rows(attention)[view.layer, view.head], dtype=np.float32)


def _shares(weights: FloatArray) -> FloatArray:
    sums = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(sums > 0, sums, 1), dtype=np.float32)


def leave_one_out_shifts(aggregate: Aggregate, sentences: FloatArray) -> FloatArray:
    """Return the shift of a posting's vector when each of its sentences is left out.

    Args:
        aggregate: returns the vectors of several postings from their sentence vectors.
        sentences: (sentence, dimension).

    Returns:
        1 - cosine of the vectors with and without it, from 0 to 2, shape (sentence,); 1 where one of them is zero.
    """
    shorter = [np.delete(sentences, place, axis=0) for place in range(len(sentences))]
    vectors = normalised(aggregate([sentences, *shorter]))
    return np.asarray(1 - vectors[1:] @ vectors[0], dtype=np.float32)


def rank_correlation(left: FloatArray, right: FloatArray) -> float | None:
    """Return Spearman's rank correlation with average ranks for ties.

    Args:
        left: (sentence,) numbers, such as shares of attention.
        right: (sentence,) numbers, such as shifts.

    Returns:
        From -1 to 1; None with fewer than two sentences or a constant side.

    Raises ValueError if the lengths differ.
    """
    from scipy.stats import rankdata  # takes a second, too long for a server's start

    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"expected two arrays of the same length, but got the shapes {left.shape} and {right.shape}")
    if len(left) < _LEAST or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(rankdata(left), rankdata(right))[0, 1])
