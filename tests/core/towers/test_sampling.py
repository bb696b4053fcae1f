"""Equations 7 to 9 against naive loops; composition and order of batches."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.errors import DataFileError
from jobmatch_core.towers.sampling import (
    PAPER_INFO_NCE,
    PAPER_TRIPLETS,
    Batch,
    BatchSampler,
    Relations,
    freelancer_freelancer,
    interaction_matrix,
    project_freelancer,
    project_weak_negatives,
    weak_negatives,
    with_weak_negatives,
)

RELATIONS = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int8, shape, elements=st.integers(-1, 1))
)


def project(key: str) -> Project:
    """Return an empty project."""
    return Project(key, "en", "", "", "", "", "", "", "", (), ())


def freelancer(key: str) -> Freelancer:
    """Return an empty profile."""
    return Freelancer(key, "en", "", "", "", "", "", "", "", ())


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def naive_equation_8(relations: Relations) -> list[list[int]]:
    """Return equation 8 by loops over pairs and projects."""
    n_projects, n_freelancers = relations.shape
    matrix = [[0] * n_freelancers for _ in range(n_freelancers)]
    for f in range(n_freelancers):
        for g in range(f + 1, n_freelancers):
            together = 0
            forbidden = False
            for p in range(n_projects):
                together += int(relations[p, f]) * int(relations[p, g])
                forbidden |= bool(relations[p, f] < 0 and relations[p, g] < 0)
            matrix[f][g] = 0 if forbidden else sign(together)
    return matrix


def naive_equation_9(relations: Relations, categories: list[str]) -> list[list[int]]:
    """Return equation 8 minus one if the categories differ."""
    matrix = naive_equation_8(relations)
    for f in range(len(categories)):
        for g in range(f + 1, len(categories)):
            differ = categories[f] != categories[g] and "" not in (categories[f], categories[g])
            matrix[f][g] = sign(matrix[f][g] - differ)
    return matrix


def test_the_matrix_of_all_interactions() -> None:
    """Rows and columns are in the order of the records; of several answers of a pair, the last counts."""
    interactions = [
        Interaction("q", "b", True, "2024-03-01"),
        Interaction("p", "a", True, "2024-01-01"),
        Interaction("p", "c", False, "2024-01-01"),
        Interaction("q", "b", False, "2024-02-01"),
        Interaction("p", "a", False, "2024-01-01"),
    ]
    matrix = interaction_matrix([project("p"), project("q")], [freelancer(f) for f in "abc"], interactions)
    assert matrix.toarray().tolist() == [[-1, 0, -1], [0, 1, 0]]


def test_no_interactions() -> None:
    """All relations are unknown."""
    assert interaction_matrix([project("p")], [freelancer("a")], []).toarray().tolist() == [[0]]


@pytest.mark.parametrize("pair", [("x", "a"), ("p", "x")])
def test_an_interaction_of_somebody_unknown(pair: tuple[str, str]) -> None:
    """The error names both ids."""
    with pytest.raises(DataFileError, match=f"project '{pair[0]}' or freelancer '{pair[1]}' is missing"):
        interaction_matrix([project("p")], [freelancer("a")], [Interaction(*pair, True, "")])


@given(RELATIONS, st.data())
def test_equation_7_takes_a_part(relations: Relations, data: st.DataObject) -> None:
    """In the requested order."""
    rows = data.draw(st.permutations(range(relations.shape[0])))
    columns = data.draw(st.permutations(range(relations.shape[1])))[:3]
    part = project_freelancer(csr_array(relations), np.array(rows), np.array(columns))
    assert part.dtype == np.int8
    assert part.tolist() == [[relations[p, f] for f in columns] for p in rows]


@given(RELATIONS)
def test_equation_8_equals_the_naive_loop(relations: Relations) -> None:
    """For any relations."""
    assert freelancer_freelancer(relations).tolist() == naive_equation_8(relations)


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ([[1, 1]], 1),
        ([[1, -1]], -1),
        ([[-1, 1]], -1),
        ([[-1, -1]], 0),  # forbidden, though the product is positive
        ([[1, 0]], 0),
        ([[1, 1], [1, 1], [1, -1]], 1),  # the majority
        ([[1, 1], [1, -1]], 0),  # a draw
        ([[1, 1], [-1, -1]], 0),  # forbidden, whatever others say
        ([[1, -1], [-1, -1], [1, -1]], 0),  # likewise of unlike ones
        ([[-1, -1], [-1, -1]], 0),  # not -1: two refusals are no more than one
    ],
)
def test_equation_8_by_hand(relations: list[list[int]], expected: int) -> None:
    """Two freelancers and some projects."""
    among = freelancer_freelancer(np.array(relations, dtype=np.int8))
    assert among.tolist() == [[0, expected], [0, 0]]


def test_equation_8_of_many_projects() -> None:
    """More than int8 can hold."""
    assert freelancer_freelancer(np.ones((200, 2), dtype=np.int8))[0, 1] == 1


def test_figure_3() -> None:
    """Two projects with two positives and one negative each: two freelancer triplets, four project triplets."""
    relations = np.array([[1, 1, 0, 0, -1, 0], [0, 0, 1, 1, 0, -1]], dtype=np.int8)
    among = freelancer_freelancer(relations)
    triplets = [int((matrix > 0).sum(axis=1) @ (matrix < 0).sum(axis=1)) for matrix in (relations, among)]
    assert triplets == [4, 2]


def test_weak_negatives_by_hand() -> None:
    """Documents of different categories; those without a category have none."""
    keys = ["a", "b", "", "a"]
    assert weak_negatives(keys, keys).tolist() == [[0, -1, 0, 0], [-1, 0, 0, -1], [0] * 4, [0, -1, 0, 0]]
    assert weak_negatives(["b", ""], keys).tolist() == [[-1, 0, 0, -1], [0] * 4]


def test_projects_weak_negatives_by_hand() -> None:
    """Known relations stay; the others are negative if the categories differ."""
    relations = np.array([[1, 0, -1, 0], [0, 1, 0, 0]], dtype=np.int8)
    completed = project_weak_negatives(relations, ["a", ""], ["b", "b", "a", "a"])
    assert completed.tolist() == [[1, -1, -1, 0], [0, 1, 0, 0]]
    assert completed.dtype == np.int8


@given(RELATIONS, st.data())
def test_equation_9_equals_the_naive_loop(relations: Relations, data: st.DataObject) -> None:
    """For any relations and categories."""
    n_freelancers = relations.shape[1]
    categories = data.draw(st.lists(st.sampled_from(["", "a", "b"]), min_size=n_freelancers, max_size=n_freelancers))
    summed = with_weak_negatives(freelancer_freelancer(relations), categories)
    assert summed.dtype == np.int8
    assert summed.tolist() == naive_equation_9(relations, categories)


def test_equation_9_adds_up() -> None:
    """A positive pair of two categories is unknown; two negatives of a project are negative only across categories."""
    alike = freelancer_freelancer(np.array([[1, 1, 1]], dtype=np.int8))
    assert with_weak_negatives(alike, ["a", "b", "a"]).tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    refused = freelancer_freelancer(np.array([[-1, -1, -1]], dtype=np.int8))
    assert with_weak_negatives(refused, ["a", "b", "a"]).tolist() == [[0, -1, 0], [0, 0, -1], [0, 0, 0]]


def sampler(relations: Sequence[Sequence[int]], categories: Sequence[str] = (), **numbers: int) -> BatchSampler:
    """Return a sampler of all projects, each of category 'a'."""
    matrix = np.array(relations, dtype=np.int8)
    return BatchSampler(
        csr_array(matrix),
        np.arange(len(matrix)),
        ["a"] * len(matrix),
        categories or ["a"] * matrix.shape[1],
        replace(PAPER_INFO_NCE, **numbers),
    )


def drawn(batches: BatchSampler, seed: int = 1) -> list[tuple[list[int], list[int]]]:
    """Return an epoch's batches as lists."""
    return [(batch.projects.tolist(), batch.freelancers.tolist()) for batch in batches.batches(seed)]


