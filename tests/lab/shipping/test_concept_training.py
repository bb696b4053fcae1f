"""The losses of our own encoder against slow loops, and what a step changes."""

from dataclasses import replace
from math import exp, log, sqrt

import numpy as np
import pytest
import torch

from jobmatch_core.titles.ngrams import FeatureRows
from lab.shipping.concept_training import ConceptRecipe, Heads, SparseBag, StartModel, TrainedBag, train_bag
from lab.shipping.training_texts import NONE, TrainingTexts

RECIPE = ConceptRecipe(
    dimension=4,
    most_features=1000,
    least_texts=1,
    epochs=3,
    batch_size=4,
    dropout=0.2,
    temperature=0.5,
    group_weight=0.25,
    target_weight=3.0,
)
TEXTS = TrainingTexts(
    texts=["nurse", "care nurse", "cook", "head cook", "carers", "bakers", "chef", "ナース"],
    # text 4 and 5 belong only to a group, 6 names an O*NET occupation, 7 has only a target
    occupations=np.array([0, 1, 2, 2, NONE, NONE, NONE, NONE], dtype=np.int32),
    groups=np.array([0, 0, 1, 1, 0, 1, NONE, NONE], dtype=np.int32),
    families=np.array([NONE, NONE, NONE, NONE, NONE, NONE, 1, NONE], dtype=np.int32),
    weights=np.array([1.0, 1.0, 0.5, 1.0, 1.0, 0.25, 0.5, 0.3], dtype=np.float32),
    targets=np.array([0, NONE, 1, 2, NONE, NONE, 1, 0], dtype=np.int32),
    teacher_texts=["nurse", "cook", "head cook"],
    target_means=[[0], [], [1, 2]],
    uris=["nurse", "carer", "cook"],
    occupation_groups=np.array([0, 0, 1], dtype=np.int32),
    group_sets=[(0,), (1,)],
    n_families=3,
)
TARGETS = np.random.default_rng(3).normal(size=(6, 5)).astype(np.float32)


def cosine(left: list[float], right: list[float]) -> float:
    """Return the cosine of two vectors."""
    lengths = sqrt(sum(x * x for x in left)) * sqrt(sum(x * x for x in right))
    return sum(x * y for x, y in zip(left, right, strict=True)) / lengths


def softmax(vector: list[float], head: torch.Tensor) -> list[float]:
    """Return the probabilities of a head's rows."""
    likely = [exp(cosine(vector, row) / RECIPE.temperature) for row in head.tolist()]
    return [each / sum(likely) for each in likely]


def naive_losses(heads: Heads, vectors: torch.Tensor, rows: list[int]) -> list[float]:
    """Return the four losses of a batch, weighted, each text by itself."""
    losses = [0.0] * 4
    for vector, row in zip(vectors.tolist(), rows, strict=True):
        weight = float(TEXTS.weights[row])
        by_occupation = softmax(vector, heads._occupations)
        if (occupation := int(TEXTS.occupations[row])) != NONE:
            losses[0] -= weight * log(by_occupation[occupation])
        if (group := int(TEXTS.groups[row])) != NONE:
            share = sum(p for p, of in zip(by_occupation, TEXTS.occupation_groups, strict=True) if of == group)
            losses[1] -= weight * log(share) * (RECIPE.group_weight if occupation != NONE else 1.0)
        if (family := int(TEXTS.families[row])) != NONE:
            losses[2] -= weight * log(softmax(vector, heads._families)[family])
        if (target := int(TEXTS.targets[row])) != NONE:
            projected = (torch.tensor(vector) @ heads._projection).tolist()
            losses[3] += RECIPE.target_weight * (1 - cosine(projected, TARGETS[target].tolist()))
    return [loss / len(rows) for loss in losses]


def unit_vectors(n: int) -> torch.Tensor:
    """Return random unit vectors, shape (n, 4)."""
    vectors = torch.randn(n, 4, generator=torch.Generator().manual_seed(5))
    return torch.nn.functional.normalize(vectors, dim=1)


