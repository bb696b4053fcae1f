"""The losses against naive loops, worked examples and their limits."""

import math

import pytest
import torch
from torch import Tensor

from jobmatch_core.descriptions.posting_losses import (
    TEMPERATURE,
    bidirectional_contrastive,
    negative_cosine,
    skip_gram,
)


def random_rows(*shape: int, seed: int = 1) -> Tensor:
    """Return random numbers."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def cosine(left: Tensor, right: Tensor) -> float:
    """Return the cosine of two vectors."""
    return float(left @ right / (left.norm() * right.norm()))


def naive_contrastive(titles: Tensor, descriptions: Tensor, temperature: float) -> float:
    """Equation 2, letter by letter, and the mean over i."""
    n = len(titles)
    losses = []
    for i in range(n):
        right = math.exp(cosine(titles[i], descriptions[i]) / temperature)
        forth = sum(math.exp(cosine(titles[i], descriptions[j]) / temperature) for j in range(n))
        back = sum(math.exp(cosine(titles[j], descriptions[i]) / temperature) for j in range(n))
        losses.append(-(math.log(right / forth) + math.log(right / back)))
    return sum(losses) / n


@pytest.mark.parametrize("temperature", [TEMPERATURE, 0.5])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_contrastive_equals_naive_loop(n: int, temperature: float) -> None:
    """Vectors of any length."""
    titles, descriptions = 3 * random_rows(n, 4), random_rows(n, 4, seed=2)
    expected = naive_contrastive(titles, descriptions, temperature)
    assert bidirectional_contrastive(titles, descriptions, temperature).item() == pytest.approx(expected, abs=1e-4)


def test_contrastive_by_hand() -> None:
    """Two pairs at right angles: -2 log(e^20 / (e^20 + 1)), nearly 0; swapped, -2 log(1 / (e^20 + 1)), nearly 40."""
    titles = torch.eye(2)
    assert bidirectional_contrastive(titles, 5 * titles).item() == pytest.approx(0, abs=1e-6)
    assert bidirectional_contrastive(titles, titles.flip(0)).item() == pytest.approx(40, abs=1e-5)


def test_contrastive_is_the_same_both_ways() -> None:
    """Unlike SimCSE's, which the second term is added to."""
    titles, descriptions = random_rows(5, 3), random_rows(5, 3, seed=2)
    forth = bidirectional_contrastive(titles, descriptions)
    assert forth.item() == pytest.approx(bidirectional_contrastive(descriptions, titles).item())


def test_skip_gram_equals_naive_loop() -> None:
    """A positive and two negatives a title."""
    titles, skills, negatives = random_rows(3, 4), random_rows(3, 4, seed=2), random_rows(3, 2, 4, seed=3)
    expected = sum(
        -math.log(torch.sigmoid(titles[i] @ skills[i]))
        - sum(math.log(torch.sigmoid(-titles[i] @ negatives[i, k])) for k in range(2))
        for i in range(3)
    )
    assert skip_gram(titles, skills, negatives).item() == pytest.approx(expected / 3)


def test_negative_cosine_by_hand() -> None:
    """One alike, one at right angles: -(1 + 0) / 2."""
    titles, targets = torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[3.0, 0.0], [0.0, 2.0]])
    assert negative_cosine(titles, targets).item() == pytest.approx(-0.5)


def test_what_is_refused() -> None:
    """A temperature that would turn the objective round, and shapes that would broadcast."""
    with pytest.raises(ValueError, match="above 0"):
        bidirectional_contrastive(random_rows(2, 3), random_rows(2, 3), 0)
    for left, right in (((2, 3), (1, 3)), ((2, 3), (2, 4)), ((0, 3), (0, 3)), ((3,), (3,))):
        with pytest.raises(ValueError, match="two equal shapes"):
            bidirectional_contrastive(random_rows(*left), random_rows(*right))
        with pytest.raises(ValueError, match="two equal shapes"):
            negative_cosine(random_rows(*left), random_rows(*right))
    for negatives in ((2, 3), (1, 5, 3), (2, 5, 4)):
        with pytest.raises(ValueError, match="expected negatives"):
            skip_gram(random_rows(2, 3), random_rows(2, 3), random_rows(*negatives))
