"""Metrics of Jouanneau et al. (2024), section 4.4, and common ones, for projects that search for freelancers.

Every metric returns one number per project. The paper leaves empty sets open; here the value is NaN and excluded from
the mean, if

- valid score recall (15, 16): F+ or F- is empty;
- A-overlap (17): the project has no category or no skill;
- retrieved positives (18) and average precision: F+ is empty; retrieved negatives (19): F- is empty.

Scores: higher is better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix

from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.ranking import Floats, graded_ndcg, mean_gains, rank_ids, rank_relevant, retrieve
from jobmatch_core.towers.documents import Document, term_matrices

FEW, MANY = 10, 100  # retrieved freelancers, section 4.4


@dataclass(frozen=True)
class MatchingJudgments:
    """Judgments as matrices; rows are projects, columns freelancers or terms."""

    languages: tuple[str, ...]  # (project,) language codes
    positives: csr_matrix  # (project, freelancer) boolean, F+ of each project
    negatives: csr_matrix  # (project, freelancer) boolean, F- of each project
    # project_categories, freelancer_categories: (document, category) 1 or 0, C of equation 17
    project_categories: csr_matrix
    freelancer_categories: csr_matrix
    # project_skills, freelancer_skills: (document, skill) 1 or 0, S of equation 17
    project_skills: csr_matrix
    freelancer_skills: csr_matrix
    id_ranks: NDArray[np.int32]  # (freelancer,) ranks of the ids, to break ties
    # (project, freelancer) true share of the project's skills that the freelancer has, 0 to 1; None if it is unknown
    coverage: FloatArray | None = None

    @classmethod
    def of(
        cls,
        projects: Sequence[Document],
        freelancers: Sequence[Document],
        answers: csr_array,
        coverage: FloatArray | None = None,
    ) -> Self:
        """Return the judgments of all pairs of projects and freelancers.

        Args:
            projects: documents of the rows, with distinct ids.
            freelancers: documents of the columns, with distinct ids.
            answers: (project, freelancer) 1, -1 or 0, result of `towers.sampling.interaction_matrix`.
            coverage: (project, freelancer) true coverage, if known.

        Raises ValueError if the answers or the coverage have another shape.
        """
        shape = (len(projects), len(freelancers))
        if answers.shape != shape or (coverage is not None and coverage.shape != shape):
            raise ValueError(f"the answers and the coverage must have the shape {shape}")
        kinds = (projects, freelancers)
        categories = term_matrices(*([[*filter(None, [document.category])] for document in kind] for kind in kinds))
        skills = term_matrices(*([document.skill_keys for document in kind] for kind in kinds))
        return cls(
            languages=tuple(project.language for project in projects),
            positives=csr_matrix(answers > 0),
            negatives=csr_matrix(answers < 0),
            project_categories=categories[0],
            freelancer_categories=categories[1],
            project_skills=skills[0],
            freelancer_skills=skills[1],
            id_ranks=rank_ids([freelancer.id for freelancer in freelancers]),
            coverage=coverage,
        )


def _figure(label: str) -> float | None:
    # None in runs stored before the figure was added
    figure: float | None = field(default=None, metadata={"label": label})
    return figure


@dataclass(frozen=True, slots=True)
class MatchingFigures:
    """Means over projects; None if no project has a value."""

    # recall_single, recall_all: valid score recall (15, 16)
    recall_single: float | None = _figure("valid score recall, single")
    recall_all: float | None = _figure("valid score recall, all")
    # category_at_10, category_at_100, skills_at_10, skills_at_100: A-overlap (17)
    category_at_10: float | None = _figure("category overlap @10")
    category_at_100: float | None = _figure("category overlap @100")
    skills_at_10: float | None = _figure("skills overlap @10")
    skills_at_100: float | None = _figure("skills overlap @100")
    # positives_at_100, negatives_at_100: retrieved positives and negatives (18, 19); fewer negatives are better
    positives_at_100: float | None = _figure("retrieved positives @100")
    negatives_at_100: float | None = _figure("retrieved negatives @100")
    map: float | None = _figure("MAP")  # mean average precision, with the positives as relevant
    # mean true coverage of the project's skills among the first ten, if known
    coverage_at_10: float | None = _figure("hidden coverage @10")
    ndcg_at_10: float | None = _figure("NDCG @10")  # NDCG of the first ten with the true coverage as gain


FIGURES = {figure.name: figure.metadata["label"] for figure in fields(MatchingFigures)}  # figure -> name in tables


@dataclass(frozen=True)
class MatchingOutcome:
    """Figures of every project."""

    languages: tuple[str, ...]  # (project,) language codes
    values: dict[str, Floats]  # (project,) numbers by figure; NaN if a project has no value

    def overall(self) -> MatchingFigures:
        """Return the means over all projects."""
        return self._means(np.ones(len(self.languages), dtype=np.bool_))

    def by_language(self) -> dict[str, tuple[int, MatchingFigures]]:
        """Return each language's number of projects and means (table 2), most projects first."""
        counts = {language: self.languages.count(language) for language in sorted(set(self.languages))}
        languages = np.array(self.languages)
        return {
            language: (count, self._means(languages == language))
            for language, count in sorted(counts.items(), key=lambda item: -item[1])
        }

    def _means(self, chosen: NDArray[np.bool_]) -> MatchingFigures:
        return MatchingFigures(**{name: _mean(values[chosen]) for name, values in self.values.items()})