@pytest.fixture
def heads() -> Heads:
    """What is learned beside the bag, at its start."""
    return Heads(TEXTS, torch.from_numpy(TARGETS), RECIPE)


@pytest.mark.parametrize(
    ("rows", "losses"),
    [
        ([7], {3}),
        ([1], {0, 1}),
        ([4, 5], {1}),
        ([6], {2, 3}),
        ([0, 1, 2, 3, 4, 5, 6, 7], {0, 1, 2, 3}),
        ([3, 3, 0], {0, 1, 3}),
    ],
    ids=["a target", "an occupation", "groups", "an O*NET occupation", "all", "one text twice"],
)
def test_the_loss_equals_the_slow_loop(heads: Heads, rows: list[int], losses: set[int]) -> None:
    """Each of the four alone where it can be, and all together; each is there where it should be."""
    vectors = unit_vectors(len(rows))
    expected = naive_losses(heads, vectors, rows)
    assert {number for number, loss in enumerate(expected) if loss} == losses
    assert heads.loss(vectors, np.array(rows)).item() == pytest.approx(sum(expected), rel=1e-5)


def test_a_group_is_as_likely_as_its_occupations_together() -> None:
    """By hand: cosines 1, 0 and -1 at temperature 0.5 are e^2, 1 and e^-2.

    Group 0 has the first two: (7.389 + 1) / (7.389 + 1 + 0.135) = 0.984, and -log of that is 0.016.
    """
    heads = Heads(TEXTS, torch.from_numpy(TARGETS), RECIPE)
    with torch.no_grad():
        heads._occupations.copy_(torch.tensor([[2.0, 0, 0, 0], [0, 3.0, 0, 0], [-1.0, 0, 0, 0]]))
    loss = heads.loss(torch.tensor([[1.0, 0, 0, 0]]), np.array([4]))
    assert loss.item() == pytest.approx(-log((exp(2) + 1) / (exp(2) + 1 + exp(-2))), rel=1e-5)


def test_a_set_of_groups_is_as_likely_as_all_of_its_occupations() -> None:
    """By hand, with the cosines as before: group 2 stands for both groups, so that it is certain.

    Group 3, added after it, has the third occupation alone: e^-2 / (e^2 + 1 + e^-2).
    """
    texts = replace(
        TEXTS,
        groups=np.array([0, 0, 3, 3, 2, 3, NONE, NONE], dtype=np.int32),
        occupation_groups=np.array([0, 0, 3], dtype=np.int32),
        group_sets=[(0,), (1,), (0, 3), (3,)],
    )
    heads = Heads(texts, torch.from_numpy(TARGETS), RECIPE)
    with torch.no_grad():
        heads._occupations.copy_(torch.tensor([[2.0, 0, 0, 0], [0, 3.0, 0, 0], [-1.0, 0, 0, 0]]))
    vector = torch.tensor([[1.0, 0, 0, 0]])
    assert heads.loss(vector, np.array([4])).item() == pytest.approx(0, abs=1e-6)
    rare = exp(-2) / (exp(2) + 1 + exp(-2))
    assert heads.loss(vector, np.array([5])).item() == pytest.approx(-0.25 * log(rare), rel=1e-5)


def test_a_bag_goes_on_from_another() -> None:
    """Features that it knows keep their vectors, new ones start at zero; so do known occupations."""
    first = trained()
    hashes = first.vocabulary.hashes
    known = np.arange(len(hashes)) % 2 == 0
    start = StartModel(hashes[known], first.weights[known], first.occupations * np.array([[1], [0], [1]], np.float32))
    bag = SparseBag(len(hashes), RECIPE)
    bag.take_over(first.vocabulary, start)
    np.testing.assert_array_equal(bag.weights.numpy(), first.weights * known[:, None])
    heads = Heads(TEXTS, torch.from_numpy(TARGETS), RECIPE)
    before = heads.occupations.copy()
    heads.take_over(start)
    np.testing.assert_allclose(heads.occupations[[0, 2]], first.occupations[[0, 2]], atol=1e-6)
    np.testing.assert_array_equal(heads.occupations[1], before[1])


