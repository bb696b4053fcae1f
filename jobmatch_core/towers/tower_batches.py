"""Training batches of the towers: documents of projects and freelancers, and their relations."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from jobmatch_core.towers.adjacency import (
    Rows,
    freelancer_freelancer,
    project_freelancer,
    project_weak_negatives,
    with_weak_negatives,
)
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.sampling import Batch, BatchSampler, Sampling


@dataclass(frozen=True)
class TowerBatch:
    """Some projects and freelancers with their relations.

    Attributes:
        projects, freelancers: documents.
        to_freelancers: (project, freelancer) relations of equation 7, with weak negatives if sampled.
        among_freelancers: (freelancer, freelancer) relations of equation 8, or of equation 9 with weak negatives.
    """

    projects: list[Document]
    freelancers: list[Document]
    to_freelancers: Tensor
    among_freelancers: Tensor


class TowerBatches:
    """Batches of some of a marketplace's projects."""

    def __init__(self, pairs: DocumentPairs, projects: Rows, sampling: Sampling) -> None:
        """Store the marketplace, the projects' rows, and the composition of a batch.

        If no weak negatives are sampled, categories make no relations among the other freelancers either.
        """
        self._pairs = pairs
        self._weak = sampling.weak_negatives > 0
        self._weak_for_projects = self._weak and sampling.project_weak_negatives
        categories = [[each.category for each in kind] for kind in (pairs.projects, pairs.freelancers)]
        self._sampler = BatchSampler(pairs.interactions, projects, categories[0], categories[1], sampling)

    def __len__(self) -> int:
        """Return the number of batches of an epoch."""
        return len(self._sampler)

    def epoch(self, seed: tuple[int, ...]) -> Iterator[TowerBatch]:
        """Yield the batches of an epoch; the same seed draws the same ones."""
        for batch in self._sampler.batches(seed):
            yield self._filled(batch)

    def _filled(self, batch: Batch) -> TowerBatch:
        projects = [self._pairs.projects[row] for row in batch.projects]
        freelancers = [self._pairs.freelancers[row] for row in batch.freelancers]
        categories = [each.category for each in freelancers]
        relations = project_freelancer(self._pairs.interactions, batch.projects, batch.freelancers)
        among = freelancer_freelancer(relations)
        if self._weak:
            among = with_weak_negatives(among, categories)
        if self._weak_for_projects:
            relations = project_weak_negatives(relations, [each.category for each in projects], categories)
        return TowerBatch(
            projects=projects,
            freelancers=freelancers,
            to_freelancers=torch.from_numpy(relations),
            among_freelancers=torch.from_numpy(among),
        )


def split_projects(pairs: DocumentPairs, share: float, seed: int) -> tuple[Rows, Rows]:
    """Return the rows of training projects and, as a share of all, of validation projects (section 4.2: 80 and 20 %).

    Projects without a positive are in neither, because they do not contribute to the loss.
    """
    positives = (pairs.interactions > 0).sum(axis=1)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(positives))
    first = round(len(order) * share)
    return np.sort(order[first:]), np.sort(order[:first])