def measure(scores: FloatArray, judgments: MatchingJudgments) -> MatchingOutcome:
    """Return all figures of a model from its (project, freelancer) scores.

    Raises ValueError if the shapes differ, or a score is not a number.
    """
    if scores.shape != judgments.positives.shape:
        raise ValueError(f"scores {scores.shape} and judgments {judgments.positives.shape} differ in shape")
    scores = np.asarray(scores, dtype=np.float32)
    values = dict(_supervised(scores, judgments))
    many = retrieve(scores, MANY, judgments.id_ranks)
    values |= _unsupervised(many, judgments)
    values["positives_at_100"] = retrieved_share(many, judgments.positives)
    values["negatives_at_100"] = retrieved_share(many, judgments.negatives)
    unknown = np.full(len(scores), np.nan)
    truth, few = judgments.coverage, many[:, :FEW]
    values["coverage_at_10"] = unknown if truth is None else mean_gains(truth, few)
    values["ndcg_at_10"] = unknown if truth is None else graded_ndcg(truth, few)
    return MatchingOutcome(judgments.languages, {name: values[name] for name in FIGURES})


def recall_single(scores: FloatArray, positives: csr_matrix, negatives: csr_matrix) -> Floats:
    """Return the share of positives that score higher than every negative (15); matrices are (project, freelancer)."""
    hardest = np.full(len(scores), -np.inf)
    rows, columns = negatives.nonzero()
    np.maximum.at(hardest, rows, scores[rows, columns])
    rows, columns = positives.nonzero()
    above = (scores[rows, columns] > hardest[rows]).astype(np.float64)
    shares = _row_means(above, rows, len(scores))
    return np.where(_counts(negatives) > 0, shares, np.nan)


def recall_all(scores: FloatArray, positives: csr_matrix, negatives: csr_matrix) -> Floats:
    """Return 1 if the mean score of the positives is higher than that of the negatives, else 0 (16)."""
    means = []
    for kind in (positives, negatives):
        rows, columns = kind.nonzero()
        means.append(_row_means(scores[rows, columns], rows, len(scores)))
    return np.where(np.isnan(means).any(axis=0), np.nan, means[0] > means[1])


def a_overlap(retrieved: NDArray[np.intp], projects: csr_matrix, freelancers: csr_matrix) -> Floats:
    """Return the mean share of the project's terms that retrieved freelancers declare (17).

    Args:
        retrieved: (project, k) columns of the retrieved freelancers.
        projects: (project, term) 1 or 0.
        freelancers: (freelancer, term) 1 or 0.
    """
    wanted = np.repeat(np.arange(len(retrieved)), retrieved.shape[1])
    shared = projects[wanted].multiply(freelancers[retrieved.ravel()])
    overlaps = np.asarray(shared.sum(axis=1), dtype=np.float64).reshape(retrieved.shape)
    return _over(overlaps.mean(axis=1), _counts(projects))


def retrieved_share(retrieved: NDArray[np.intp], wanted: csr_matrix) -> Floats:
    """Return the share of the wanted freelancers, (project, freelancer), that are retrieved, (project, k) (18, 19)."""
    rows, columns = wanted.nonzero()
    starts = np.arange(len(retrieved)) * wanted.shape[1]
    is_retrieved = np.isin(starts[rows] + columns, (starts[:, None] + retrieved).ravel())
    return _row_means(is_retrieved.astype(np.float64), rows, len(retrieved))


def _supervised(scores: FloatArray, judgments: MatchingJudgments) -> Iterator[tuple[str, Floats]]:
    # the figures that need no retrieval
    yield "recall_single", recall_single(scores, judgments.positives, judgments.negatives)
    yield "recall_all", recall_all(scores, judgments.positives, judgments.negatives)
    ranks = rank_relevant(scores, judgments.positives, judgments.id_ranks)
    yield "map", np.where(ranks.counts > 0, ranks.average_precision(), np.nan)


def _unsupervised(many: NDArray[np.intp], judgments: MatchingJudgments) -> dict[str, Floats]:
    terms = {
        "category": (judgments.project_categories, judgments.freelancer_categories),
        "skills": (judgments.project_skills, judgments.freelancer_skills),
    }
    depths = (FEW, MANY)
    return {f"{name}_at_{k}": a_overlap(many[:, :k], *both) for name, both in terms.items() for k in depths}


def _counts(matrix: csr_matrix) -> NDArray[np.intp]:
    return np.diff(matrix.indptr).astype(np.intp)


def _row_means(values: Floats | FloatArray, rows: NDArray[np.int32], n_rows: int) -> Floats:
    # NaN for rows without values
    sums = np.bincount(rows, weights=values, minlength=n_rows)
    return _over(sums.astype(np.float64), np.bincount(rows, minlength=n_rows))


def _over(sums: Floats, counts: NDArray[np.intp]) -> Floats:
    shares: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return shares


def _mean(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else None
