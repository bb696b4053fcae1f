"""A tower: a module from the token vectors of a document's sections to one vector.

Paper: Jouanneau et al. (2024), section 3.1, equations 2 to 4, figure 2. The backbone is frozen and separate, see
`token_encoders`. The paper leaves the head's initial weights open: here each token starts as the sum of itself and
the tokens it attends to, so that an untrained tower is nearly the backbone's own vectors pooled by section, and
training first learns which sections to attend to.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.towers.document_batches import DocumentBatch
from jobmatch_core.towers.tower_config import TowerConfig

__all__ = ["SHORTEST", "Tower", "TowerConfig"]
SHORTEST = 1e-3  # a shorter vector is not normalised: it carries no information, and its gradient would explode
_SMALL = 0.02  # BERT's standard deviation of initial weights


class Tower(nn.Module):
    """M(W, x) of section 3.1 without the backbone."""

    def __init__(self, config: TowerConfig, n_sections: int, dimension: int) -> None:
        """Initialise random weights, by torch's global seed.

        Args:
            config: the architecture.
            n_sections: number of sections of each document.
            dimension: length of the token vectors.

        Raises:
            ValueError: the transformer's width cannot be shared by its heads.
        """
        super().__init__()
        self.config = config
        self.empty = nn.Parameter(torch.zeros(dimension))  # the [EMPTY] token, where the backbone gives none
        small = _SMALL * torch.randn(n_sections, dimension)
        self.section = nn.Parameter(small) if config.section_embeddings else None
        self.head = _Head(config, dimension) if config.head else None

    def forward(self, batch: DocumentBatch) -> Tensor:
        """Return the documents' vectors, shape (document, dimension), L2-normalised.

        A document without text gets the tower's vector of empty sections; without a head and section embeddings it is
        zero.
        """
        return functional.normalize(self.section_vectors(batch).sum(dim=1), dim=-1, eps=SHORTEST)

    def section_vectors(self, batch: DocumentBatch) -> Tensor:
        """Return each section's contribution to its document's vector, shape (document, section, dimension).

        Their sum is e_d of equation 4, before it is normalised.
        """
        within = self._within(batch)
        unit = _unit(batch, within)
        tokens = torch.where(batch.empty.unsqueeze(-1), self.empty, batch.tokens / unit)
        vectors = tokens if self.section is None else tokens + self.section[batch.sections]
        weights = self._weights(batch, within)
        if self.head is not None:
            # a section is attended to like any other, however long it is, for the reason that it is pooled so
            vectors = self.head(vectors, weights.sum(dim=1).log())
            if self.config.skip:
                vectors = vectors + tokens
        return weights @ vectors

    def _within(self, batch: DocumentBatch) -> Tensor:
        """Return a mask of the tokens of each section, shape (document, section, token)."""
        numbers = torch.arange(batch.n_sections, device=batch.sections.device)
        return (batch.sections.unsqueeze(1) == numbers[:, None]) & batch.mask.unsqueeze(1)

    def _weights(self, batch: DocumentBatch, within: Tensor) -> Tensor:
        """Return each token's weight in its own section, zero in others, shape (document, section, token)."""
        if self.config.weighted_pooling:
            sizes = within.sum(dim=2, keepdim=True) * batch.n_sections
        else:
            sizes = batch.mask.sum(dim=1)[:, None, None]
        weights: Tensor = within / sizes
        return weights


def _unit(batch: DocumentBatch, within: Tensor) -> Tensor:
    """Return the scale of a document's sections, pooled from its tokens; shape (document, 1, 1).

    Divided by it, components are around one, the scale that transformer layers and Adam's steps are designed for;
    backbones differ a hundredfold. The whole document is divided by one number, so its direction stays.
    """
    means = (within / within.sum(dim=2, keepdim=True)) @ batch.tokens
    filled = (within & ~batch.empty.unsqueeze(1)).any(dim=2)
    squares = (means**2).mean(dim=-1) * filled
    return (squares.sum(dim=1) / filled.sum(dim=1).clamp(min=1)).sqrt().clamp(min=SHORTEST)[:, None, None]


class _Head(nn.Module):
    """A BERT-like head: every token attends to all tokens of its document; only sections are ordered."""

    def __init__(self, config: TowerConfig, dimension: int) -> None:
        super().__init__()
        width = config.width or dimension
        if width % config.heads:
            raise ValueError(f"the head's width is {width}, which its {config.heads} heads cannot share evenly")
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
        """Return one vector per token, (document, token, dimension); log *weights* are -inf where there is none."""
        hidden = self.narrow(tokens)
        for layer in self.layers:
            hidden = layer(hidden, weights)
        added: Tensor = self.out(hidden)
        return added


class _Layer(nn.Module):
    """A transformer layer with normalised inputs and unnormalised outputs.

    The length of a backbone's token vector is the token's weight, 'and' being short. The layer starts by adding to each
    token the mean of the tokens it attends to, so that training first learns what to attend to.
    """

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
