"""Ground truth of projects and freelancers: past answers, declared categories and skills."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.ranking import rank_ids
from jobmatch_core.towers.documents import Document
from jobmatch_core.towers.terms import term_matrices


@dataclass(frozen=True)
class MatchingJudgments:
    """Judgments as matrices; the rows are projects, the columns freelancers or terms.

    Attributes:
        languages: (project,) language code of its texts.
        positives: (project, freelancer) boolean, F+ of each project.
        negatives: (project, freelancer) boolean, F- of each project.
        project_categories, freelancer_categories: (document, category) 1 or 0, C of equation 17.
        project_skills, freelancer_skills: (document, skill) 1 or 0, S of equation 17.
        id_ranks: (freelancer,) position of each id in ascending order, to break ties.
        coverage: (project, freelancer) share of the project's skills that the freelancer truly has, 0 to 1, where it is
            known, as in a generated marketplace; else None.
    """

    languages: tuple[str, ...]
    positives: csr_matrix
    negatives: csr_matrix
    project_categories: csr_matrix
    freelancer_categories: csr_matrix
    project_skills: csr_matrix
    freelancer_skills: csr_matrix
    id_ranks: NDArray[np.int32]
    coverage: FloatArray | None = None

    @classmethod
    def of(
        cls,
        projects: Sequence[Document],
        freelancers: Sequence[Document],
        answers: csr_array,
        coverage: FloatArray | None = None,
    ) -> Self:
        """Return the judgments of all pairs of some projects and freelancers.

        Args:
            projects: documents of the rows; each id occurs once.
            freelancers: documents of the columns; each id occurs once.
            answers: (project, freelancer) 1, -1 or 0, result of `towers.adjacency.interaction_matrix`.
            coverage: (project, freelancer) true coverage, if known.

        Raises:
            ValueError: the answers or the coverage have another shape.
        """
        shape = (len(projects), len(freelancers))
        if answers.shape != shape or (coverage is not None and coverage.shape != shape):
            raise ValueError(
                f"the answers or the coverage are not those of {shape[0]} projects x {shape[1]} freelancers"
            )
        categories = term_matrices(*([_category(each) for each in kind] for kind in (projects, freelancers)))
        skills = term_matrices(*([each.skill_keys for each in kind] for kind in (projects, freelancers)))
        return cls(
            languages=tuple(each.language for each in projects),
            positives=csr_matrix(answers > 0),
            negatives=csr_matrix(answers < 0),
            project_categories=categories[0],
            freelancer_categories=categories[1],
            project_skills=skills[0],
            freelancer_skills=skills[1],
            id_ranks=rank_ids([each.id for each in freelancers]),
            coverage=coverage,
        )


def _category(document: Document) -> frozenset[str]:
    return frozenset([document.category] if document.category else [])
