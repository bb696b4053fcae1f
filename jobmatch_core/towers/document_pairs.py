"""A marketplace's documents with their interactions, and its split by time (Jouanneau et al. 2024, section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from jobmatch_core.entities import Interaction, Project
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.towers.documents import Document, freelancer_document, project_document
from jobmatch_core.towers.sampling import BatchSampler, Sampling, interaction_matrix


def temporal_split(marketplace: Marketplace, share_test: float) -> tuple[Marketplace, Marketplace]:
    """Split a marketplace into training and test by the dates of its projects.

    Projects of one date stay together, so the test may have more than its share; those without a date are the oldest.
    Interactions of training projects since the first test date are left out: they were unknown then. Both parts have
    all freelancers.

    Raises MarketplaceError if the share is not between 0 and 1, or all projects have the same date.
    """
    if not 0 < share_test < 1:
        raise MarketplaceError(f"The share of test projects must be between 0 and 1; it is {share_test}.")
    projects = list(marketplace.projects)
    since = _first_test_date([project.created for project in projects], share_test)
    later = np.array([project.created >= since for project in projects])
    new = {project.id for project, is_later in zip(projects, later, strict=True) if is_later}
    train, test = [], []
    for interaction in marketplace.interactions:
        if interaction.project in new:
            test.append(interaction)
        elif interaction.date < since:
            train.append(interaction)
    return (
        _part(marketplace, projects, np.flatnonzero(~later), train),
        _part(marketplace, projects, np.flatnonzero(later), test),
    )


def _first_test_date(dates: Sequence[str], share_test: float) -> str:
    ordered = sorted(dates)
    after_the_first = [date for date in ordered if date > ordered[0]]
    if not after_the_first:
        raise MarketplaceError(
            "The projects cannot be split by date: none has a date, or all have the same; "
            "import the marketplace with the dates on which projects were created."
        )
    return max(ordered[int(len(ordered) * (1 - share_test))], after_the_first[0])


def _part(
    marketplace: Marketplace, projects: Sequence[Project], rows: NDArray[np.intp], interactions: list[Interaction]
) -> Marketplace:
    return replace(
        marketplace,
        projects=tuple(projects[row] for row in rows),
        interactions=tuple(interactions),
        truth=marketplace.truth.with_projects(rows.astype(np.int32)) if marketplace.truth else None,
    )


@dataclass(frozen=True)
class DocumentPairs:
    """Documents of projects and freelancers, and their (project, freelancer) `sampling.interaction_matrix`."""

    projects: tuple[Document, ...]
    freelancers: tuple[Document, ...]
    interactions: csr_array

    @classmethod
    def of(cls, marketplace: Marketplace) -> Self:
        """Return all documents and interactions of a marketplace.

        Raises DataFileError if an interaction names an unknown project or freelancer.
        """
        projects, freelancers = tuple(marketplace.projects), tuple(marketplace.freelancers)
        return cls(
            projects=tuple(map(project_document, projects)),
            freelancers=tuple(map(freelancer_document, freelancers)),
            interactions=interaction_matrix(projects, freelancers, tuple(marketplace.interactions)),
        )

    def sampler(self, sampling: Sampling) -> BatchSampler:
        """Return a sampler over all projects."""
        projects, freelancers = ([document.category for document in kind] for kind in (self.projects, self.freelancers))
        return BatchSampler(self.interactions, np.arange(len(self.projects)), projects, freelancers, sampling)
