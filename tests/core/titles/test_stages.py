"""What stands behind the trainer's row numbers.

Equations 1 and 3 against naive loops, and in the trainer's hands.
"""

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from torch import Tensor

from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.occupation_names import OccupationNames
from jobmatch_core.titles.similarity_pairs import similarity_pairs
from jobmatch_core.titles.skill_bags import TitleTargets
from jobmatch_core.titles.stages import (
    NUMBER,
    NTXentLoss,
    SkillVectorLoss,
    TargetBatches,
    TupleBatches,
    negative_cosine,
    nt_xent,
)


def as_they_are(texts: list[str]) -> dict[str, Any]:
    """Return the texts in place of a model's features."""
    return {"input_ids": texts}


def rows(*numbers: int) -> list[dict[str, int]]:
    """Return what the trainer gives."""
    return [{NUMBER: number} for number in numbers]


def test_titles_come_with_their_bags_vector() -> None:
    """Numbers beyond the third title begin again: 4 is the second."""
    targets = TitleTargets(["a", "b", "c"], np.array([1, 0, 1], np.int32), np.eye(2, dtype=np.float32))
    batch = TargetBatches(targets, as_they_are)(rows(2, 1, 4))
    assert batch["title_input_ids"] == ["c", "b", "b"]
    assert batch["label"].tolist() == [[0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize("negatives", [1, 3])
def test_negatives_follow_anchor_by_anchor(store: TaxonomyStore, negatives: int) -> None:
    """They are those of the tuples of these numbers."""
    pairs = similarity_pairs(OccupationNames.of(store.load("esco-1.0")), seed=1)
    batch = TupleBatches(pairs, as_they_are, negatives=negatives, pool=8)(rows(5, 3))
    drawn = [pairs.draw(number, negatives, pool=8) for number in (5, 3)]
    assert list(batch) == ["anchor_input_ids", "positive_input_ids", "negatives_input_ids"]
    assert batch["anchor_input_ids"] == [each.anchor for each in drawn]
    assert batch["positive_input_ids"] == [each.positive for each in drawn]
    assert batch["negatives_input_ids"] == [text for each in drawn for text in each.negatives]


TITLES = ["nurse", "care nurse", "baker", "bread baker", "mason", "stone mason"]


def unit_vectors(*degrees: float) -> Tensor:
    """Return vectors on the unit circle."""
    return torch.tensor([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees])


def cosine(a: Tensor, b: Tensor) -> float:
    """Return the cosine of two vectors."""
    return float(sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b)))


def naive_nt_xent(anchor: Tensor, positive: Tensor, negatives: Tensor, temperature: float) -> float:
    """Equation 3, letter by letter."""
    total = 0.0
    for i in range(len(anchor)):
        good = math.exp(cosine(anchor[i], positive[i]) / temperature)
        bad = 0.0
        for j in range(negatives.shape[1]):
            bad += math.exp(cosine(anchor[i], negatives[i, j]) / temperature)
        total += math.log(good / (good + bad))
    return -total / len(anchor)


def model_of(dimension: int = 8) -> SentenceTransformer:
    """Return a tiny model that knows the words of TITLES."""
    words = sorted({word for title in TITLES for word in title.split()})
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(["?", *words])}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(1).normal(size=(len(words) + 1, dimension)).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")


def features(model: SentenceTransformer, *columns: list[str]) -> list[dict[str, Tensor]]:
    """Return the features of each column of titles."""
    return [model.preprocess(column) for column in columns]


def test_negative_cosine_by_hand() -> None:
    """Angles of 0 and 60 degrees: -(1 + 0.5) / 2; lengths do not matter."""
    outputs, targets = unit_vectors(0, 0) * 7, unit_vectors(0, 60)
    assert negative_cosine(outputs, targets).item() == pytest.approx(-0.75)


def test_negative_cosine_refuses_to_broadcast() -> None:
    """One target for many outputs would go unnoticed."""
    with pytest.raises(ValueError, match="one shape"):
        negative_cosine(unit_vectors(0, 10), unit_vectors(0))


def test_nt_xent_by_hand() -> None:
    """Positive at 0, negative at 90 degrees, temperature 0.5: log(e^2 + e^0) - 2 = log(1 + e^-2)."""
    loss = nt_xent(unit_vectors(0), unit_vectors(0), unit_vectors(90).unsqueeze(0), 0.5)
    assert loss.item() == pytest.approx(math.log(1 + math.exp(-2)))


