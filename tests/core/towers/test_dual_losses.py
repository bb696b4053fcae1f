"""Equations 10 to 14 against naive loops."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from jobmatch_core.towers.dual_losses import LOSSES, a_info_nce, a_triplet, dual_a_info_nce, dual_a_triplet
from jobmatch_core.towers.tower_recipe import TowerTraining

SIZES = {"n": st.integers(1, 4), "m": st.integers(1, 5), "seed": st.integers(0, 999)}


def unit_vectors(*degrees: float) -> Tensor:
    """Return vectors on the unit circle."""
    return torch.tensor([[math.cos(math.radians(d)), math.sin(math.radians(d))] for d in degrees])


def case(n: int, m: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return anchors, others and relations of all kinds."""
    random = torch.Generator().manual_seed(seed)
    anchors, others = (functional.normalize(torch.randn(size, 3, generator=random), dim=1) for size in (n, m))
    return anchors, others, torch.randint(-1, 2, (n, m), generator=random).to(torch.int8)


def distance(a: Tensor, b: Tensor) -> float:
    """Return the Euclidean distance."""
    return math.dist(a.tolist(), b.tolist())


def naive_a_triplet(anchors: Tensor, others: Tensor, relations: Tensor, margin: float) -> float:
    """Return equation 10 by loops."""
    total = 0.0
    for d in range(len(anchors)):
        for good in range(len(others)):
            for bad in range(len(others)):
                if relations[d, good] > 0 and relations[d, bad] < 0:
                    near, far = distance(anchors[d], others[good]), distance(anchors[d], others[bad])
                    total += max(near - far + margin, 0)
    return total


def naive_a_info_nce(anchors: Tensor, others: Tensor, relations: Tensor, temperature: float) -> float:
    """Return equations 12 and 13 by loops."""

    def likeness(d: int, e: int) -> float:
        return math.exp(float(anchors[d].double() @ others[e].double()) / temperature)

    total, positives = 0.0, 0
    for d in range(len(anchors)):
        for good in range(len(others)):
            if relations[d, good] > 0:
                related = sum(likeness(d, e) for e in range(len(others)) if relations[d, e] != 0)
                total -= math.log(likeness(d, good) / related)
                positives += 1
    return total / positives if positives else 0.0


@given(margin=st.sampled_from([0.0, 0.2, 1.0]), **SIZES)
def test_a_triplet_equals_the_naive_loop(n: int, m: int, seed: int, margin: float) -> None:
    """For any relations."""
    anchors, others, relations = case(n, m, seed)
    expected = naive_a_triplet(anchors, others, relations, margin)
    assert a_triplet(anchors, others, relations, margin).item() == pytest.approx(expected, abs=1e-4)


@given(temperature=st.sampled_from([0.02, 0.1, 1.0]), **SIZES)
def test_a_info_nce_equals_the_naive_loop(n: int, m: int, seed: int, temperature: float) -> None:
    """For any relations; in double precision the loop does not overflow."""
    anchors, others, relations = case(n, m, seed)
    expected = naive_a_info_nce(anchors, others, relations, temperature)
    assert a_info_nce(anchors, others, relations, temperature).item() == pytest.approx(expected, abs=1e-3, rel=1e-4)


@given(**SIZES)
def test_the_dual_losses_are_sums(n: int, m: int, seed: int) -> None:
    """Of losses anchored in projects and in freelancers: equations 11 and 14."""
    projects, freelancers, to_freelancers = case(n, m, seed)
    among = torch.triu(case(m, m, seed + 1)[2], diagonal=1)
    parts = ((projects, freelancers, to_freelancers), (freelancers, freelancers, among))
    triplets = sum(naive_a_triplet(*part, 0.3) for part in parts)
    loss = dual_a_triplet(projects, freelancers, to_freelancers, among, 0.3)
    assert loss.item() == pytest.approx(triplets, abs=1e-4)
    contrast = sum(naive_a_info_nce(*part, 0.1) for part in parts)
    loss = dual_a_info_nce(projects, freelancers, to_freelancers, among, 0.1)
    assert loss.item() == pytest.approx(contrast, abs=1e-3, rel=1e-4)


