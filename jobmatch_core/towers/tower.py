"""A tower: maps the token vectors of a document's sections to one vector.

Paper: Jouanneau et al. (2024), section 3.1, equations 2 to 4, figure 2. The backbone is frozen (`token_encoders`). The
paper leaves the head's initial weights open; here an untrained tower is nearly the backbone pooled by section, and
training first learns which sections to attend to.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.entities import FloatArray
from jobmatch_core.token_vectors import TokenEncoder
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.tower_recipe import TowerConfig

SHORTEST = 1e-3  # shorter vectors are not normalised: they carry no information, and their gradients explode
_SMALL = 0.02  # BERT's standard deviation of initial weights


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents of one kind as token sequences, padded to equal length (sections 3.1.1, 3.1.2 and 4.2)."""

    tokens: Tensor  # (document, token, dimension), zeros for padding and for empty sections' tokens
    sections: Tensor  # (document, token) section of each token
    mask: Tensor  # (document, token) false for padding; an empty section has one token
    empty: Tensor  # (document, token) true for the tokens of empty sections
    n_sections: int  # number of sections of each document

    def to(self, device: torch.device) -> "DocumentBatch":
        """Return the batch on a device."""
        tokens, sections, mask, empty = (
            tensor.to(device) for tensor in (self.tokens, self.sections, self.mask, self.empty)
        )
        return DocumentBatch(tokens, sections, mask, empty, self.n_sections)


def document_batch(documents: Sequence[Document], encoder: TokenEncoder, max_tokens: int) -> DocumentBatch:
    """Encode documents of one kind, at least one; sections are truncated to *max_tokens*."""
    numbers: dict[str, int] = {}
    texts = np.array([[numbers.setdefault(text, len(numbers)) for text in document.texts] for document in documents])
    vectors, starts, lengths = _rows(encoder, list(numbers), max_tokens)
    n_sections = texts.shape[1]
    sizes = np.maximum(lengths[texts], 1)  # an empty section is one token
    token_documents, token_sections, places = _tokens(sizes)
    token_texts = texts[token_documents, token_sections]
    filled = lengths[token_texts] > 0
    mask = np.arange(sizes.sum(axis=1).max()) < sizes.sum(axis=1)[:, None]
    sources = np.full(mask.shape, len(vectors) - 1)
    sources[mask] = np.where(filled, starts[token_texts] + places, len(vectors) - 1)
    sections, empty = np.zeros(mask.shape, dtype=np.int64), np.zeros(mask.shape, dtype=np.bool_)
    sections[mask], empty[mask] = token_sections, ~filled
    return DocumentBatch(
        tokens=torch.from_numpy(vectors[sources]),
        sections=torch.from_numpy(sections),
        mask=torch.from_numpy(mask),
        empty=torch.from_numpy(empty),
        n_sections=n_sections,
    )


