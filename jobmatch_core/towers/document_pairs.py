"""A marketplace as models see it: documents, past interactions of pairs of them, and what is training and what test.

The split is by time, without contamination. Paper: Jouanneau et al. (2024), section 4.2: the interactions since a date
are the test, those before it the training.
"""

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
    """Split a marketplace by the dates of its projects; those of one date stay together.

    A project without a date counts as older than all others. Interactions with a training project on or after the
    first test project's date are left out: they were not known when it came.

    Args:
        marketplace: the marketplace; it is not changed.
        share_test: share of projects to test on; more if several have the first one's date.

    Returns:
        Training and test; each has all freelancers, so that retrieval is among all.

    Raises:
        MarketplaceError: the share is not between 0 and 1, or all projects fall on one side.
    """
    if not 0 < share_test < 1:
        raise MarketplaceError(f"The share of projects to test on is {share_test}; give one between 0 and 1.")
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
            "The projects cannot be split by date: none has one, or all have the same; "
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
    """Projects and freelancers.

    Attributes:
        projects: documents of the rows.
        freelancers: documents of the columns.
        interactions: (project, freelancer) result of `sampling.interaction_matrix`.
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
