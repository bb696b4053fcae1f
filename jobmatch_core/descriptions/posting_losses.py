"""The losses of titles and descriptions, as tensor code without a model.

Paper: Laosaengpha et al. (2024), section 2.3, equation 2; and appendix D.3 for the two baselines: JobBERT's skip-gram
(Decorte et al. 2021) and Doc2VecSkill's cosine loss (Zbib et al. 2022).
"""

import torch
from torch import Tensor
from torch.nn import functional

TEMPERATURE = 0.05  # appendix B


def bidirectional_contrastive(titles: Tensor, descriptions: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Return the mean over a batch of equation 2: each title finds its description, and each description its title.

    All others of the batch are negatives. The two directions are summed, not averaged, as the equation has it;
    sim is the cosine, as in SimCSE, which the paper extends.

    Args:
        titles: (posting, dimension), of any length.
        descriptions: (posting, dimension), in the same order.
        temperature: above 0.

    Raises:
        ValueError: the temperature is not above 0, or the shapes differ.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature is {temperature}, but must be above 0")
    _check(titles, descriptions)
    cosines = functional.normalize(titles.float(), dim=-1) @ functional.normalize(descriptions.float(), dim=-1).T
    logits = cosines / temperature
    right = torch.arange(len(logits), device=logits.device)
    return functional.cross_entropy(logits, right) + functional.cross_entropy(logits.T, right)


def skip_gram(titles: Tensor, skills: Tensor, negatives: Tensor) -> Tensor:
    """Return the mean of -log s(title . skill) - sum of log s(-title . negative), s the logistic function.

    Args:
        titles: (pair, dimension).
        skills: (pair, dimension), one that the title's posting asks for.
        negatives: (pair, negative, dimension), skills drawn at random.

    Raises:
        ValueError: the shapes do not fit.
    """
    _check(titles, skills)
    if negatives.dim() != 3 or negatives[:, 0].shape != titles.shape:
        raise ValueError(f"expected negatives (pair, negative, dimension), but got {tuple(negatives.shape)}")
    positive = functional.logsigmoid((titles * skills).sum(dim=-1))
    negative = functional.logsigmoid(-torch.einsum("pd,pnd->pn", titles, negatives)).sum(dim=-1)
    return -(positive + negative).mean()


def negative_cosine(titles: Tensor, targets: Tensor) -> Tensor:
    """Return minus the mean cosine of titles and what they are drawn to, both (posting, dimension).

    Raises:
        ValueError: the shapes differ.
    """
    _check(titles, targets)
    return -functional.cosine_similarity(titles.float(), targets.float(), dim=-1).mean()


def _check(left: Tensor, right: Tensor) -> None:
    """Refuse shapes that would broadcast."""
    if left.shape != right.shape or left.dim() != 2 or not len(left):
        raise ValueError(
            f"expected two equal shapes (row, dimension), but got {tuple(left.shape)}, {tuple(right.shape)}"
        )
