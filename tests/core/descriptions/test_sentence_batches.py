"""Batches of sentence vectors: padding, means and maxima."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.network import SentenceBatch, max_of, mean_of, rows_of_like_length, sentence_batch

TWO = np.array([[1, 4], [-3, 2]], dtype=np.float32)
NONE = np.empty((0, 2), dtype=np.float32)


def test_padding() -> None:
    """Padding is zero and masked."""
    batch = sentence_batch([TWO[:1], TWO, NONE])
    assert batch.vectors.tolist() == [[[1, 4], [0, 0]], [[1, 4], [-3, 2]], [[0, 0], [0, 0]]]
    assert batch.mask.tolist() == [[True, False], [True, True], [False, False]]
    assert sentence_batch([NONE]).vectors.shape == (1, 1, 2)


def test_means_and_maxima_by_hand() -> None:
    """Padding is ignored; without sentences both are zero."""
    batch = sentence_batch([TWO, TWO[1:], NONE])
    vectors = torch.where(batch.mask.unsqueeze(-1), batch.vectors, 7.0)
    assert mean_of(vectors, batch.mask).tolist() == [[-1, 3], [-3, 2], [0, 0]]
    assert max_of(vectors, batch.mask).tolist() == [[1, 4], [-3, 2], [0, 0]]


@given(st.lists(st.integers(0, 300), max_size=200))
def test_batches_of_like_length(lengths: list[int]) -> None:
    """Every row occurs once, ascending by length, in batches of limited size."""
    batches = list(rows_of_like_length(lengths))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    flat = [lengths[row] for batch in batches for row in batch]
    assert flat == sorted(flat)
    assert all(len(batch) <= 64 and len(batch) * max(lengths[row] for row in batch) <= 8192 for batch in batches)


def test_one_posting_may_be_larger_than_a_batch() -> None:
    """It forms a batch of its own."""
    assert list(rows_of_like_length([3, 20_000])) == [[0], [1]]


def test_what_is_refused() -> None:
    """No posting; masks that do not fit."""
    with pytest.raises(ValueError, match="at least one posting"):
        sentence_batch([])
    for mask in (torch.ones(2, 3), torch.ones(3, 2, dtype=torch.bool)):
        with pytest.raises(ValueError, match="expected vectors"):
            SentenceBatch(torch.zeros(2, 3, 4), mask)
