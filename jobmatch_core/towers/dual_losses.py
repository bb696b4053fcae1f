"""The two losses of the towers (Jouanneau et al. 2024, section 3.2.4, equations 10 to 14).

Relations are 1 (positive), -1 (negative) and 0 (unknown); there are no in-batch negatives. Torch is not imported, so
that recipes are checked fast.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

_LEAST_SQUARE = 1e-12  # the gradient of a square root at 0 is infinite
_LOWEST = float(np.finfo(np.float32).min)  # a logit without weight


class LossSettings(Protocol):
    """Settings of all losses, from a recipe's `[training]`."""

    @property
    def temperature(self) -> float:
        """InfoNCE temperature."""

    @property
    def margin(self) -> float:
        """Triplet margin."""


def a_triplet(anchors: "Tensor", others: "Tensor", relations: "Tensor", margin: float) -> "Tensor":
    """Return the sum over all triplets of max(D(anchor, positive) - D(anchor, negative) + margin, 0): equation 10.

    D is the Euclidean distance (section 4.4).

    Args:
        anchors: (anchor, dimension) vectors.
        others: (other, dimension) vectors of the possible positives and negatives.
        relations: (anchor, other) 1, -1 or 0.
        margin: distance by which a negative must be farther away.

    Raises ValueError if the shapes do not match.
    """
    _check(anchors, others, relations)
    distances = _euclidean(anchors.float(), others.float())
    rows, positives = (relations > 0).nonzero(as_tuple=True)
    hinges = (distances[rows, positives].unsqueeze(1) - distances[rows] + margin).relu()
    return (hinges * (relations[rows] < 0)).sum()


def dual_a_triplet(
    projects: "Tensor", freelancers: "Tensor", to_freelancers: "Tensor", among_freelancers: "Tensor", margin: float
) -> "Tensor":
    """Return the sum of the losses `a_triplet` anchored in projects and in freelancers: equation 11."""
    of_projects = a_triplet(projects, freelancers, to_freelancers, margin)
    return of_projects + a_triplet(freelancers, freelancers, among_freelancers, margin)


def a_info_nce(anchors: "Tensor", others: "Tensor", relations: "Tensor", temperature: float) -> "Tensor":
    """Return the mean over positive pairs of -log softmax over the anchor's relations: equations 12 and 13.

    The denominator has all positives and negatives of the anchor, but no unknown pairs. Zero without a positive.

    Args:
        anchors: (anchor, dimension), L2-normalised.
        others: (other, dimension), L2-normalised.
        relations: (anchor, other) 1, -1 or 0.
        temperature: above 0; lower values give more weight to the nearest.

    Raises ValueError if the temperature is not above 0, or the shapes do not match.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature is {temperature}, but must be above 0")
    _check(anchors, others, relations)
    logits = anchors.float() @ others.float().T / temperature
    # not -inf, which would make the gradients of an anchor without relations NaN
    related = logits.masked_fill(relations == 0, _LOWEST)
    losses = related.logsumexp(dim=1, keepdim=True) - logits
    positive = relations > 0
    return losses[positive].sum() / positive.sum().clamp(min=1)


def dual_a_info_nce(
    projects: "Tensor", freelancers: "Tensor", to_freelancers: "Tensor", among_freelancers: "Tensor", temperature: float
) -> "Tensor":
    """Return the sum of the losses `a_info_nce` anchored in projects and in freelancers: equation 14."""
    of_projects = a_info_nce(projects, freelancers, to_freelancers, temperature)
    return of_projects + a_info_nce(freelancers, freelancers, among_freelancers, temperature)


# by a recipe's `loss`; arguments: L2-normalised vectors of projects and freelancers, relations of projects to
# freelancers and among freelancers, settings
LOSSES: dict[str, "Callable[[Tensor, Tensor, Tensor, Tensor, LossSettings], Tensor]"] = {
    "infonce": lambda projects, freelancers, to_freelancers, among_freelancers, settings: dual_a_info_nce(
        projects, freelancers, to_freelancers, among_freelancers, settings.temperature
    ),
    "triplet": lambda projects, freelancers, to_freelancers, among_freelancers, settings: dual_a_triplet(
        projects, freelancers, to_freelancers, among_freelancers, settings.margin
    ),
}


def _euclidean(left: "Tensor", right: "Tensor") -> "Tensor":
    squares = (left**2).sum(dim=1, keepdim=True) + (right**2).sum(dim=1) - 2 * left @ right.T
    return squares.clamp(min=_LEAST_SQUARE).sqrt()


def _check(anchors: "Tensor", others: "Tensor", relations: "Tensor") -> None:
    if relations.shape != (len(anchors), len(others)):
        raise ValueError(
            f"relations have the shape {tuple(relations.shape)}, but there are {len(anchors)} anchors and "
            f"{len(others)} others"
        )