@given(
    batch=st.integers(1, 5),
    n=st.integers(1, 6),
    dimension=st.integers(2, 5),
    temperature=st.sampled_from([0.01, 0.05, 0.2, 1.0]),
    seed=st.integers(0, 99),
)
def test_nt_xent_equals_the_naive_loop(batch: int, n: int, dimension: int, temperature: float, seed: int) -> None:
    """In double precision the loop does not overflow either: exp(100)."""
    random = torch.Generator().manual_seed(seed)
    anchor, positive = torch.randn(2, batch, dimension, generator=random)
    negatives = torch.randn(batch, n, dimension, generator=random)
    expected = naive_nt_xent(anchor.double(), positive.double(), negatives.double(), temperature)
    assert nt_xent(anchor, positive, negatives, temperature).item() == pytest.approx(expected, abs=1e-3, rel=1e-4)


def test_no_negative_comes_from_the_batch() -> None:
    """The mean of two anchors is the mean of each alone."""
    anchor, positive, negatives = unit_vectors(0, 90), unit_vectors(10, 70), unit_vectors(40, 180, 0, 200).view(2, 2, 2)
    alone = [nt_xent(anchor[i : i + 1], positive[i : i + 1], negatives[i : i + 1], 0.2).item() for i in range(2)]
    assert nt_xent(anchor, positive, negatives, 0.2).item() == pytest.approx(sum(alone) / 2)


def test_swapping_positive_and_negative_raises_the_loss() -> None:
    """The direction is right."""
    near, far = unit_vectors(10), unit_vectors(120)
    good = nt_xent(unit_vectors(0), near, far.unsqueeze(1), 0.2)
    assert good < nt_xent(unit_vectors(0), far, near.unsqueeze(1), 0.2)


def test_a_low_temperature_stays_finite() -> None:
    """exp(1 / 0.005) is beyond single precision."""
    anchor = unit_vectors(0).requires_grad_()
    loss = nt_xent(anchor, unit_vectors(180), unit_vectors(0).unsqueeze(1), 0.005)
    loss.backward()
    assert loss.item() == pytest.approx(400)
    assert torch.isfinite(anchor.grad).all()


@pytest.mark.parametrize("temperature", [0, -0.1])
def test_a_temperature_must_be_above_zero(temperature: float) -> None:
    """A negative one would turn the aim around."""
    with pytest.raises(ValueError, match="must be above 0"):
        nt_xent(unit_vectors(0), unit_vectors(0), unit_vectors(0).unsqueeze(1), temperature)


def test_wrong_shapes_are_refused() -> None:
    """Negatives without an axis of their own, or of another batch."""
    two = unit_vectors(0, 90)
    with pytest.raises(ValueError, match="expected"):
        nt_xent(two, two, unit_vectors(0, 1, 2).unsqueeze(1), 0.1)


def trained(loss: torch.nn.Module, given: object, labels: Tensor | None) -> list[float]:
    """Take 20 steps and return the losses; no gradient may be all zero."""
    optimizer = torch.optim.Adam(loss.parameters(), lr=0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        value = loss(given(), labels)
        value.backward()
        assert all(each.grad is not None and each.grad.abs().sum() > 0 for each in loss.parameters())
        optimizer.step()
        losses.append(value.item())
    return losses


@pytest.mark.parametrize("target_dimension", [8, 5])
def test_skill_vector_loss_falls(target_dimension: int) -> None:
    """With and without a projection."""
    model = model_of()
    loss = SkillVectorLoss(model, target_dimension)
    targets = torch.randn(len(TITLES), target_dimension, generator=torch.Generator().manual_seed(1))
    losses = trained(loss, lambda: features(model, TITLES), targets)
    assert losses[-1] < losses[0] - 0.3


def test_the_projection_is_there_only_where_it_is_needed() -> None:
    """The projection is no part of the saved model."""
    model = model_of()
    assert list(SkillVectorLoss(model, 8).state_dict()) == ["model.0.embedding.weight"]
    assert list(SkillVectorLoss(model, 5).state_dict()) == ["model.0.embedding.weight", "head.weight"]
    assert model.encode(["nurse"]).shape == (1, 8)


def test_nt_xent_loss_falls() -> None:
    """Each title's other form is its positive, the other occupations' its negatives."""
    model = model_of()
    anchors, positives = TITLES[::2], TITLES[1::2]
    negatives = ["baker", "mason", "nurse", "mason", "nurse", "baker"]
    loss = NTXentLoss(model, 0.1)
    losses = trained(loss, lambda: features(model, anchors, positives, negatives), None)
    assert losses[-1] < losses[0] / 2


def test_negatives_together_or_in_columns() -> None:
    """One element with all negatives, anchor by anchor, is the same as a column for each."""
    model = model_of()
    loss = NTXentLoss(model, 0.1)
    together = features(model, ["nurse", "baker"], ["care nurse", "bread baker"], ["mason", "baker", "nurse", "mason"])
    columns = features(model, ["nurse", "baker"], ["care nurse", "bread baker"], ["mason", "nurse"], ["baker", "mason"])
    assert loss(together).item() == pytest.approx(loss(columns).item())
