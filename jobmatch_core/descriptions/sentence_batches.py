"""Batches of postings' sentence vectors, and pooling without weights: means and maxima."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from jobmatch_core.entities import FloatArray

_MOST_POSTINGS = 64  # of a batch
_MOST_PLACES = 8192  # sentences of a batch, padding included: attention's memory grows with their square


@dataclass(frozen=True, slots=True)
class SentenceBatch:
    """Postings as sequences of sentence vectors, padded to the longest.

    Attributes:
        vectors: (posting, sentence, dimension).
        mask: (posting, sentence) true where there is a sentence.
    """

    vectors: Tensor
    mask: Tensor

    def __post_init__(self) -> None:
        """Check that they belong together.

        Raises:
            ValueError: the mask is not boolean, or its shape does not fit.
        """
        if self.mask.dtype != torch.bool or self.vectors.dim() != 3 or self.mask.shape != self.vectors.shape[:2]:
            raise ValueError(
                f"expected vectors (posting, sentence, dimension) and a boolean mask (posting, sentence), but got "
                f"{tuple(self.vectors.shape)} and {self.mask.dtype} {tuple(self.mask.shape)}"
            )


def sentence_batch(postings: Sequence[FloatArray]) -> SentenceBatch:
    """Pad postings, each (sentence, dimension), to the longest, and at least to one place.

    Raises:
        ValueError: there are no postings.
    """
    if not postings:
        raise ValueError("expected at least one posting")
    lengths = np.array([len(each) for each in postings], dtype=np.intp)
    mask = np.arange(max(lengths.max(), 1)) < lengths[:, None]
    vectors = np.zeros((*mask.shape, postings[0].shape[1]), dtype=np.float32)
    vectors[mask] = np.concatenate(postings)
    return SentenceBatch(torch.from_numpy(vectors), torch.from_numpy(mask))


def rows_of_like_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows of postings in batches, so that little is padding and no batch is too large.

    Args:
        lengths: (posting,) numbers of sentences.
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _MOST_POSTINGS or (len(batch) + 1) * lengths[row] > _MOST_PLACES):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def mean_of(vectors: Tensor, mask: Tensor) -> Tensor:
    """Return the means over sentences, shape (posting, dimension); zeros without sentences.

    Args:
        vectors: (posting, sentence, dimension).
        mask: (posting, sentence) true where there is a sentence.
    """
    weights = mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def max_of(vectors: Tensor, mask: Tensor) -> Tensor:
    """Return the maximum of each dimension; zeros without sentences. Shapes as for `mean_of`."""
    lowest = torch.finfo(vectors.dtype).min
    greatest = vectors.masked_fill(~mask.unsqueeze(-1), lowest).amax(dim=1)
    return torch.where(mask.any(dim=1, keepdim=True), greatest, torch.zeros_like(greatest))
