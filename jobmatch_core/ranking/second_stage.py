"""Both stages together over whole marketplaces: fitting the ranker on the past, and scoring all pairs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.features import POOL, Floats, Pool
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.ranker import Answers, Ranker
from jobmatch_core.towers.documents import freelancer_document, project_document
from jobmatch_core.towers.matcher import CosineMatcher, DocumentEncoder
from jobmatch_core.towers.sampling import interaction_matrix


@dataclass(frozen=True)
class FoundPool:
    """The pool of a project among the freelancers of a marketplace."""

    pool: Pool  # the project and its most similar freelancers
    rows: NDArray[np.intp]  # (profile,) rows of these freelancers in the marketplace
    similarities: FloatArray  # (freelancer,) similarities of all freelancers of the marketplace


@dataclass(frozen=True, slots=True)
class SecondStage:
    """Scores the freelancers of a model's pool by an order, and those below the pool by the model."""

    encoder: DocumentEncoder
    order: Callable[[Pool], Floats]  # the score of each profile of a pool, such as `Ranker.scores`
    name: str = "second-stage"

    def record_scores(self, projects: Sequence[Project], freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return the scores, shape (project, freelancer); those of a pool are all higher than the others."""
        scores = np.empty((len(projects), len(freelancers)), dtype=np.float32)
        for row, found_pool in enumerate(found_pools(self.encoder, projects, freelancers)):
            fits = self.order(found_pool.pool)
            scores[row] = found_pool.similarities - found_pool.similarities.max() + fits.min(initial=0) - 1
            scores[row, found_pool.rows] = fits
        return scores


def fit_ranker(encoder: DocumentEncoder, marketplace: Marketplace, fitted_on: str) -> Ranker:
    """Fit a ranker on a marketplace; arguments and errors as for `past_answers` and `Ranker.fit`."""
    return Ranker.fit(past_answers(encoder, marketplace), fitted_on)


def past_answers(encoder: DocumentEncoder, marketplace: Marketplace) -> list[Answers]:
    """Return the pool of each project with the answers of the past.

    Args:
        encoder: model that finds the pools; it must not be trained on these projects.
        marketplace: projects, freelancers and interactions.

    Raises:
        DataFileError: an interaction names an unknown project or freelancer.
    """
    projects, freelancers = tuple(marketplace.projects), tuple(marketplace.freelancers)
    answers = interaction_matrix(projects, freelancers, tuple(marketplace.interactions))
    pools = found_pools(encoder, projects, freelancers)
    return [
        Answers(found_pool.pool, answers[[row]].toarray()[0, found_pool.rows]) for row, found_pool in enumerate(pools)
    ]


def found_pools(
    encoder: DocumentEncoder,
    projects: Sequence[Project],
    freelancers: Sequence[Freelancer],
    terms: ProfileTerms | None = None,
) -> Iterator[FoundPool]:
    """Yield the pool of each project; *terms* are those of the freelancers if they are known already."""
    terms = ProfileTerms.of(freelancers) if terms is None else terms
    documents = [*map(project_document, projects)], [*map(freelancer_document, freelancers)]
    for project, similarities in zip(projects, CosineMatcher(encoder).scores(*documents), strict=True):
        rows = np.argsort(-similarities, kind="stable")[:POOL]
        yield FoundPool(Pool(project, terms.take(rows)), rows, similarities)
