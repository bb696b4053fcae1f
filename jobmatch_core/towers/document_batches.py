"""Document batches, the towers' input: all sections' token vectors in a row, padded to the longest document.

Paper: Jouanneau et al. (2024), sections 3.1.1, 3.1.2 and 4.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from jobmatch_core.entities import FloatArray, TokenEncoder
from jobmatch_core.towers.documents import Document


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Documents of one kind as sequences of tokens, padded to equal length.

    Attributes:
        tokens: (document, token, dimension), zeros for padding and for empty sections' tokens.
        sections: (document, token) number of each token's section.
        mask: (document, token) true where there is a token; a section without any has one all the same.
        empty: (document, token) true where the token stands for an empty section.
        n_sections: number of sections of each document.
    """

    tokens: Tensor
    sections: Tensor
    mask: Tensor
    empty: Tensor
    n_sections: int

    def to(self, device: torch.device) -> "DocumentBatch":
        """Return the batch on a device."""
        tokens, sections, mask, empty = (
            each.to(device) for each in (self.tokens, self.sections, self.mask, self.empty)
        )
        return DocumentBatch(tokens, sections, mask, empty, self.n_sections)


def document_batch(documents: Sequence[Document], encoder: TokenEncoder, max_tokens: int) -> DocumentBatch:
    """Encode documents of one kind, at least one.

    Args:
        documents: documents with equally many sections.
        encoder: the backbone; called once for each different text.
        max_tokens: maximum number of tokens of a section; the rest is left out.
    """
    number_of: dict[str, int] = {}
    texts = np.array([[number_of.setdefault(text, len(number_of)) for text in each.texts] for each in documents])
    vectors, starts, lengths = _rows(encoder, list(number_of), max_tokens)
    n_sections = texts.shape[1]
    sizes = np.maximum(lengths[texts], 1)  # an empty section is explicit: one token
    documents_of, sections_of, places = _tokens(sizes)
    texts_of = texts[documents_of, sections_of]
    filled = lengths[texts_of] > 0
    mask = np.arange(sizes.sum(axis=1).max()) < sizes.sum(axis=1)[:, None]
    sources = np.full(mask.shape, len(vectors) - 1)
    sources[mask] = np.where(filled, starts[texts_of] + places, len(vectors) - 1)
    sections, empty = np.zeros(mask.shape, dtype=np.int64), np.zeros(mask.shape, dtype=np.bool_)
    sections[mask], empty[mask] = sections_of, ~filled
    return DocumentBatch(
        tokens=torch.from_numpy(vectors[sources]),
        sections=torch.from_numpy(sections),
        mask=torch.from_numpy(mask),
        empty=torch.from_numpy(empty),
        n_sections=n_sections,
    )


def _tokens(sizes: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
    """Return, for all tokens in a row, their document, their section, and their position in it.

    Args:
        sizes: (document, section) numbers of tokens.
    """
    flat = sizes.ravel()
    owners = np.repeat(np.arange(flat.size), flat)
    places = np.arange(len(owners)) - np.repeat(np.cumsum(flat) - flat, flat)
    documents, sections = np.unravel_index(owners, sizes.shape)
    return documents, sections, places


def _rows(
    encoder: TokenEncoder, texts: list[str], max_tokens: int
) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Return all texts' token vectors in one array, a row of zeros last; each text's first row; and its length."""
    encoded = encoder.encode_tokens(texts)
    kept = encoded.mask & (np.cumsum(encoded.mask, axis=1) <= max_tokens)
    lengths = kept.sum(axis=1, dtype=np.int64)
    zeros = np.zeros((1, encoder.dimension), dtype=np.float32)
    vectors = np.concatenate([encoded.vectors[kept], zeros])
    return vectors, np.cumsum(lengths) - lengths, lengths