def _tokens(sizes: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
    # document, section, and position in the section of each token, from (document, section) sizes
    flat = sizes.ravel()
    owners = np.repeat(np.arange(flat.size), flat)
    places = np.arange(len(owners)) - np.repeat(np.cumsum(flat) - flat, flat)
    documents, sections = np.unravel_index(owners, sizes.shape)
    return documents, sections, places


def _rows(
    encoder: TokenEncoder, texts: list[str], max_tokens: int
) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    # token vectors of all texts with a last row of zeros, and each text's first row and length
    encoded = encoder.encode_tokens(texts)
    within_limit = encoded.mask & (np.cumsum(encoded.mask, axis=1) <= max_tokens)
    lengths = within_limit.sum(axis=1, dtype=np.int64)
    zeros = np.zeros((1, encoder.dimension), dtype=np.float32)
    vectors = np.concatenate([encoded.vectors[within_limit], zeros])
    return vectors, np.cumsum(lengths) - lengths, lengths


class Tower(nn.Module):
    """M(W, x) of section 3.1 without the backbone."""

    def __init__(self, config: TowerConfig, n_sections: int, dimension: int) -> None:
        """Initialise random weights by torch's global seed; *dimension* is the length of the token vectors.

        Raises ValueError if the transformer's width is not divisible by its number of heads.
        """
        super().__init__()
        self.config = config
        self.empty = nn.Parameter(torch.zeros(dimension))  # the [EMPTY] token
        small = _SMALL * torch.randn(n_sections, dimension)
        self.section = nn.Parameter(small) if config.section_embeddings else None
        self.head = _Head(config, dimension) if config.head else None

    def forward(self, batch: DocumentBatch) -> Tensor:
        """Return the documents' vectors, shape (document, dimension), L2-normalised.

        A document without text gets the vector of empty sections, which is zero without head and section embeddings.
        """
        return functional.normalize(self.section_vectors(batch).sum(dim=1), dim=-1, eps=SHORTEST)

    def section_vectors(self, batch: DocumentBatch) -> Tensor:
        """Return each section's contribution to its document's vector, shape (document, section, dimension).

        Their sum is e_d of equation 4 before normalisation.
        """
        within = self._within(batch)
        unit = _unit(batch, within)
        tokens = torch.where(batch.empty.unsqueeze(-1), self.empty, batch.tokens / unit)
        vectors = tokens if self.section is None else tokens + self.section[batch.sections]
        weights = self._weights(batch, within)
        if self.head is not None:
            # attention gives sections the same weights as pooling does, independent of their lengths
            vectors = self.head(vectors, weights.sum(dim=1).log())
            if self.config.skip:
                vectors = vectors + tokens
        return weights @ vectors

    def _within(self, batch: DocumentBatch) -> Tensor:
        # (document, section, token) mask of the tokens of each section
        numbers = torch.arange(batch.n_sections, device=batch.sections.device)
        return (batch.sections.unsqueeze(1) == numbers[:, None]) & batch.mask.unsqueeze(1)

    def _weights(self, batch: DocumentBatch, within: Tensor) -> Tensor:
        # (document, section, token) weight of each token in its own section, zero in others
        if self.config.weighted_pooling:
            sizes = within.sum(dim=2, keepdim=True) * batch.n_sections
        else:
            sizes = batch.mask.sum(dim=1)[:, None, None]
        weights: Tensor = within / sizes
        return weights


def _unit(batch: DocumentBatch, within: Tensor) -> Tensor:
    # (document, 1, 1) scale of the pooled sections. Backbones' scales differ a hundredfold; divided by it, components
    # are around one, as transformer layers and Adam expect. One number per document keeps its direction.
    means = (within / within.sum(dim=2, keepdim=True)) @ batch.tokens
    filled = (within & ~batch.empty.unsqueeze(1)).any(dim=2)
    squares = (means**2).mean(dim=-1) * filled
    return (squares.sum(dim=1) / filled.sum(dim=1).clamp(min=1)).sqrt().clamp(min=SHORTEST)[:, None, None]


class _Head(nn.Module):
    # every token attends to all tokens of its document; tokens have no positions within sections

    def __init__(self, config: TowerConfig, dimension: int) -> None:
        super().__init__()
        width = config.width or dimension
        if width % config.heads:
            raise ValueError(f"the head's width {width} is not divisible by its {config.heads} heads")
        self.narrow = nn.Identity() if width == dimension else nn.Linear(dimension, width)
        self.layers = nn.ModuleList(_Layer(config, width) for _ in range(config.layers))
        self.out = nn.Linear(width, dimension)
        nn.init.zeros_(self.out.bias)
        if isinstance(self.narrow, nn.Linear):
            nn.init.zeros_(self.narrow.bias)
            nn.init.orthogonal_(self.narrow.weight)
            with torch.no_grad():
                self.out.weight.copy_(self.narrow.weight.T)
        else:
            nn.init.eye_(self.out.weight)

    def forward(self, tokens: Tensor, weights: Tensor) -> Tensor:
        # *weights* are logarithms, -inf for padding
        hidden = self.narrow(tokens)
        for layer in self.layers:
            hidden = layer(hidden, weights)
        added: Tensor = self.out(hidden)
        return added


class _Layer(nn.Module):
    # A transformer layer with normalised inputs, but unnormalised values: the length of a token vector is the token's
    # weight ('and' is short). It starts by adding to each token the mean of the tokens that it attends to.

    def __init__(self, config: TowerConfig, width: int) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(width, config.heads, config.dropout, batch_first=True)
        self.looked_at, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inner = nn.Linear(width, config.feedforward * width)
        self.outer = nn.Linear(config.feedforward * width, width)
        self.dropout = nn.Dropout(config.dropout)
        with torch.no_grad():
            self.attention.in_proj_weight[-width:] = torch.eye(width)  # the values
        nn.init.eye_(self.attention.out_proj.weight)
        for begins_at_zero in (self.outer.weight, self.outer.bias):
            nn.init.zeros_(begins_at_zero)

    def forward(self, tokens: Tensor, weights: Tensor) -> Tensor:
        looked_at = self.looked_at(tokens)
        attended, _ = self.attention(looked_at, looked_at, tokens, key_padding_mask=weights, need_weights=False)
        hidden = tokens + self.dropout(attended)
        fed = self.outer(self.dropout(functional.gelu(self.inner(self.norm(hidden)))))
        added: Tensor = hidden + self.dropout(fed)
        return added
