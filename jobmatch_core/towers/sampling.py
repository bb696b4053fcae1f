"""Sampling of training batches by relations of projects and freelancers: 1 (positive), -1 (negative), 0 (unknown).

Paper: Jouanneau et al. (2024), sections 3.2.2 and 3.2.3, equations 7 to 9. A batch has projects, each with some of its
freelancers, and weak negatives of other categories. `PAPER_TRIPLETS` and `PAPER_INFO_NCE` are those of section 4.3; the
default is better on demo marketplaces, which have few projects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.errors import DataFileError

Relations = NDArray[np.int8]
Rows = NDArray[np.intp]


def interaction_matrix(
    projects: Sequence[Project], freelancers: Sequence[Freelancer], interactions: Sequence[Interaction]
) -> csr_array:
    """Return the relations of projects and freelancers, shape (project, freelancer), int8: 1, -1, else 0.

    Of several interactions of a pair, the one with the last date counts; of one date, the last in order.

    Raises DataFileError if an interaction names an unknown project or freelancer.
    """
    rows = {project.id: row for row, project in enumerate(projects)}
    columns = {freelancer.id: column for column, freelancer in enumerate(freelancers)}
    last: dict[tuple[int, int], bool] = {}
    for interaction in sorted(interactions, key=lambda interaction: interaction.date):
        project, freelancer = interaction.project, interaction.freelancer
        if project not in rows or freelancer not in columns:
            raise DataFileError(
                "interactions",
                f"project {project!r} or freelancer {freelancer!r} is missing; add it, or remove the interaction",
            )
        last[rows[project], columns[freelancer]] = interaction.positive
    values = np.array([1 if positive else -1 for positive in last.values()], dtype=np.int8)
    places = np.array(list(last), dtype=np.int32).reshape(-1, 2)
    return csr_array((values, (places[:, 0], places[:, 1])), shape=(len(projects), len(freelancers)))


def project_freelancer(interactions: csr_array, projects: Rows, freelancers: Rows) -> Relations:
    """Return the relations of some rows and columns of an `interaction_matrix`: equation 7."""
    return np.asarray(interactions[projects][:, freelancers].toarray(), dtype=np.int8)


def freelancer_freelancer(relations: Relations) -> Relations:
    """Return the relations among freelancers through projects, shape (freelancer, freelancer): equation 8.

    Two positives of a project are positive, a positive and a negative are negative; if projects disagree, the majority
    counts, and a tie is unknown. Two negatives of a project are always unknown: they may lack different skills. Each
    pair appears once, above the diagonal, with the earlier freelancer as the anchor.

    Args:
        relations: (project, freelancer) result of `project_freelancer`.
    """
    wide = relations.astype(np.int32)  # sums over many projects overflow int8
    refused = (wide < 0).astype(np.int32)
    both_refused = refused.T @ refused > 0
    return _above_diagonal(np.where(both_refused, 0, wide.T @ wide))


def weak_negatives(left: Sequence[str], right: Sequence[str]) -> Relations:
    """Return -1 where two categories differ, else 0, shape (len(left), len(right)): section 3.2.3.

    Unknown categories ('') differ from none.
    """
    rows, columns = (np.array(keys, dtype=object) for keys in (left, right))
    differ: NDArray[np.bool_] = (rows[:, None] != columns) & (rows[:, None] != "") & (columns != "")
    return -differ.astype(np.int8)


def project_weak_negatives(relations: Relations, projects: Sequence[str], freelancers: Sequence[str]) -> Relations:
    """Return the relations of projects and freelancers, with -1 for unknown ones of different categories.

    An addition to the paper, which has weak negatives among freelancers only: all freelancers that an older system
    showed to a project have the right category, so without weak negatives a model unlearns the category.
    """
    return np.where(relations == 0, weak_negatives(projects, freelancers), relations).astype(np.int8)


def with_weak_negatives(relations: Relations, categories: Sequence[str]) -> Relations:
    """Return the relations of freelancers plus those of their categories, above the diagonal: equation 9.

    As in equation 14, the first term is that of equation 8. A positive pair of different categories becomes unknown.
    """
    return _above_diagonal(relations + weak_negatives(categories, categories))


def _above_diagonal(sums: NDArray[np.signedinteger[Any]]) -> Relations:
    return np.asarray(np.triu(np.sign(sums), k=1), dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Sampling:
    """Composition of a batch."""

    projects: int = 8  # projects per batch
    # positives, negatives: maximum number of freelancers per project
    positives: int = 3
    negatives: int = 3
    weak_negatives: int = 4  # freelancers of other categories per project; 0 for a loss without categories
    project_weak_negatives: bool = True  # they are negatives of the project, too, not only of its freelancers


PAPER_TRIPLETS = Sampling(projects=2, positives=2, negatives=1, weak_negatives=0, project_weak_negatives=False)
PAPER_INFO_NCE = Sampling(projects=1, positives=2, negatives=1, weak_negatives=30, project_weak_negatives=False)


@dataclass(frozen=True, slots=True)
class Batch:
    """Distinct rows of projects and of freelancers.

    Positives come first: the earlier freelancer of a pair is its anchor (equation 8), and only anchors with a positive
    contribute to the loss.
    """

    projects: Rows
    freelancers: Rows


class BatchSampler:
    """Draws the batches of an epoch by a seed."""

    def __init__(
        self,
        interactions: csr_array,
        projects: Rows,
        project_categories: Sequence[str],
        freelancer_categories: Sequence[str],
        sampling: Sampling,
    ) -> None:
        """Set the interactions and the projects to draw from.

        Args:
            interactions: (project, freelancer) result of `interaction_matrix`.
            projects: rows to draw from; projects without a positive are left out.
            project_categories: one category key per project.
            freelancer_categories: one category key per freelancer; those without ('') are never weak negatives.
            sampling: composition of a batch.
        """
        self._interactions = interactions
        self._sampling = sampling
        numbers = {key: number for number, key in enumerate(dict.fromkeys(("", *freelancer_categories)))}
        self._categories = np.array([numbers[key] for key in freelancer_categories], dtype=np.int64)
        self._project_categories = [numbers.get(key, 0) for key in project_categories]
        self._projects = np.array([row for row in projects if (self._relations(row)[1] > 0).any()], dtype=np.intp)

    def __len__(self) -> int:
        return -(-len(self._projects) // self._sampling.projects)

    def batches(self, seed: int | Sequence[int]) -> Iterator[Batch]:
        """Yield the batches of an epoch: each project once, in random order; the last may be smaller."""
        random = np.random.default_rng(seed)
        order = random.permutation(self._projects)
        for start in range(0, len(order), self._sampling.projects):
            yield self._batch(order[start : start + self._sampling.projects], random)

    def _batch(self, projects: Rows, random: np.random.Generator) -> Batch:
        drawn: tuple[list[int], ...] = ([], [], [])
        for project in projects:
            freelancers, values = self._relations(project)
            pools = (freelancers[values > 0], freelancers[values < 0], self._of_other_categories(project))
            numbers = (self._sampling.positives, self._sampling.negatives, self._sampling.weak_negatives)
            for taken, pool, number in zip(drawn, pools, numbers, strict=True):
                taken += random.choice(pool, size=min(number, len(pool)), replace=False).tolist()
        rows = dict.fromkeys(row for taken in drawn for row in taken)
        return Batch(projects, np.fromiter(rows, dtype=np.intp, count=len(rows)))

    def _relations(self, project: int) -> tuple[Rows, Rows]:
        begin, end = self._interactions.indptr[project : project + 2]
        return self._interactions.indices[begin:end].astype(np.intp), self._interactions.data[begin:end]

    def _of_other_categories(self, project: int) -> Rows:
        if not self._sampling.weak_negatives:
            return np.empty(0, dtype=np.intp)
        other = (self._categories != 0) & (self._categories != self._project_categories[project])
        other[self._relations(project)[0]] = False
        return np.flatnonzero(other)
