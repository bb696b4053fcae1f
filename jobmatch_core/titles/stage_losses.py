"""The two losses of the title encoder.

Paper: Deniz et al. (2024), section 3.2: equation 1 draws a title to its skill vector; equations 2 and 3 draw it to a
title that means the same and away from its own negatives. Unlike SimCLR's NT-Xent and sentence-transformers'
multiple-negatives ranking loss, no other title of the batch is a negative.
"""

from collections.abc import Iterable

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor, nn
from torch.nn import functional

Features = dict[str, Tensor]


def negative_cosine(outputs: Tensor, targets: Tensor) -> Tensor:
    """Return minus the mean cosine of outputs and targets: equation 1.

    Args:
        outputs: (batch, dimension).
        targets: (batch, dimension).

    Raises:
        ValueError: the shapes differ, which would broadcast.
    """
    if outputs.shape != targets.shape:
        raise ValueError(f"outputs {tuple(outputs.shape)} and targets {tuple(targets.shape)} must have one shape")
    return -functional.cosine_similarity(outputs.float(), targets.float(), dim=-1).mean()


def nt_xent(anchor: Tensor, positive: Tensor, negatives: Tensor, temperature: float) -> Tensor:
    """Return the mean of -log(d(z, z+) / (d(z, z+) + sum of d(z, z-))), d(a, b) = exp(cos(a, b) / temperature).

    Equation 3: the negatives are each anchor's own, none come from the batch.

    Args:
        anchor: (batch, dimension).
        positive: (batch, dimension).
        negatives: (batch, negative, dimension).
        temperature: above 0; the lower, the more the nearest negatives weigh.

    Raises:
        ValueError: the temperature is not above 0, or the shapes do not fit.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature is {temperature}, but must be above 0")
    if anchor.shape != positive.shape or negatives.shape[::2] != anchor.shape:
        shapes = ", ".join(str(tuple(each.shape)) for each in (anchor, positive, negatives))
        raise ValueError(f"expected (batch, dim), (batch, dim) and (batch, negative, dim), but got {shapes}")
    others = torch.cat([positive.unsqueeze(1), negatives], dim=1)
    logits = functional.cosine_similarity(anchor.unsqueeze(1).float(), others.float(), dim=-1) / temperature
    return (logits.logsumexp(dim=1) - logits[:, 0]).mean()


class SkillVectorLoss(nn.Module):
    """Equation 1 for the trainer; a learned projection, not part of the model, adapts to another target dimension."""

    def __init__(self, model: SentenceTransformer, target_dimension: int) -> None:
        """Wrap a model; a projection is added only if the dimensions differ."""
        super().__init__()
        self.model = model
        dimension = model.get_embedding_dimension()
        same = dimension == target_dimension
        self.head: nn.Module = nn.Identity() if same else nn.Linear(dimension, target_dimension, bias=False)

    def forward(self, features: Iterable[Features], labels: Tensor) -> Tensor:
        """Return the loss of titles, given as one element of *features*, and targets (batch, target_dimension)."""
        (titles,) = features
        return negative_cosine(self.head(self.model(titles)["sentence_embedding"]), labels)


class NTXentLoss(nn.Module):
    """Equation 3 for the trainer."""

    def __init__(self, model: SentenceTransformer, temperature: float) -> None:
        """Wrap a model."""
        super().__init__()
        self.model = model
        self.temperature = temperature

    def forward(self, features: Iterable[Features], labels: Tensor | None = None) -> Tensor:
        """Return the loss of anchors, positives and negatives.

        Args:
            features: features of the anchors, of the positives, and of the negatives: in one element with all of the
                first anchor's, then the second's, and so on; or in several elements with one for each anchor.
            labels: ignored.
        """
        anchor, positive, *negatives = (self.model(titles)["sentence_embedding"] for titles in features)
        batch, dimension = anchor.shape
        grouped = torch.cat([each.view(batch, -1, dimension) for each in negatives], dim=1)
        return nt_xent(anchor, positive, grouped, self.temperature)
