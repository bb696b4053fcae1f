"""Sampling of training batches by the relations of projects and freelancers.

Relation matrices hold 1 (alike), -1 (unlike) and 0 (unknown): pure functions of arrays, without torch. Paper: Jouanneau
et al. (2024), sections 3.2.2 and 3.2.3, equations 7 to 9.

A batch has projects, each with a few of its freelancers, and weak negatives of other categories. Section 4.3: for each
project one negative and two positives; two projects a batch for triplets, one project and thirty weak negatives for
InfoNCE. Those are `PAPER_TRIPLETS` and `PAPER_INFO_NCE`; the default did better on demo marketplaces, which have few
projects: more of each project, more projects together.
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
    """Return the known relations of projects and freelancers, shape (project, freelancer), int8: 1, -1, else 0.

    If a pair met several times, the last date counts, and of one date the last in order.

    Raises:
        DataFileError: an interaction names an unknown project or freelancer.
    """
    row_of = {project.id: row for row, project in enumerate(projects)}
    column_of = {freelancer.id: column for column, freelancer in enumerate(freelancers)}
    last: dict[tuple[int, int], bool] = {}
    for each in sorted(interactions, key=lambda interaction: interaction.date):
        if each.project not in row_of or each.freelancer not in column_of:
            raise DataFileError(
                "interactions",
                f"project {each.project!r} met freelancer {each.freelancer!r}, one of whom is not there; add them, or "
                "remove the interaction",
            )
        last[row_of[each.project], column_of[each.freelancer]] = each.positive
    values = np.array([1 if positive else -1 for positive in last.values()], dtype=np.int8)
    places = np.array(list(last), dtype=np.int32).reshape(-1, 2)
    return csr_array((values, (places[:, 0], places[:, 1])), shape=(len(projects), len(freelancers)))


def project_freelancer(interactions: csr_array, projects: Rows, freelancers: Rows) -> Relations:
    """Return the part of a batch, shape (len(projects), len(freelancers)): equation 7.

    Args:
        interactions: (project, freelancer) result of `interaction_matrix`.
        projects: rows of the batch's projects.
        freelancers: columns of the batch's freelancers.
    """
    return np.asarray(interactions[projects][:, freelancers].toarray(), dtype=np.int8)


def freelancer_freelancer(relations: Relations) -> Relations:
    """Return the relations among freelancers through projects, shape (freelancer, freelancer): equation 8.

    Two freelancers wanted by one project are alike; one wanted and one refused are unlike. Where projects disagree, the
    majority
    counts, and a draw is unknown. Two freelancers refused by one project are never related, whatever other projects
    say: they
    may lack different skills. Each pair appears once, above the diagonal: the earlier freelancer is its anchor.

    Args:
        relations: (project, freelancer) result of `project_freelancer`.
    """
    wide = relations.astype(np.int32)  # sums over many projects overflow int8
    refused = (wide < 0).astype(np.int32)
    both_refused = refused.T @ refused > 0
    return _above_diagonal(np.where(both_refused, 0, wide.T @ wide))


def weak_negatives(left: Sequence[str], right: Sequence[str]) -> Relations:
    """Return -1 where two categories differ, shape (len(left), len(right)): section 3.2.3.

    Args:
        left: one category key per document; a document without one ('') differs from none.
        right: category keys of the other documents.
    """
    rows, columns = (np.array(keys, dtype=object) for keys in (left, right))
    differ: NDArray[np.bool_] = (rows[:, None] != columns) & (rows[:, None] != "") & (columns != "")
    return -differ.astype(np.int8)


def project_weak_negatives(relations: Relations, projects: Sequence[str], freelancers: Sequence[str]) -> Relations:
    """Return the relations of projects and freelancers, with -1 for unknown ones of different categories.

    Not in the paper, which has weak negatives among freelancers only. Without weak negatives of its own, a project
    learns from freelancers that an older system showed it, all of the right category, and so the model unlearns the
    category.

    Args:
        relations: (project, freelancer) result of `project_freelancer`.
        projects: one category key per project.
        freelancers: one category key per freelancer.
    """
    return np.where(relations == 0, weak_negatives(projects, freelancers), relations).astype(np.int8)


def with_weak_negatives(relations: Relations, categories: Sequence[str]) -> Relations:
    """Return the relations of freelancers with those of their categories added, above the diagonal: equation 9.

    As in equation 14 the first term is that of equation 8, so that two who were refused together stay unrelated within
    a category. Two alike through a project but of different categories add up to 'unknown', two unlike by both stay
    -1.

    Args:
        relations: (freelancer, freelancer) result of `freelancer_freelancer`.
        categories: one category key per freelancer.
    """
    return _above_diagonal(relations + weak_negatives(categories, categories))


def _above_diagonal(sums: NDArray[np.signedinteger[Any]]) -> Relations:
    return np.asarray(np.triu(np.sign(sums), k=1), dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Sampling:
    """Composition of a batch.

    Attributes:
        projects: projects per batch.
        positives, negatives: freelancers per project, fewer where it has fewer.
        weak_negatives: freelancers of another category per project; 0 for a loss without categories.
        project_weak_negatives: count them as negatives of the project too, not only of freelancers.
    """

    projects: int = 8
    positives: int = 3
    negatives: int = 3
    weak_negatives: int = 4
    project_weak_negatives: bool = True


PAPER_TRIPLETS = Sampling(projects=2, positives=2, negatives=1, weak_negatives=0, project_weak_negatives=False)
PAPER_INFO_NCE = Sampling(projects=1, positives=2, negatives=1, weak_negatives=30, project_weak_negatives=False)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of projects and of freelancers, each once.

    Positives come first: each pair of freelancers appears once among the relations, with the earlier as anchor
        (equation 8), and only an anchor with a positive contributes to the loss.
    """

    projects: Rows
    freelancers: Rows


class BatchSampler:
    """Draws the batches of an epoch; the same seed draws the same ones."""

    def __init__(
        self,
        interactions: csr_array,
        projects: Rows,
        project_categories: Sequence[str],
        freelancer_categories: Sequence[str],
        sampling: Sampling,
    ) -> None:
        """Store the interactions and the projects to draw from.

        Args:
            interactions: (project, freelancer) result of `interaction_matrix`.
            projects: rows to draw from; projects without a positive are left out.
            project_categories: one category key per project.
            freelancer_categories: one category key per freelancer; those without ('') are no weak negatives.
            sampling: composition of a batch.
        """
        self._interactions = interactions
        self._sampling = sampling
        numbers = {key: number for number, key in enumerate(dict.fromkeys(("", *freelancer_categories)))}
        self._categories = np.array([numbers[key] for key in freelancer_categories], dtype=np.int64)
        self._project_categories = [numbers.get(key, 0) for key in project_categories]
        self._projects = np.array([row for row in projects if (self._relations(row)[1] > 0).any()], dtype=np.intp)

    def __len__(self) -> int:
        """Return the number of batches of an epoch."""
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
        """Return a project's freelancers and their relations to it."""
        begin, end = self._interactions.indptr[project : project + 2]
        return self._interactions.indices[begin:end].astype(np.intp), self._interactions.data[begin:end]

    def _of_other_categories(self, project: int) -> Rows:
        """Return the possible weak negatives of a project."""
        if not self._sampling.weak_negatives:
            return np.empty(0, dtype=np.intp)
        other = (self._categories != 0) & (self._categories != self._project_categories[project])
        other[self._relations(project)[0]] = False
        return np.flatnonzero(other)
