"""A marketplace as models see it: documents, and past interactions of pairs of them."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.towers.adjacency import interaction_matrix
from jobmatch_core.towers.documents import Document, freelancer_document, project_document
from jobmatch_core.towers.sampling import BatchSampler, Sampling


@dataclass(frozen=True)
class DocumentPairs:
    """Projects and freelancers.

    Attributes:
        projects: documents of the rows.
        freelancers: documents of the columns.
        interactions: (project, freelancer) result of `adjacency.interaction_matrix`.
    """

    projects: tuple[Document, ...]
    freelancers: tuple[Document, ...]
    interactions: csr_array

    @classmethod
    def of(cls, marketplace: Marketplace) -> Self:
        """Return all documents and interactions of a marketplace.

        Raises:
            DataFileError: an interaction names an unknown project or freelancer.
        """
        projects, freelancers = tuple(marketplace.projects), tuple(marketplace.freelancers)
        return cls(
            projects=tuple(map(project_document, projects)),
            freelancers=tuple(map(freelancer_document, freelancers)),
            interactions=interaction_matrix(projects, freelancers, tuple(marketplace.interactions)),
        )

    def sampler(self, sampling: Sampling) -> BatchSampler:
        """Return a sampler over all projects."""
        projects, freelancers = ([each.category for each in kind] for kind in (self.projects, self.freelancers))
        return BatchSampler(self.interactions, np.arange(len(self.projects)), projects, freelancers, sampling)
