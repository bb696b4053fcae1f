"""The hidden truth of a generated marketplace: mastered skills, needed skills, and their coverage.

No text contains it; it is the ground truth for retrieval where past interactions are biased.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray

Numbers = NDArray[np.int32]
MANDATORY_WEIGHT, BONUS_WEIGHT = 2.0, 1.0


@dataclass(frozen=True, slots=True)
class Need:
    """The skills that a project truly needs, as columns of the truth; none is in both."""

    mandatory: Sequence[int]
    bonus: Sequence[int]


@dataclass(frozen=True)
class SkillTruth:
    """The true skills as matrices; rows are in the order of the marketplace's projects and freelancers.

    Attributes:
        skills: key of each column.
        mastered: (freelancer, skill) boolean.
        mandatory: (project, skill) boolean.
        bonus: (project, skill) boolean, disjoint from *mandatory*.
    """

    skills: tuple[str, ...]
    mastered: csr_matrix
    mandatory: csr_matrix
    bonus: csr_matrix

    def coverage(self, projects: Numbers | None = None, freelancers: Numbers | None = None) -> FloatArray:
        """Return the weighted share of each project's skills that each freelancer masters.

        Mandatory skills weigh twice as much as bonus skills. Nobody covers a project that needs nothing.

        Args:
            projects: row numbers of projects; all by default.
            freelancers: row numbers of freelancers; all by default.

        Returns:
            (project, freelancer) 0 to 1, four bytes a pair: pass some rows only of a large marketplace.
        """
        shares = self._shares(projects)
        mastered = self.mastered if freelancers is None else self.mastered[freelancers]
        covered: FloatArray = np.minimum((shares @ mastered.T).toarray(), 1, dtype=np.float32)  # thirds add up to more
        return covered

    def coverage_of_pairs(self, projects: Numbers, freelancers: Numbers) -> FloatArray:
        """Return the coverage of projects[i] by freelancers[i], 0 to 1, shape (pair,); see `coverage`."""
        products = self._shares(projects).multiply(self.mastered[freelancers])
        return np.minimum(np.asarray(products.sum(axis=1), dtype=np.float32).ravel(), 1)

    def with_projects(self, rows: Numbers) -> "SkillTruth":
        """Return the truth of some projects only."""
        return SkillTruth(self.skills, self.mastered, self.mandatory[rows], self.bonus[rows])

    def needs(self) -> Iterator[Need]:
        """Yield the need of each project."""
        for mandatory, bonus in zip(skills_of_rows(self.mandatory), skills_of_rows(self.bonus), strict=True):
            yield Need(mandatory, bonus)

    def _shares(self, projects: Numbers | None) -> csr_matrix:
        """Return the contribution of each skill to the coverage, (project, skill)."""
        mandatory, bonus = (part if projects is None else part[projects] for part in (self.mandatory, self.bonus))
        weights = csr_matrix(mandatory * np.float32(MANDATORY_WEIGHT) + bonus * np.float32(BONUS_WEIGHT))
        totals = np.asarray(weights.sum(axis=1), dtype=np.float32).ravel()
        weights.data /= np.repeat(totals, np.diff(weights.indptr))
        return weights


def skill_rows(rows: Sequence[Sequence[int]], n_skills: int) -> csr_matrix:
    """Return rows of column numbers as (row, skill) boolean."""
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(lengths.sum()))
    return rows_of(columns, lengths, n_skills)


def rows_of(columns: Numbers, lengths: NDArray[np.int64], n_skills: int) -> csr_matrix:
    """Return (row, skill) boolean from the columns of all rows in one array and the length of each row."""
    ends = np.concatenate([[0], np.cumsum(lengths)])
    matrix = csr_matrix((np.ones(len(columns), dtype=np.bool_), columns, ends), shape=(len(lengths), n_skills))
    matrix.sort_indices()
    return matrix


def skills_of_rows(matrix: csr_matrix) -> list[list[int]]:
    """Return the column numbers of each row."""
    bounds, columns = matrix.indptr.tolist(), matrix.indices.tolist()
    return [columns[start:end] for start, end in pairwise(bounds)]