def test_the_papers_batch() -> None:
    """One project, two positives, one negative, and thirty weak negatives."""
    relations = [[1] * 4 + [-1] * 3 + [0] * 60]
    [(projects, freelancers)] = drawn(sampler(relations, ["a"] * 20 + ["b"] * 47))
    assert projects == [0]
    assert len(freelancers) == 33
    assert set(freelancers[:2]) <= set(range(4))
    assert freelancers[2] in range(4, 7)
    assert min(freelancers[3:]) >= 20


def test_two_projects_give_figure_3s_triplets() -> None:
    """Positives first, as the anchors: two freelancer triplets, four project triplets."""
    relations = np.array([[1, 1, -1, 0, 0, 0], [0, 0, 0, -1, 1, 1]], dtype=np.int8)
    for seed in range(5):
        [batch] = sampler(relations.tolist(), **asdict(PAPER_TRIPLETS)).batches(seed)
        part = project_freelancer(csr_array(relations), batch.projects, batch.freelancers)
        assert sorted(batch.freelancers) == list(range(6))
        triplets = [
            int((matrix > 0).sum(axis=1) @ (matrix < 0).sum(axis=1)) for matrix in (part, freelancer_freelancer(part))
        ]
        assert triplets == [4, 2]


def test_projects_that_lack_somebody() -> None:
    """Projects without a positive are left out; others have as many freelancers as possible."""
    relations = [[0, 0, 0, 0], [-1, -1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, -1, 0]]
    batches = sampler(relations, weak_negatives=0)
    assert len(batches) == 3
    assert sorted((projects[0], sorted(freelancers)) for projects, freelancers in drawn(batches)) == [
        (2, [0]),
        (3, [0, 1]),
        (4, [1, 2]),
    ]


