"""A tower: from the token vectors of a document's sections to one vector.

Paper: Jouanneau et al. (2024), section 3.1, equations 2 to 4, figure 2. The backbone is frozen and lies outside, see
`token_encoders`. The paper leaves open how the head begins: here its last layer begins at zero, so that with the skip
connection an untrained tower is the backbone's own vectors pooled by section, and training only learns the difference.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.matching.document_batches import DocumentBatch
from jobmatch_core.matching.tower_config import TowerConfig

__all__ = ["SHORTEST", "Tower", "TowerConfig"]
SHORTEST = 1e-3  # a vector below it is not stretched to length one: it says nothing, and would have a vast gradient
_SMALL = 0.02  # BERT's standard deviation of what is learned from nothing


class Tower(nn.Module):
    """M(W, x) of section 3.1 without the backbone."""

    def __init__(self, config: TowerConfig, n_sections: int, dimension: int) -> None:
        """Begin with random weights, by torch's global seed.

        Args:
            config: the architecture.
            n_sections: of each document.
            dimension: of the token vectors.

        Raises:
            ValueError: the transformer's width cannot be shared by its heads.
        """
        super().__init__()
        self.config = config
        self.empty = nn.Parameter(torch.zeros(dimension))  # the [EMPTY] token, where the backbone gives none
        small = _SMALL * torch.randn(n_sections, dimension) / dimension**0.5
        self.section = nn.Parameter(small) if config.section_embeddings else None
        self.head = _Head(config, dimension) if config.head else None

    def forward(self, batch: DocumentBatch) -> Tensor:
        """Return the documents' vectors, shape (document, dimension), L2-normalised.

        One without any text is zero as long as nothing was learned of emptiness.
        """
        return functional.normalize(self.section_vectors(batch).sum(dim=1), dim=-1, eps=SHORTEST)

    def section_vectors(self, batch: DocumentBatch) -> Tensor:
        """Return what each section adds to its document's vector, shape (document, section, dimension).

        Their sum is e_d of equation 4, before it is normalised.
        """
        tokens = torch.where(batch.empty.unsqueeze(-1), self.empty, batch.tokens)
        vectors = tokens if self.section is None else tokens + self.section[batch.sections]
        if self.head is not None:
            vectors = self.head(vectors, batch.mask)
            if self.config.skip:
                vectors = vectors + tokens
        return self._weights(batch) @ vectors

    def _weights(self, batch: DocumentBatch) -> Tensor:
        """Return each token's weight in its own section, zero in others, shape (document, section, token)."""
        numbers = torch.arange(batch.n_sections, device=batch.sections.device)
        within = (batch.sections.unsqueeze(1) == numbers[:, None]) & batch.mask.unsqueeze(1)
        if self.config.weighted_pooling:
            sizes = within.sum(dim=2, keepdim=True) * batch.n_sections
        else:
            sizes = batch.mask.sum(dim=1)[:, None, None]
        weights: Tensor = within / sizes
        return weights


class _Head(nn.Module):
    """BERT-like: every token attends to all tokens of its document; it knows no order but that of the sections."""

    def __init__(self, config: TowerConfig, dimension: int) -> None:
        super().__init__()
        width = config.width or dimension
        if width % config.heads:
            raise ValueError(f"the head's width is {width}, which its {config.heads} heads cannot share evenly")
        layer = nn.TransformerEncoderLayer(
            width, config.heads, config.feedforward * width, config.dropout, activation="gelu", batch_first=True
        )
        self.narrow = nn.Identity() if width == dimension else nn.Linear(dimension, width)
        self.layers = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False)
        self.out = nn.Linear(width, dimension)
        if config.skip:  # without a skip connection there would be no vector at all
            nn.init.zeros_(self.out.weight)
            nn.init.zeros_(self.out.bias)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        hidden = self.layers(self.narrow(tokens), src_key_padding_mask=~mask)
        added: Tensor = self.out(hidden)
        return added