def test_a_triplet_by_hand() -> None:
    """Positive at 60, negative at 90 degrees: distances 1 and sqrt(2)."""
    relations = torch.tensor([[1, -1, 0]])
    loss = a_triplet(unit_vectors(0), unit_vectors(60, 90, 0), relations, 1.0)
    assert loss.item() == pytest.approx(1 - math.sqrt(2) + 1)


def test_a_info_nce_by_hand() -> None:
    """Temperature 1, positive at 0 degrees, negative at 90, one unknown: log(1 + 1/e)."""
    loss = a_info_nce(unit_vectors(0), unit_vectors(0, 90, 0), torch.tensor([[1, -1, 0]]), 1.0)
    assert loss.item() == pytest.approx(math.log(1 + math.exp(-1)))


def test_another_positive_stands_under_the_fraction() -> None:
    """Two equal positives and no negatives: each has the probability 1/2."""
    assert a_info_nce(unit_vectors(0), unit_vectors(0, 0), torch.tensor([[1, 1]]), 0.1).item() == pytest.approx(
        math.log(2)
    )


@pytest.mark.parametrize("loss", [lambda *case: a_triplet(*case, 0.5), lambda *case: a_info_nce(*case, 0.01)])
@pytest.mark.parametrize(
    "relations",
    [
        np.zeros((2, 3)),  # nothing known
        -np.ones((2, 3)),  # no positives
        np.array([[1, 1, -1], [0, 0, 0]]),  # an anchor without relations
        np.ones((2, 3)),  # no negatives
    ],
    ids=["unknown", "negative", "one", "positive"],
)
def test_gradients_are_finite(loss: object, relations: np.ndarray) -> None:
    """Also for equal and opposite vectors, and for a loss of zero."""
    anchors = unit_vectors(0, 180).requires_grad_()
    others = unit_vectors(0, 0, 180).requires_grad_()
    value = loss(anchors, others, torch.from_numpy(relations))  # type: ignore[operator]
    value.backward()
    assert torch.isfinite(value)
    assert anchors.grad is not None
    assert others.grad is not None
    assert torch.isfinite(anchors.grad).all()
    assert torch.isfinite(others.grad).all()
    if not (relations > 0).any():
        assert value.item() == 0
        assert not anchors.grad.any()


def test_a_step_draws_positives_near_and_negatives_away() -> None:
    """For both losses, and for anchors too."""
    for loss in (lambda *case: a_triplet(*case, 1.0), lambda *case: a_info_nce(*case, 0.1)):
        anchors, others = unit_vectors(0).requires_grad_(), unit_vectors(60, 300).requires_grad_()
        loss(anchors, others, torch.tensor([[1, -1]])).backward()
        assert anchors.grad is not None
        assert others.grad is not None
        nearer = functional.normalize(anchors - 0.01 * anchors.grad, dim=1)
        moved = functional.normalize(others - 0.01 * others.grad, dim=1)
        before, after = (anchors @ others.T)[0], (nearer @ moved.T)[0]
        assert after[0] > before[0]
        assert after[1] < before[1]


@pytest.mark.parametrize("temperature", [0, -0.1])
def test_a_temperature_must_be_above_zero(temperature: float) -> None:
    """Others are refused."""
    with pytest.raises(ValueError, match="must be above 0"):
        a_info_nce(unit_vectors(0), unit_vectors(0), torch.ones(1, 1), temperature)


def test_wrong_shapes_are_refused() -> None:
    """Transposed relations would broadcast."""
    for loss in (lambda *case: a_triplet(*case, 1.0), lambda *case: a_info_nce(*case, 1.0)):
        with pytest.raises(ValueError, match=r"the shape \(2, 1\), but there are 1 anchors and 2 others"):
            loss(unit_vectors(0), unit_vectors(0, 1), torch.ones(2, 1))


def test_the_table_passes_each_loss_its_number() -> None:
    """The temperature or the margin; other values change the loss."""
    projects, freelancers, to_freelancers = case(3, 4, 1)
    among = case(4, 4, 2)[2]
    given = (projects, freelancers, to_freelancers, among)
    settings = TowerTraining(temperature=0.2, margin=0.3)
    assert LOSSES["infonce"](*given, settings) == dual_a_info_nce(*given, 0.2) != dual_a_info_nce(*given, 0.3)
    assert LOSSES["triplet"](*given, settings) == dual_a_triplet(*given, 0.3) != dual_a_triplet(*given, 0.2)
