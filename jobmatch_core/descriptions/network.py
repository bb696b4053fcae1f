"""The job description aggregation network: from a posting's sentence vectors to one vector in the titles' space.

Paper: Laosaengpha et al. (2024), section 2.2, equation 1: D = TransformerEncoder(LayerNorm([g_CLS; g_1 ... g_n])), then
a three-layer MLP with ReLU turns d_CLS into f. Sentences have no positions, so the network ignores their order.

Choices that the paper leaves open: 8 heads, inner widths of 4 (transformer) and 1 (MLP) times the dimension, dropout
0.1, layer norm after each block as in BERT, and the initial weights. With torch's own, d_CLS is nearly all its own
token and f the same for all postings (mean cosine 0.99) for hundreds of steps. So the attention's values and output
start as rotations, and the MLP with Kaiming weights and without biases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.attention import Attention
from jobmatch_core.entities import FloatArray

_MOST_POSTINGS = 64  # of a batch
_MOST_PLACES = 8192  # sentences of a batch, padding included: attention's memory grows with their square
_SMALL = 0.02  # BERT's standard deviation of random weights


@dataclass(frozen=True, slots=True)
class SentenceBatch:
    """Postings as sequences of sentence vectors, padded to the longest."""

    vectors: Tensor  # (posting, sentence, dimension)
    mask: Tensor  # (posting, sentence) true for a sentence, false for padding

    def __post_init__(self) -> None:
        if self.mask.dtype != torch.bool or self.vectors.dim() != 3 or self.mask.shape != self.vectors.shape[:2]:
            raise ValueError(
                f"expected vectors (posting, sentence, dimension) and a boolean mask (posting, sentence), but got "
                f"{tuple(self.vectors.shape)} and {self.mask.dtype} {tuple(self.mask.shape)}"
            )


def sentence_batch(postings: Sequence[FloatArray]) -> SentenceBatch:
    """Pad postings, each (sentence, dimension), to the longest, with at least one place.

    Raises ValueError if no postings.
    """
    if not postings:
        raise ValueError("expected at least one posting")
    lengths = np.array([len(posting) for posting in postings], dtype=np.intp)
    mask = np.arange(max(lengths.max(), 1)) < lengths[:, None]
    vectors = np.zeros((*mask.shape, postings[0].shape[1]), dtype=np.float32)
    vectors[mask] = np.concatenate(postings)
    return SentenceBatch(torch.from_numpy(vectors), torch.from_numpy(mask))


def rows_of_like_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the rows of postings in batches of limited size and little padding, by their numbers of sentences."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _MOST_POSTINGS or (len(batch) + 1) * lengths[row] > _MOST_PLACES):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def mean_of(vectors: Tensor, mask: Tensor) -> Tensor:
    """Return the means over sentences, shape (posting, dimension); zeros without sentences."""
    weights = mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def max_of(vectors: Tensor, mask: Tensor) -> Tensor:
    """Return the maxima over sentences, shape (posting, dimension); zeros without sentences."""
    lowest = torch.finfo(vectors.dtype).min
    greatest = vectors.masked_fill(~mask.unsqueeze(-1), lowest).amax(dim=1)
    return torch.where(mask.any(dim=1, keepdim=True), greatest, torch.zeros_like(greatest))


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Output of the network for a batch."""

    vectors: Tensor  # f, (posting, dimension), not normalised
    attention: Tensor | None  # (layer, posting, head, sentence + 1, sentence + 1), or None if not requested


