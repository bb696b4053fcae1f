"""Search for freelancers for a project: a model's vectors in a store, their profiles, and the reasons.

Paper: Jouanneau et al. (2024), section 6.1: all profiles are encoded in advance, a project when it comes, and the
nearest profiles that pass hard filters are its candidates.
"""

import logging
from collections.abc import Sequence
from typing import Protocol

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.matches import Contributions, Match, compared_skills
from jobmatch_core.retrieval.profiles import Profiles
from jobmatch_core.towers.documents import SECTIONS, Document, Kind, freelancer_document, project_document
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Hit, VectorStore

_log = logging.getLogger(__name__)


class MatchModel(Protocol):
    """A model with vectors of projects and freelancers in one space, and contributions of their sections."""

    @property
    def name(self) -> str:
        """The model's name, unique to its weights."""

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(projects), dimension)."""

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(freelancers), dimension)."""

    def section_vectors(self, documents: Sequence[Document]) -> FloatArray:
        """Return each section's contribution to its document's vector, shape (document, section, dimension)."""


class Finder:
    """Search over a marketplace's freelancers by a model's vectors."""

    def __init__(self, model: MatchModel, store: VectorStore, profiles: Profiles) -> None:
        """Combine the parts that `open_finder` opened.

        Args:
            model: model that encodes projects.
            store: store with the model's vectors of the freelancers.
            profiles: profiles of the same freelancers.
        """
        self.model = model
        self.store = store
        self.profiles = profiles

    def match(
        self, project: Project, filters: Filters = NO_FILTERS, limit: int = 20, *, explain: bool = False
    ) -> list[Match]:
        """Return the freelancers that fit a project best; as `match_all`, for one.

        Raises:
            MatchingError: the model knows nothing of the project, or the store cannot be reached.
        """
        vectors = self.model.encode_projects([project])
        if not vectors.any():
            raise MatchingError(
                f"The model {self.model.name} knows no word of this project, and so cannot compare it with anybody; "
                "describe it in another language, or choose another model."
            )
        [hits] = self.store.search(vectors, filters, limit)
        return self._matches(project, hits, explain=explain)

    def match_all(
        self, projects: Sequence[Project], filters: Filters = NO_FILTERS, limit: int = 20, *, explain: bool = False
    ) -> list[list[Match]]:
        """Return for each project its best freelancers, best first, ties by id.

        A project without any word known to the model has no matches, and a warning is logged.

        Args:
            projects: encoded together.
            filters: conditions on freelancers.
            limit: maximum number of matches per project.
            explain: also compute each section's contribution, which takes as long as encoding those freelancers.

        Raises:
            MatchingError: the store cannot be reached.
        """
        if not projects:
            return []
        vectors = self.model.encode_projects(projects)
        answers = self.store.search(vectors, filters, limit)
        found = []
        for project, vector, hits in zip(projects, vectors, answers, strict=True):
            if not vector.any():
                _log.warning("%s knows no word of project %s, which has no matches.", self.model.name, project.id)
            found.append(self._matches(project, hits if vector.any() else [], explain=explain))
        return found

    def _matches(self, project: Project, hits: Sequence[Hit], *, explain: bool) -> list[Match]:
        profiles = self.profiles.by_id([hit.id for hit in hits])
        found = [(profiles[hit.id], hit.score) for hit in hits if hit.id in profiles]  # a server may be ahead of us
        reasons = self.contributions(project, [each for each, _ in found]) if explain else [None] * len(found)
        return [
            Match(freelancer, score, rank, compared_skills(project, freelancer), reason)
            for rank, ((freelancer, score), reason) in enumerate(zip(found, reasons, strict=True), 1)
        ]

    def contributions(self, project: Project, freelancers: Sequence[Freelancer]) -> list[Contributions]:
        """Return what the sections of a project and of each freelancer add to their score."""
        if not freelancers:
            return []
        [asked] = self.model.section_vectors([project_document(project)])
        offered = self.model.section_vectors([freelancer_document(each) for each in freelancers])
        of_project = offered.sum(axis=1) @ asked.T  # (freelancer, section of the project)
        of_freelancer = offered @ asked.sum(axis=0)  # (freelancer, section of the profile)
        return [
            Contributions(_by_section("project", ours), _by_section("freelancer", theirs))
            for ours, theirs in zip(of_project, of_freelancer, strict=True)
        ]


def _by_section(kind: Kind, shares: FloatArray) -> dict[str, float]:
    return dict(zip(SECTIONS[kind], shares.tolist(), strict=True))
