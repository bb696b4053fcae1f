"""Attention over the texts of a document given the query, to rank a few thousand documents again.

Paper: Hajiaghayi et al. (2021), section IV, equations 8 and 9. The document's vector is the weighted sum of its texts'
vectors; the weights are a softmax over what a small network makes of the query, the text, and their product. A text
that says nothing about the query, such as a web address, gets little weight, where a concatenation reads all alike.
The other way of the paper, to concatenate the texts, needs no code here: the texts are joined before they are encoded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import Encoder, FloatArray, no_progress
from jobmatch_core.model_store.saved_model import (
    check_trained,
)
from lab.shipping.plain_loop import run_plain_loop

_BLOCK = 1024  # documents that are scored at a time


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    """Architecture and training of the attention."""

    layers: Literal[1, 2] = 2  # layers of the network, 1 or 2
    width: int = 32  # width of the first of two layers
    # epochs, batch_size, learning_rate: passes, pairs a step, and the rate of AdamW
    epochs: int = 10
    batch_size: int = 32
    learning_rate: float = 0.003
    temperature: float = 0.05  # divides the cosines of the softmax over the documents of a batch
    seed: int = 1  # seed of the weights and the order


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """Documents as the vectors of their texts."""

    vectors: FloatArray  # (document, text, dimension), L2-normalised; zeros where a document has fewer texts
    present: NDArray[np.bool_]  # (document, text) bool, whether there is such a text; every document has one at least

    @classmethod
    def encoded(cls, encoder: Encoder, documents: Sequence[Sequence[str]]) -> Self:
        """Encode the texts of documents; empty texts are left out, and a document without any has one of zeros."""
        flat = [text for document in documents for text in document if text.strip()]
        counts = np.array([sum(bool(text.strip()) for text in document) for document in documents], dtype=np.intp)
        present = np.arange(max(counts, default=1) or 1) < counts[:, None]
        encoded = encoder.encode(flat)
        vectors = np.zeros((*present.shape, encoded.shape[1]), dtype=np.float32)
        vectors[present] = encoded
        present[:, 0] = True
        return cls(vectors, present)


class TextAttention(nn.Module):
    """The network of equation 9 and the sum of equation 8."""

    def __init__(self, config: AttentionConfig, dimension: int) -> None:
        """Start with random weights, by torch's global seed."""
        super().__init__()
        self.config = config
        self.dimension = dimension
        first = [nn.Linear(3 * dimension, config.width), nn.Tanh()] if config.layers == 2 else []
        self.network = nn.Sequential(*first, nn.Linear(config.width if first else 3 * dimension, 1))

    def weights(self, queries: Tensor, texts: Tensor, present: Tensor) -> Tensor:
        """Return equation 9, (..., text).

        Args:
            queries: (..., dimension) vectors of queries.
            texts: (..., text, dimension) vectors of a document's texts.
            present: (..., text) bool, whether there is such a text.
        """
        expanded = queries[..., None, :].expand_as(texts)
        scores: Tensor = self.network(torch.cat([expanded, texts, expanded * texts], dim=-1))[..., 0]
        return scores.masked_fill(~present, -torch.inf).softmax(dim=-1)

    def forward(self, queries: Tensor, texts: Tensor, present: Tensor) -> Tensor:
        """Return equation 8, L2-normalised, (..., dimension); arguments as of `weights`."""
        summed = (self.weights(queries, texts, present)[..., None] * texts).sum(dim=-2)
        return functional.normalize(summed, dim=-1)

    def scores(self, query: FloatArray, documents: DocumentTexts) -> FloatArray:
        """Return the cosines of a query and documents, (document,).

        Args:
            query: (dimension,) vector of the query.
            documents: the documents to rank again.
        """
        weights = []
        tensor = torch.from_numpy(query)
        for start in range(0, len(documents.vectors), _BLOCK):
            texts = torch.from_numpy(documents.vectors[start : start + _BLOCK])
            present = torch.from_numpy(documents.present[start : start + _BLOCK])
            with torch.inference_mode():
                weights.append((self(tensor.expand(len(texts), -1), texts, present) @ tensor).numpy())
        return np.concatenate(weights) if weights else np.empty(0, dtype=np.float32)


def fit_text_attention(queries: FloatArray, documents: DocumentTexts, config: AttentionConfig) -> TextAttention:
    """Train the attention on pairs whose vectors stay as they are; the other documents of a batch are negatives.

    Args:
        queries: (pair, dimension) vectors of the queries.
        documents: the queries' documents.
        config: architecture and settings.

    Raises:
        ModelError: the loss is no longer a finite number.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        attention = TextAttention(config, queries.shape[1])
    optimiser = torch.optim.AdamW(attention.parameters(), lr=config.learning_rate)

    def loss(rows: NDArray[np.intp]) -> Tensor:
        batch = torch.from_numpy(queries[rows])
        texts = torch.from_numpy(documents.vectors[rows])
        present = torch.from_numpy(documents.present[rows])
        every = (len(rows), *texts.shape)  # each query reads each document of the batch
        vectors = attention(batch[:, None].expand(*every[:2], -1), texts.expand(every), present.expand(every[:-1]))
        logits = (vectors @ batch[..., None])[..., 0] / config.temperature
        return functional.cross_entropy(logits, torch.arange(len(rows)))

    def update(loss: Tensor, left: float) -> None:
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        optimiser.step()

    n, random = len(queries), np.random.default_rng(config.seed)
    n_batches = max(round(n / config.batch_size), 1)
    run_plain_loop(n, n_batches, config.epochs, loss=loss, update=update, random=random, progress=no_progress)
    check_trained(attention.state_dict())
    return attention.eval()