class AggregationNetwork(nn.Module):
    """The aggregation network: it weights a posting's sentences and pools them."""

    def __init__(self, config: NetworkConfig, dimension: int) -> None:
        """Initialise random weights, by torch's global seed.

        Raises ValueError if the heads do not divide the dimension.
        """
        super().__init__()
        if dimension % config.heads:
            raise ValueError(f"{config.heads} heads cannot divide the dimension {dimension} of the sentence vectors")
        self.config = config
        self.cls = nn.Parameter(_SMALL * torch.randn(dimension))
        self.norm = nn.LayerNorm(dimension)
        self.layers = nn.ModuleList(_Layer(config, dimension) for _ in range(config.layers))
        alternating = [layer for _ in range(3) for layer in (nn.Linear(dimension, dimension), nn.ReLU())]
        self.mlp = nn.Sequential(*alternating[:-1])
        for layer in self.mlp:
            if isinstance(layer, nn.Linear):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                nn.init.zeros_(layer.bias)

    def forward(self, batch: SentenceBatch, *, attention: bool = False) -> Aggregated:
        """Pool postings; a posting without sentences gets the output of the summary token alone."""
        size = len(batch.vectors)
        mask = torch.cat([batch.mask.new_ones(size, 1), batch.mask], dim=1)
        packing = _Packing(mask)
        states = self.norm(packing.packed(torch.cat([self.cls.expand(size, 1, -1), batch.vectors], dim=1)))
        all_weights: list[Tensor] = []
        for layer in self.layers:
            states, weights = layer(states, packing)
            if attention:
                all_weights.append(weights)
        learned = packing.padded(states)
        vectors = self.mlp(learned[:, 0] if self.config.pooling == "cls" else mean_of(learned[:, 1:], batch.mask))
        return Aggregated(vectors, torch.stack(all_weights) if attention else None)


# drops the padding, which may be most of a batch, from all computations but attention
class _Packing:
    def __init__(self, mask: Tensor) -> None:
        self.mask = mask
        self._places = mask.flatten().nonzero().squeeze(1)

    # (posting, sentence, width) -> (place, width)
    def packed(self, padded: Tensor) -> Tensor:
        return padded.flatten(0, 1)[self._places]

    # (place, width) -> (posting, sentence, width), zeros in the padding
    def padded(self, packed: Tensor) -> Tensor:
        empty = packed.new_zeros(self.mask.numel(), packed.shape[1])
        return empty.index_copy(0, self._places, packed).view(*self.mask.shape, -1)


# `nn.TransformerEncoderLayer` without the padding, and with each head's attention
class _Layer(nn.Module):
    def __init__(self, config: NetworkConfig, dimension: int) -> None:
        super().__init__()
        inner = config.feedforward * dimension
        self.heads = config.heads
        self.project_in, self.project_out = nn.Linear(dimension, 3 * dimension), nn.Linear(dimension, dimension)
        self.linear1, self.linear2 = nn.Linear(dimension, inner), nn.Linear(inner, dimension)
        self.norm1, self.norm2 = nn.LayerNorm(dimension), nn.LayerNorm(dimension)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.xavier_uniform_(self.project_in.weight)  # as torch begins its attention
        with torch.no_grad():
            nn.init.orthogonal_(self.project_in.weight[2 * dimension :])
        nn.init.orthogonal_(self.project_out.weight)
        nn.init.zeros_(self.project_in.bias)
        nn.init.zeros_(self.project_out.bias)

    def forward(self, states: Tensor, packing: _Packing) -> tuple[Tensor, Tensor]:
        attended, weights = self._attend(states, packing)
        states = self.norm1(states + self.dropout(attended))
        inner = self.dropout(torch.relu(self.linear1(states)))
        return self.norm2(states + self.dropout(self.linear2(inner))), weights

    def _attend(self, states: Tensor, packing: _Packing) -> tuple[Tensor, Tensor]:
        projected = packing.padded(self.project_in(states)).view(*packing.mask.shape, 3, self.heads, -1)
        queries, keys, values = projected.permute(2, 0, 3, 1, 4)  # each (posting, head, sentence, width)
        scores = queries @ keys.transpose(-1, -2) / keys.shape[-1] ** 0.5
        weights = scores.masked_fill(~packing.mask[:, None, None], -torch.inf).softmax(dim=-1)
        attended = (self.dropout(weights) @ values).transpose(1, 2).flatten(2)
        return self.project_out(packing.packed(attended)), weights


def attention_of(aggregated: Aggregated, posting: int, n_sentences: int) -> Attention:
    """Return one posting's attention without the padding; raises ValueError if the attention was not requested."""
    if aggregated.attention is None:
        raise ValueError("attention was not requested from the network")
    places = n_sentences + 1
    weights = aggregated.attention[:, posting, :, :places, :places]
    return Attention(np.asarray(weights.detach().cpu().numpy(), dtype=np.float32))
