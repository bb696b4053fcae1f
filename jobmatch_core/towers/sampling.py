"""Sampling of training batches: projects, each with a few of its freelancers, and weak negatives of other categories.

Paper: Jouanneau et al. (2024), section 4.3: for each project one negative and two positives; two projects a batch for
triplets, one project and thirty weak negatives for InfoNCE. Those are `PAPER_TRIPLETS` and `PAPER_INFO_NCE`; the
default did better on demo marketplaces, which have few projects: more of each project, more projects together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from jobmatch_core.towers.adjacency import Rows


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
            interactions: (project, freelancer) result of `adjacency.interaction_matrix`.
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
