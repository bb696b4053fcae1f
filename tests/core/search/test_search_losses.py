"""Equations 2 to 7 by hand and against naive loops."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from jobmatch_core.search.search_losses import (
    DISTANCES,
    NEGATIVES,
    cross_entropy,
    output_distance,
    softmax,
    triplet,
)

ONES = torch.ones(2)


def unit_vectors(*degrees: float) -> Tensor:
    """Return vectors on the unit circle."""
    return torch.tensor([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees])


def all_others(n: int) -> Tensor:
    """Return that every document but the own one may be a negative."""
    return ~torch.eye(n, dtype=torch.bool)


def generator(seed: int = 1) -> torch.Generator:
    """Return a seeded generator."""
    return torch.Generator().manual_seed(seed)


def test_cross_entropy_by_hand() -> None:
    """A positive at 60 degrees costs log 2, a negative at 90 nothing; a cosine below zero counts as zero."""
    queries, documents = unit_vectors(0, 0), unit_vectors(60, 90)
    assert cross_entropy(queries, documents, torch.tensor([1.0, 0.0]), ONES).item() == pytest.approx(
        math.log(2) / 2, abs=1e-5
    )
    opposed = cross_entropy(queries, unit_vectors(180, 180), torch.tensor([0.0, 0.0]), ONES)
    assert opposed.item() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("degrees", [0, 180])
@pytest.mark.parametrize("label", [0.0, 1.0])
def test_cross_entropy_is_finite(degrees: float, label: float) -> None:
    """Also where a logarithm of zero is asked for, and so is its gradient."""
    queries = unit_vectors(0).requires_grad_()
    loss = cross_entropy(queries, unit_vectors(degrees), torch.tensor([label]), torch.ones(1))
    loss.backward()  # type: ignore[no-untyped-call]
    assert torch.isfinite(loss)
    assert queries.grad is not None
    assert torch.isfinite(queries.grad).all()


def test_distances_by_hand() -> None:
    """At a right angle."""
    query, document = unit_vectors(0), unit_vectors(90)
    found = {name: distance(query, document).item() for name, distance in DISTANCES.items()}
    assert found == pytest.approx({"l1": 2, "l2": math.sqrt(2), "cosine": 1}, abs=1e-6)


def test_equal_vectors_have_a_gradient() -> None:
    """Of zero, not NaN, by each distance."""
    for distance in DISTANCES.values():
        query = unit_vectors(30).requires_grad_()
        distance(query, unit_vectors(30)).sum().backward()
        assert query.grad is not None
        assert torch.isfinite(query.grad).all()


@pytest.mark.parametrize(
    ("negatives", "expected"),
    [
        # the query at 0 degrees, its document at 60; others at 30 (nearer) and 70 (farther, within the margin)
        ("hard", 0.5 - (1 - math.cos(math.radians(30))) + 0.2),
        ("semi-hard", 0.5 - (1 - math.cos(math.radians(70))) + 0.2),
        ("batch-all", 0.5 - (1 - (math.cos(math.radians(30)) + math.cos(math.radians(70))) / 2) + 0.2),
    ],
)
def test_negatives_by_hand(negatives: str, expected: float) -> None:
    """Of the first query alone, by its weight; a document at 180 degrees is easy."""
    queries, documents = unit_vectors(0, 0, 0, 0), unit_vectors(60, 30, 70, 180)
    weights = torch.tensor([1.0, 0, 0, 0])
    loss = triplet(
        queries, documents, all_others(4), weights, negatives=negatives, distance="cosine", margin=0.2,
        generator=generator(),
    )  # fmt: skip
    assert loss.item() == pytest.approx(expected / 4, abs=1e-6)


@pytest.mark.parametrize("negatives", list(NEGATIVES))
def test_no_negative_costs_nothing(negatives: str) -> None:
    """Neither in a batch of one, nor where all others are right, too."""
    for others in (torch.zeros(2, 2, dtype=torch.bool), torch.zeros(1, 1, dtype=torch.bool)):
        n = len(others)
        vectors = unit_vectors(*range(n)).requires_grad_()
        loss = triplet(
            vectors, unit_vectors(*range(90, 90 + n)), others, torch.ones(n), negatives=negatives, generator=generator()
        )
        loss.backward()  # type: ignore[no-untyped-call]
        assert loss.item() == 0
        assert vectors.grad is not None
        assert torch.isfinite(vectors.grad).all()


def test_random_negatives_are_drawn_from_the_allowed() -> None:
    """All of them at some time, no other one ever."""
    queries, documents = unit_vectors(0, 0, 0), unit_vectors(0, 40, 80)
    others = torch.tensor([[False, True, True], [False, False, True], [True, True, False]])
    drawn = [
        NEGATIVES["random"](queries, documents, others, DISTANCES["cosine"], 1, generator(seed)) for seed in range(30)
    ]
    assert {round(1 - each[0][0].item(), 4) for each in drawn} == {
        round(math.cos(math.radians(degrees)), 4) for degrees in (40, 80)
    }


@given(n=st.integers(1, 6), seed=st.integers(0, 999), margin=st.sampled_from([0.1, 0.7, 3.0]))
@pytest.mark.parametrize("distance", list(DISTANCES))
@pytest.mark.parametrize("negatives", ["batch-all", "hard", "semi-hard"])
def test_triplet_loss_is_the_loop(negatives: str, distance: str, n: int, seed: int, margin: float) -> None:
    """Of equations 3 to 7, written as they stand."""
    random = generator(seed)
    queries, documents = (functional.normalize(torch.randn(n, 3, generator=random), dim=1) for _ in "qd")
    others = all_others(n) & (torch.rand(n, n, generator=random) < 0.8)
    weights = torch.rand(n, generator=random)
    dist = DISTANCES[distance]
    expected = 0.0
    for j in range(n):
        own = dist(queries[j], documents[j])
        near = [k for k in range(n) if others[j, k] and dist(queries[j], documents[k]) <= own + margin]
        if negatives == "semi-hard":
            near = [k for k in near if dist(queries[j], documents[k]) > own]
        if not near:
            continue
        if negatives == "batch-all":
            negative = dist(queries[j], torch.stack([documents[k] for k in near]).mean(dim=0))
        else:
            negative = min(dist(queries[j], documents[k]) for k in near)
        expected += weights[j].item() * max((own - negative).item() + margin, 0)
    found = triplet(
        queries, documents, others, weights, negatives=negatives, distance=distance, margin=margin, generator=random
    )
    assert found.item() == pytest.approx(expected / n, abs=1e-4)


@given(n=st.integers(1, 6), seed=st.integers(0, 999))
def test_softmax_is_the_loop(n: int, seed: int) -> None:
    """Over the own document and those that may be negatives."""
    random = generator(seed)
    queries, documents = (functional.normalize(torch.randn(n, 3, generator=random), dim=1) for _ in "qd")
    others = all_others(n) & (torch.rand(n, n, generator=random) < 0.7)
    expected = 0.0
    for j in range(n):
        terms = {k: math.exp((queries[j] @ documents[k]).item() / 0.5) for k in range(n) if others[j, k] or k == j}
        expected -= math.log(terms[j] / sum(terms.values()))
    found = softmax(queries, documents, others, torch.ones(n), 0.5)
    assert found.item() == pytest.approx(expected / n, abs=1e-4)


def test_weights_multiply_the_loss() -> None:
    """A pair of weight two counts like two pairs."""
    queries, documents, others = unit_vectors(0, 90), unit_vectors(50, 45), all_others(2)
    for function in (
        lambda w: triplet(queries, documents, others, w, generator=generator()),
        lambda w: softmax(queries, documents, others, w, 0.1),
        lambda w: cross_entropy(queries, documents, ONES, w),
    ):
        assert function(ONES * 2).item() == pytest.approx(2 * function(ONES).item())


def test_output_distance_by_hand() -> None:
    """The squared length of the difference, over the texts."""
    assert output_distance(unit_vectors(0, 10), unit_vectors(90, 10)).item() == pytest.approx(1)