def test_nobody_to_train_on() -> None:
    """There are no batches."""
    assert drawn(sampler([[0, -1]])) == []
    assert len(sampler([[0, -1]])) == 0


def test_weak_negatives_are_of_a_known_other_category() -> None:
    """Freelancers without a category, and those with an interaction, are never weak negatives."""
    [(_, freelancers)] = drawn(sampler([[1, 0, 0, 0, -1]], ["a", "", "b", "a", "b"], negatives=0))
    assert freelancers == [0, 2]


def test_a_freelancer_of_two_projects_stands_once() -> None:
    """It counts as a positive if it is one for any project."""
    [(projects, freelancers)] = drawn(sampler([[1, -1], [-1, 1]], projects=2, weak_negatives=0))
    assert sorted(projects) == sorted(freelancers) == [0, 1]


def test_only_the_projects_asked_for() -> None:
    """The others are for validation."""
    relations = csr_array(np.ones((4, 2), dtype=np.int8))
    batches = BatchSampler(relations, np.array([1, 3]), [""] * 4, [""] * 2, PAPER_INFO_NCE)
    assert sorted(batch.projects.item() for batch in batches.batches(1)) == [1, 3]


@given(
    relations=st.lists(st.lists(st.integers(-1, 1), min_size=6, max_size=6), min_size=1, max_size=7),
    categories=st.lists(st.sampled_from(["", "a", "b"]), min_size=6, max_size=6),
    projects=st.integers(1, 3),
    positives=st.integers(1, 3),
    negatives=st.integers(0, 2),
    weak=st.integers(0, 3),
    seed=st.integers(0, 9),
)
def test_every_epoch(
    relations: list[list[int]],
    categories: list[str],
    projects: int,
    positives: int,
    negatives: int,
    weak: int,
    seed: int,
) -> None:
    """Each project once, distinct freelancers, no more than requested, positives first, reproducible by the seed."""
    batches = sampler(
        relations, categories, projects=projects, positives=positives, negatives=negatives, weak_negatives=weak
    )
    epoch = drawn(batches, seed)
    assert epoch == drawn(batches, seed)
    assert len(epoch) == len(batches)
    wanted = [row for row, values in enumerate(relations) if 1 in values]
    assert sorted(project for rows, _ in epoch for project in rows) == wanted
    for rows, freelancers in epoch:
        assert len(rows) <= projects
        assert len(set(freelancers)) == len(freelancers) <= len(rows) * (positives + negatives + weak)
        firsts = freelancers[: max(min(positives, relations[row].count(1)) for row in rows)]
        assert all(any(relations[row][column] == 1 for row in rows) for column in firsts)


def test_seeds_and_epochs_differ() -> None:
    """A pair of integers is a seed, too."""
    batches = sampler([[1, 1, 1, -1]] * 20, weak_negatives=0)
    epochs = [drawn(batches, seed) for seed in ((1, 0), (1, 1), (2, 0))]  # type: ignore[arg-type]
    assert all(epochs[i] != epochs[j] for i, j in ((0, 1), (0, 2), (1, 2)))
    assert isinstance(next(batches.batches((1, 0))), Batch)


@pytest.mark.parametrize(("size", "expected"), [(1, 5), (2, 3), (5, 1), (9, 1)])
def test_the_last_batch_may_be_smaller(size: int, expected: int) -> None:
    """No project is left out."""
    batches = sampler([[1, -1]] * 5, projects=size)
    assert len(batches) == len(drawn(batches)) == expected
