"""Batches: how many of what, in what order, and never what cannot be."""

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from jobmatch_core.towers.adjacency import freelancer_freelancer, project_freelancer
from jobmatch_core.towers.sampling import PAPER_INFO_NCE, PAPER_TRIPLETS, Batch, BatchSampler


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
    """One project, two positives, one negative, thirty of other categories."""
    relations = [[1] * 4 + [-1] * 3 + [0] * 60]
    [(projects, freelancers)] = drawn(sampler(relations, ["a"] * 20 + ["b"] * 47))
    assert projects == [0]
    assert len(freelancers) == 33
    assert set(freelancers[:2]) <= set(range(4))
    assert freelancers[2] in range(4, 7)
    assert min(freelancers[3:]) >= 20


def test_two_projects_give_figure_3s_triplets() -> None:
    """Positives first, so that each pair's anchor is one: two triplets of freelancers, four of projects."""
    relations = np.array([[1, 1, -1, 0, 0, 0], [0, 0, 0, -1, 1, 1]], dtype=np.int8)
    for seed in range(5):
        [batch] = sampler(relations.tolist(), **asdict(PAPER_TRIPLETS)).batches(seed)
        part = project_freelancer(csr_array(relations), batch.projects, batch.freelancers)
        assert sorted(batch.freelancers) == list(range(6))
        triplets = [
            int((each > 0).sum(axis=1) @ (each < 0).sum(axis=1)) for each in (part, freelancer_freelancer(part))
        ]
        assert triplets == [4, 2]


def test_projects_that_lack_somebody() -> None:
    """Without a positive a project is left out; otherwise there are as many as it has."""
    relations = [[0, 0, 0, 0], [-1, -1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, -1, 0]]
    batches = sampler(relations, weak_negatives=0)
    assert len(batches) == 3
    assert sorted((projects[0], sorted(freelancers)) for projects, freelancers in drawn(batches)) == [
        (2, [0]),
        (3, [0, 1]),
        (4, [1, 2]),
    ]


def test_nobody_to_train_on() -> None:
    """No batches."""
    assert drawn(sampler([[0, -1]])) == []
    assert len(sampler([[0, -1]])) == 0


def test_weak_negatives_are_of_a_known_other_category() -> None:
    """Who has none, and whom the project has met, is no weak negative."""
    [(_, freelancers)] = drawn(sampler([[1, 0, 0, 0, -1]], ["a", "", "b", "a", "b"], negatives=0))
    assert freelancers == [0, 2]


def test_a_freelancer_of_two_projects_stands_once() -> None:
    """As a positive, where it is one of any."""
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
    """Each project with a positive once; nobody twice; no more than asked for; positives first; the same by seed."""
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
        assert all(any(relations[row][each] == 1 for row in rows) for each in firsts)


def test_seeds_and_epochs_differ() -> None:
    """A pair of numbers is a seed, too."""
    batches = sampler([[1, 1, 1, -1]] * 20, weak_negatives=0)
    epochs = [drawn(batches, seed) for seed in ((1, 0), (1, 1), (2, 0))]  # type: ignore[arg-type]
    assert all(epochs[i] != epochs[j] for i, j in ((0, 1), (0, 2), (1, 2)))
    assert isinstance(next(batches.batches((1, 0))), Batch)


@pytest.mark.parametrize(("size", "expected"), [(1, 5), (2, 3), (5, 1), (9, 1)])
def test_the_last_batch_may_be_smaller(size: int, expected: int) -> None:
    """No project is dropped."""
    batches = sampler([[1, -1]] * 5, projects=size)
    assert len(batches) == len(drawn(batches)) == expected
