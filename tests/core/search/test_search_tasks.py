"""Tasks as numbered pairs: batches, what may be a negative, what is held out, and which loss each kind has."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from jobmatch_core.errors import SettingsError
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_losses import cross_entropy, output_distance, softmax, triplet
from jobmatch_core.search.search_recipe import SearchRecipe, TaskKind, TaskRecipe
from jobmatch_core.search.search_tasks import Readings, Rows, Side, Task, TaskLosses

PAIRS = [
    TextPair("bake bread", "baker", 1.0, weight=2.0),
    TextPair("make bread", "baker"),
    TextPair("bake bread", "pastry cook", 3.0),
    TextPair("bake bread", "nurse", 0.0),
    TextPair(" ", "nurse"),
]
ROWS = np.arange(3)


def task_of(kind: TaskKind = "positives", **settings: object) -> tuple[Task, Readings]:
    """Return the pairs as a task of a kind."""
    recipe = TaskRecipe(name="t", kind=kind, files=("t.tsv",), **settings)  # type: ignore[arg-type]
    readings = Readings()
    pairs = PAIRS if kind != "pairs" else [each for each in PAIRS if each.label is not None]
    return Task.of(recipe, pairs, readings, SearchRecipe("r", (recipe,))), readings


def table(dimension: int = 4) -> tuple[Tensor, Callable[[Side, Rows], Tensor]]:
    """Return vectors by number, and a function that encodes by them."""
    vectors = torch.nn.functional.normalize(
        torch.randn(9, dimension, generator=torch.Generator().manual_seed(1)), dim=1
    )
    return vectors, lambda side, numbers: vectors[torch.from_numpy(numbers)]


def test_pairs_are_numbered() -> None:
    """Each text once for each length; what is unrelated or empty is no positive."""
    task, readings = task_of()
    read = readings.all()
    assert [(read[a].text, read[b].text) for a, b in zip(task.left, task.right, strict=True)] == [
        ("bake bread", "baker"), ("make bread", "baker"), ("bake bread", "pastry cook"),
    ]  # fmt: skip
    assert {(each.text, each.most) for each in read} >= {("bake bread", 16), ("baker", 75)}
    assert task.weights.tolist() == [2, 1, 1]
    assert task.labels.tolist() == [1, 1, 1]


def test_labels_are_cut() -> None:
    """To what equation 2 knows; translations read both sides as documents."""
    assert task_of("pairs")[0].labels.tolist() == [1, 1, 0]
    assert {each.most for each in task_of("translations")[1].all()} == {75}


def test_another_right_document_is_no_negative() -> None:
    """The first query's second document, and the second query's document, which is the first one's."""
    assert task_of()[0].others(ROWS).tolist() == [
        [False, False, False], [False, False, True], [False, False, False],
    ]  # fmt: skip


def test_a_text_is_held_out_with_all_its_pairs() -> None:
    """And every pair is on one side."""
    task, readings = task_of()
    sides = [task.split(0.5, readings.all(), seed) for seed in range(20)]
    for trained, held_out in sides:
        assert len(trained) + len(held_out) == 3
        assert not set(trained.left) & set(held_out.left)
    assert {len(held_out) for _, held_out in sides} == {0, 1, 2, 3}


def test_batches_cover_all_pairs() -> None:
    """Of nearly one size; fewer pairs than a batch are one."""
    task, _ = task_of()
    random = np.random.default_rng(1)
    assert sorted(np.concatenate(task.batches(2, random)).tolist()) == [0, 1, 2]
    assert [len(each) for each in task.batches(100, random)] == [3]
    assert task.take(ROWS[:0]).batches(2, random) == []


def test_each_kind_has_its_loss() -> None:
    """Of the same vectors, by the functions of `search_losses`."""
    vectors, encode = table()
    random = torch.Generator().manual_seed(2)
    losses = TaskLosses(4, None)
    positives, _ = task_of(margin=0.5, distance="l2", negatives="hard")
    left, right = vectors[torch.from_numpy(positives.left)], vectors[torch.from_numpy(positives.right)]
    weights, others = torch.from_numpy(positives.weights), positives.others(ROWS)
    expected = triplet(
        left, right, others, weights, negatives="hard", distance="l2", margin=0.5, generator=random
    )  # fmt: skip
    assert losses.loss(positives, ROWS, encode, random).item() == pytest.approx(expected.item())
    by_softmax, _ = task_of(loss="softmax", temperature=0.3)
    expected = softmax(left, right, others, weights, 0.3)
    assert losses.loss(by_softmax, ROWS, encode, random).item() == pytest.approx(expected.item())
    labelled, _ = task_of("pairs")
    left, right = vectors[torch.from_numpy(labelled.left)], vectors[torch.from_numpy(labelled.right)]
    expected = cross_entropy(left, right, torch.from_numpy(labelled.labels), torch.from_numpy(labelled.weights))
    assert losses.loss(labelled, ROWS, encode, random).item() == pytest.approx(expected.item())


def test_taught_texts() -> None:
    """A text is to have its own target; a translation that of its English."""
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
    """Which keeps lengths, so that vectors that are equal stay so."""
    losses = TaskLosses(4, torch.zeros(9, 6))
    assert losses.view is not None
    assert losses.view.weight.shape == (6, 4)
    with pytest.raises(ValueError, match="needs a teacher's vectors"):
        TaskLosses(4, None).loss(task_of("taught")[0], ROWS, table()[1], torch.Generator())


def test_what_cannot_be_a_task() -> None:
    """No pairs, or none with a label where labels are needed."""
    recipe = TaskRecipe(name="t", kind="pairs", files=("t.tsv",))
    whole = SearchRecipe("r", (recipe,))
    with pytest.raises(SettingsError, match="'t' has no pairs"):
        Task.of(recipe, PAIRS[4:], Readings(), whole)
    with pytest.raises(SettingsError, match="some of its pairs have no label"):
        Task.of(recipe, PAIRS, Readings(), whole)
