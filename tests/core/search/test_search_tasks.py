"""Tasks as numbered pairs, with batches, negatives and held-out texts; equations 2 to 7 by hand and by loops."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from jobmatch_core.errors import SettingsError
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_recipe import SearchRecipe, TaskKind, TaskRecipe
from jobmatch_core.search.search_tasks import (
    DISTANCES,
    NEGATIVES,
    Readings,
    Rows,
    SearchTask,
    Side,
    TaskLosses,
    cross_entropy,
    output_distance,
    softmax,
    triplet,
)

PAIRS = [
    TextPair("bake bread", "baker", 1.0, weight=2.0),
    TextPair("make bread", "baker"),
    TextPair("bake bread", "pastry cook", 3.0),
    TextPair("bake bread", "nurse", 0.0),
    TextPair(" ", "nurse"),
]
ROWS = np.arange(3)


def task_of(kind: TaskKind = "positives", **settings: object) -> tuple[SearchTask, Readings]:
    """Return the pairs as a task of a kind."""
    recipe = TaskRecipe(name="t", kind=kind, files=("t.tsv",), **settings)  # type: ignore[arg-type]
    readings = Readings()
    pairs = PAIRS if kind != "pairs" else [each for each in PAIRS if each.label is not None]
    return SearchTask.of(recipe, pairs, readings, SearchRecipe("r", (recipe,))), readings


def table(dimension: int = 4) -> tuple[Tensor, Callable[[Side, Rows], Tensor]]:
    """Return vectors by number, and a function that encodes by them."""
    vectors = torch.nn.functional.normalize(
        torch.randn(9, dimension, generator=torch.Generator().manual_seed(1)), dim=1
    )
    return vectors, lambda side, numbers: vectors[torch.from_numpy(numbers)]


def test_pairs_are_numbered() -> None:
    """A text has one number per length; unrelated or empty pairs are no positives."""
    task, readings = task_of()
    read = readings.all()
    assert [(read[a].text, read[b].text) for a, b in zip(task.left, task.right, strict=True)] == [
        ("bake bread", "baker"),
        ("make bread", "baker"),
        ("bake bread", "pastry cook"),
    ]
    assert {(each.text, each.most) for each in read} >= {("bake bread", 16), ("baker", 75)}
    assert task.weights.tolist() == [2, 1, 1]
    assert task.labels.tolist() == [1, 1, 1]


def test_labels_are_cut() -> None:
    """Labels are clipped to 0 to 1; translations read both sides as documents."""
    assert task_of("pairs")[0].labels.tolist() == [1, 1, 0]
    assert {each.most for each in task_of("translations")[1].all()} == {75}


def test_another_right_document_is_no_negative() -> None:
    """A document that is right for a query is never its negative."""
    assert task_of()[0].others(ROWS).tolist() == [
        [False, False, False],
        [False, False, True],
        [False, False, False],
    ]


def test_a_text_is_held_out_with_all_its_pairs() -> None:
    """Every pair is on one side of the split."""
    task, readings = task_of()
    sides = [task.split(0.5, readings.all(), seed) for seed in range(20)]
    for trained, held_out in sides:
        assert len(trained) + len(held_out) == 3
        assert not set(trained.left) & set(held_out.left)
    assert {len(held_out) for _, held_out in sides} == {0, 1, 2, 3}


def test_batches_cover_all_pairs() -> None:
    """Batches have nearly equal sizes; few pairs are one batch."""
    task, _ = task_of()
    random = np.random.default_rng(1)
    assert sorted(np.concatenate(task.batches(2, random)).tolist()) == [0, 1, 2]
    assert [len(each) for each in task.batches(100, random)] == [3]
    assert task.take(ROWS[:0]).batches(2, random) == []


def test_each_kind_has_its_loss() -> None:
    """Each kind uses its function of `search_tasks`."""
    vectors, encode = table()
    random = torch.Generator().manual_seed(2)
    losses = TaskLosses(4, None)
    positives, _ = task_of(margin=0.5, distance="l2", negatives="hard")
    left, right = vectors[torch.from_numpy(positives.left)], vectors[torch.from_numpy(positives.right)]
    weights, others = torch.from_numpy(positives.weights), positives.others(ROWS)
    expected = triplet(left, right, others, weights, negatives="hard", distance="l2", margin=0.5, generator=random)
    assert losses.loss(positives, ROWS, encode, random).item() == pytest.approx(expected.item())
    by_softmax, _ = task_of(loss="softmax", temperature=0.3)
    expected = softmax(left, right, others, weights, 0.3)
    assert losses.loss(by_softmax, ROWS, encode, random).item() == pytest.approx(expected.item())
    labelled, _ = task_of("pairs")
    left, right = vectors[torch.from_numpy(labelled.left)], vectors[torch.from_numpy(labelled.right)]
    expected = cross_entropy(left, right, torch.from_numpy(labelled.labels), torch.from_numpy(labelled.weights))
    assert losses.loss(labelled, ROWS, encode, random).item() == pytest.approx(expected.item())


def test_taught_texts() -> None:
    """A text has its own target, a translation that of its English."""
    vectors, encode = table()
    targets = vectors.flip(0)
    losses = TaskLosses(4, targets)
    assert losses.view is None
    random = torch.Generator()
    for kind, own in (("taught", "left"), ("taught-translations", "right")):
        task, _ = task_of(kind)  # type: ignore[arg-type]
        left, right, first = (torch.from_numpy(each) for each in (task.left, task.right, getattr(task, own)))
        expected = output_distance(vectors[left], targets[first]) + output_distance(vectors[right], targets[right])
        assert losses.loss(task, ROWS, encode, random).item() == pytest.approx(expected.item())


def test_a_teacher_of_another_length_is_viewed_through_a_map() -> None:
    """The map preserves lengths, so that equal vectors stay equal."""
    losses = TaskLosses(4, torch.zeros(9, 6))
    assert losses.view is not None
    assert losses.view.weight.shape == (6, 4)
    with pytest.raises(ValueError, match="needs a teacher's vectors"):
        TaskLosses(4, None).loss(task_of("taught")[0], ROWS, table()[1], torch.Generator())


def test_what_cannot_be_a_task() -> None:
    """No pairs, or a missing label, is an error."""
    recipe = TaskRecipe(name="t", kind="pairs", files=("t.tsv",))
    whole = SearchRecipe("r", (recipe,))
    with pytest.raises(SettingsError, match="'t' has no pairs"):
        SearchTask.of(recipe, PAIRS[4:], Readings(), whole)
    with pytest.raises(SettingsError, match="some of its pairs have no label"):
        SearchTask.of(recipe, PAIRS, Readings(), whole)


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
    """A positive at 60 degrees costs log 2, a negative at 90 nothing; a negative cosine counts as zero."""
    queries, documents = unit_vectors(0, 0), unit_vectors(60, 90)
    assert cross_entropy(queries, documents, torch.tensor([1.0, 0.0]), ONES).item() == pytest.approx(
        math.log(2) / 2, abs=1e-5
    )
    opposed = cross_entropy(queries, unit_vectors(180, 180), torch.tensor([0.0, 0.0]), ONES)
    assert opposed.item() == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("degrees", [0, 180])
@pytest.mark.parametrize("label", [0.0, 1.0])
def test_cross_entropy_is_finite(degrees: float, label: float) -> None:
    """Loss and gradient are finite even at the logarithm of zero."""
    queries = unit_vectors(0).requires_grad_()
    loss = cross_entropy(queries, unit_vectors(degrees), torch.tensor([label]), torch.ones(1))
    loss.backward()  # type: ignore[no-untyped-call]
    assert torch.isfinite(loss)
    assert queries.grad is not None
    assert torch.isfinite(queries.grad).all()


def test_distances_by_hand() -> None:
    """All distances at a right angle."""
    query, document = unit_vectors(0), unit_vectors(90)
    found = {name: distance(query, document).item() for name, distance in DISTANCES.items()}
    assert found == pytest.approx({"l1": 2, "l2": math.sqrt(2), "cosine": 1}, abs=1e-6)


def test_equal_vectors_have_a_gradient() -> None:
    """The gradient is zero, not NaN, for each distance."""
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
    """Only the first query counts, by its weight; a document at 180 degrees is easy."""
    queries, documents = unit_vectors(0, 0, 0, 0), unit_vectors(60, 30, 70, 180)
    weights = torch.tensor([1.0, 0, 0, 0])
    loss = triplet(
        queries,
        documents,
        all_others(4),
        weights,
        negatives=negatives,
        distance="cosine",
        margin=0.2,
        generator=generator(),
    )
    assert loss.item() == pytest.approx(expected / 4, abs=1e-6)


@pytest.mark.parametrize("negatives", list(NEGATIVES))
def test_no_negative_costs_nothing(negatives: str) -> None:
    """A batch of one, or with only right documents, has a loss of zero."""
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
    """All allowed negatives are drawn at some time, and no other."""
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
    """The loss equals a loop over equations 3 to 7."""
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
    """The loss equals a loop over the own document and its negatives."""
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
    """The mean squared length of the difference."""
    assert output_distance(unit_vectors(0, 10), unit_vectors(90, 10)).item() == pytest.approx(1)
