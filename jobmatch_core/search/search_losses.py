"""Losses of the search encoder as pure functions of vectors: equations 2 to 7, and an in-batch softmax.

Paper: Hajiaghayi et al. (2021), section III-A. Row j of the queries and row j of the documents are a pair. All losses
are means over the pairs of a batch, each pair's loss times its weight, such as an inverse propensity.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

_TINY = 1e-6  # keeps the logarithms of equation 2 finite
Distance = Callable[[Tensor, Tensor], Tensor]
NegativeDistance = Callable[[Tensor, Tensor, Tensor, Distance, float, torch.Generator], tuple[Tensor, Tensor]]


def cross_entropy(queries: Tensor, documents: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """Return equation 2, the cross-entropy of labels and cosines clipped to 0 to 1.

    A pair whose cosine is below zero has no gradient, as in the paper; the positives-only tasks move such pairs.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        labels: (pair,) 1 for related texts, 0 for others, or a grade between.
        weights: (pair,) weight of each pair.
    """
    predicted = (queries * documents).sum(dim=1).clamp(_TINY, 1 - _TINY)
    # torch's own function raises its own error for NaN, which the training reports better
    losses = -labels * predicted.log() - (1 - labels) * (1 - predicted).log()
    return (losses * weights).mean()


def l1(queries: Tensor, documents: Tensor) -> Tensor:
    """Return the sums of absolute differences; the last dimension is a vector's, the others broadcast."""
    return (queries - documents).abs().sum(dim=-1)


def l2(queries: Tensor, documents: Tensor) -> Tensor:
    """Return Euclidean distances; equal vectors have a gradient of zero, not NaN."""
    squares = ((queries - documents) ** 2).sum(dim=-1)
    return torch.where(squares > 0, squares.clamp_min(_TINY**2).sqrt(), squares)


def cosine(queries: Tensor, documents: Tensor) -> Tensor:
    """Return one minus the cosine of L2-normalised vectors."""
    return 1 - (queries * documents).sum(dim=-1)


DISTANCES: dict[str, Distance] = {"l1": l1, "l2": l2, "cosine": cosine}


def triplet(
    queries: Tensor,
    documents: Tensor,
    others: Tensor,
    weights: Tensor,
    *,
    negatives: str = "semi-hard",
    distance: str = "l1",
    margin: float = 1.0,
    generator: torch.Generator,
) -> Tensor:
    """Return equation 3: a query's own document is to be nearer than its negative, by a margin.

    A query without a negative, such as one whose negatives are all easy, has a loss of zero.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        others: (pair, pair) bool, whether document k may be a negative of query j; false where it is right, too.
        weights: (pair,) weight of each pair.
        negatives: a key of `NEGATIVES`.
        distance: a key of `DISTANCES`.
        margin: the paper's alpha.
        generator: source of random negatives.
    """
    measured = DISTANCES[distance]
    own = measured(queries, documents)
    negative, found = NEGATIVES[negatives](queries, documents, others, measured, margin, generator)
    losses = (own - negative + margin).clamp_min(0) * found
    return (losses * weights).mean()


def random_negative(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to a document drawn from the batch, (pair,), and whether there is one, (pair,) bool."""
    keys = torch.rand(others.shape, generator=generator).to(others.device).masked_fill(~others, -1)
    return distance(queries, documents[keys.argmax(dim=1)]), others.any(dim=1)


def batch_all(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the mean of all negatives that are not easy (equations 4 and 5), as `random_negative`."""
    chosen = _not_easy(_between(queries, documents, distance), others, margin).to(documents.dtype)
    counts = chosen.sum(dim=1)
    means = (chosen @ documents) / counts.clamp_min(1)[:, None]
    return distance(queries, means), counts > 0


def hard(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the nearest negative (equation 6), as `random_negative`."""
    between = _between(queries, documents, distance)
    return _nearest(between, _not_easy(between, others, margin))


def semi_hard(
    queries: Tensor, documents: Tensor, others: Tensor, distance: Distance, margin: float, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Return the distance to the nearest negative that is farther than the own document (7), as `random_negative`."""
    between = _between(queries, documents, distance)
    farther = between > between.diagonal()[:, None]
    return _nearest(between, _not_easy(between, others, margin) & farther)


NEGATIVES: dict[str, NegativeDistance] = {
    "random": random_negative,
    "batch-all": batch_all,
    "hard": hard,
    "semi-hard": semi_hard,
}


def softmax(queries: Tensor, documents: Tensor, others: Tensor, weights: Tensor, temperature: float) -> Tensor:
    """Return the cross-entropy of the own document among all of the batch; not in the paper.

    It weighs every negative by how near it is, where the triplet loss chooses one.

    Args:
        queries: (pair, dimension), L2-normalised.
        documents: (pair, dimension), L2-normalised.
        others: as of `triplet`.
        weights: (pair,) weight of each pair.
        temperature: divides the cosines.
    """
    logits = queries @ documents.T / temperature
    own = torch.eye(len(queries), dtype=torch.bool, device=others.device)
    logs = functional.log_softmax(logits.masked_fill(~(others | own), -torch.inf), dim=1)
    return (-logs.diagonal() * weights).mean()


def output_distance(student: Tensor, teacher: Tensor) -> Tensor:
    """Return the mean squared L2 distance of a student's vectors and its teacher's, (text, dimension) each (V-A)."""
    return ((student - teacher) ** 2).sum(dim=1).mean()


def _between(queries: Tensor, documents: Tensor, distance: Distance) -> Tensor:
    return distance(queries[:, None], documents[None])


def _not_easy(between: Tensor, others: Tensor, margin: float) -> Tensor:
    """Return equation 5, (pair, pair) bool: the negatives within the margin of the own document's distance."""
    return others & (between <= between.diagonal()[:, None] + margin)


def _nearest(between: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
    found = allowed.any(dim=1)
    nearest = between.masked_fill(~allowed, torch.inf).amin(dim=1)
    return torch.where(found, nearest, torch.zeros_like(nearest)), found