def test_a_teacher_of_the_same_size_is_taken_for_itself() -> None:
    """Its targets are as wide as the bag's vectors: the projection starts as the identity, else as it was."""
    start = StartModel(np.array([1], np.uint32), np.zeros((1, 4), np.float32), np.zeros((3, 4), np.float32))
    for width, same in ((4, True), (5, False)):
        heads = Heads(TEXTS, torch.from_numpy(TARGETS[:, :1].repeat(width, axis=1)), RECIPE)
        heads.take_over(start)
        assert np.array_equal(heads._projection.detach().numpy(), np.eye(4, width)) is same


def test_nothing_known_is_no_loss() -> None:
    """A batch of which nothing is known leaves everything as it was."""
    nothing = np.full(1, NONE, dtype=np.int32)
    texts = replace(
        TEXTS,
        texts=["?"],
        occupations=nothing,
        groups=nothing,
        families=nothing,
        targets=nothing,
        weights=np.ones(1, np.float32),
    )
    heads = Heads(texts, torch.from_numpy(TARGETS), RECIPE)
    assert heads.loss(unit_vectors(1).requires_grad_(), np.array([0])).item() == 0


def test_an_impossible_group_does_not_make_the_loss_infinite(heads: Heads) -> None:
    """At a temperature of 0.01, a cosine of -1 is e^-100 beside e^100."""
    sharp = Heads(TEXTS, torch.from_numpy(TARGETS), replace(RECIPE, temperature=0.01))
    with torch.no_grad():
        sharp._occupations.copy_(torch.tensor([[1.0, 0, 0, 0], [1.0, 0, 0, 0], [-1.0, 0, 0, 0]]))
    loss = sharp.loss(torch.tensor([[1.0, 0, 0, 0]]), np.array([5]))
    assert 0 < loss.item() < 100


def test_every_loss_has_its_gradients(heads: Heads) -> None:
    """To the texts and to all that is learned beside them."""
    vectors = unit_vectors(8).requires_grad_()
    heads.loss(vectors, np.arange(8)).backward()
    for learned in (vectors, heads._occupations, heads._families, heads._projection):
        assert learned.grad is not None
        assert learned.grad.abs().sum() > 0
    assert vectors.grad is not None
    assert (vectors.grad.abs().sum(dim=1) > 0).all()


def bag_of(n_rows: int = 6) -> SparseBag:
    """Return a bag of 4 dimensions."""
    return SparseBag(n_rows, RECIPE)


def features(*texts: list[int]) -> FeatureRows:
    """Return the features of texts."""
    rows = np.array([row for text in texts for row in text], dtype=np.int32)
    return FeatureRows(rows, np.cumsum([0, *map(len, texts)]).astype(np.int64))


def test_a_bags_vectors_are_normalised_sums() -> None:
    """A feature counts as often as it occurs; a text that lost all of its features is zeros."""
    bag = bag_of()
    weights = bag.weights.numpy()
    vectors = bag.vectors(features([5, 2, 5], [], [0])).detach().numpy()
    expected = weights[2] + 2 * weights[5]
    np.testing.assert_allclose(vectors[0], expected / np.linalg.norm(expected), rtol=1e-5)
    assert not vectors[1].any()
    np.testing.assert_allclose(vectors[2], weights[0] / np.linalg.norm(weights[0]), rtol=1e-5)


def test_a_step_is_adagrads_and_changes_only_the_rows_of_the_batch() -> None:
    """By torch's own Adagrad over the whole bag, twice, the second time at half the rate."""
    bag = bag_of()
    own = bag.weights.clone().requires_grad_()
    adagrad = torch.optim.Adagrad([own], lr=RECIPE.rate, eps=1e-9)
    before = bag.weights.clone()
    wanted = unit_vectors(2)
    for left, rows in ((1.0, [[1, 3], [3, 3]]), (0.5, [[3], [4, 1]])):
        (bag.vectors(features(*rows)) * wanted).sum().backward()
        bag.step(left)
        adagrad.zero_grad()
        for group in adagrad.param_groups:
            group["lr"] = RECIPE.rate * left
        sums = torch.stack([own[text].sum(dim=0) for text in rows])
        (torch.nn.functional.normalize(sums, dim=1) * wanted).sum().backward()
        adagrad.step()
    np.testing.assert_allclose(bag.weights.numpy(), own.detach().numpy(), atol=1e-5)
    changed = (bag.weights != before).any(dim=1).tolist()
    assert changed == [False, True, False, True, True, False]


def test_a_batch_without_features_changes_nothing() -> None:
    """All were dropped: there are vectors, and the step leaves the bag as it is."""
    bag = bag_of()
    before = bag.weights.clone()
    vectors = bag.vectors(features([], []))
    assert vectors.tolist() == [[0.0] * 4] * 2
    (vectors.sum() + torch.zeros(1, requires_grad=True)).backward()
    bag.step(1.0)
    assert torch.equal(bag.weights, before)


def trained(**changed: object) -> TrainedBag:
    """Train on the eight texts."""
    return train_bag(TEXTS, TARGETS, replace(RECIPE, **changed))  # type: ignore[arg-type]


def test_the_loss_falls() -> None:
    """Twenty passes over eight texts; one mean a pass."""
    losses = trained(epochs=20).losses
    assert len(losses) == 20
    assert losses[-1] < 0.7 * losses[0]
    assert np.isfinite(losses).all()


def test_texts_of_an_occupation_come_together() -> None:
    """`cook` and `head cook` after training; before, their cosine was whatever it was."""
    bag = trained(epochs=30, dropout=0.0, temperature=0.1)
    rows = bag.vocabulary.features(["head cook", "cook", "nurse"])
    vectors = np.stack([bag.weights[rows.take(np.array([text])).rows].sum(axis=0) for text in range(3)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


def test_the_occupations_vectors_lie_near_their_texts() -> None:
    """Unit rows; `cook` is nearer to its own occupation, number 2, than to the others."""
    bag = trained(epochs=30, dropout=0.0, temperature=0.1)
    assert (bag.occupations.shape, bag.occupations.dtype) == ((3, 4), np.float32)
    assert np.linalg.norm(bag.occupations, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    cook = bag.weights[bag.vocabulary.features(["cook"]).rows].sum(axis=0)
    assert (bag.occupations @ cook).argmax() == 2


def test_a_seed_gives_the_same_bag_and_another_gives_another() -> None:
    """To the last bit."""
    first, again, other = trained(), trained(), trained(seed=2)
    np.testing.assert_array_equal(first.weights, again.weights)
    np.testing.assert_array_equal(first.occupations, again.occupations)
    assert first.losses == again.losses
    assert not np.array_equal(first.weights, other.weights)
    np.testing.assert_array_equal(first.vocabulary.hashes, other.vocabulary.hashes)


def test_the_bag_is_as_large_as_asked_for() -> None:
    """At most so many features, and those of two texts only."""
    assert trained(most_features=7).weights.shape == (7, 4)
    assert trained(most_features=7).weights.dtype == np.float32
    twice = trained(least_texts=2).vocabulary
    assert len(twice) < len(trained().vocabulary)
    assert len(twice.features(["chef"]).rows) < len(trained().vocabulary.features(["chef"]).rows)


def test_progress_counts_batches() -> None:
    """Eight texts in batches of four, thrice."""
    told: list[tuple[int, int]] = []
    train_bag(TEXTS, TARGETS, RECIPE, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_everything_dropped_is_no_failure() -> None:
    """A dropout of 1: nothing is learned, and nothing breaks."""
    losses = trained(dropout=1.0).losses
    assert np.isfinite(losses).all()
