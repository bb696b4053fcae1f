"""Cross-fitting of both stages: nothing is measured by a model that was fitted on it (Chernozhukov et al. 2018).

The pool of a project is found by towers that were trained without its fold, so that similarities are those of a new
project. Its order is measured with a ranker that was fitted without its fold.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.ranker import Ranker
from jobmatch_core.towers.matcher import DocumentEncoder

TOWER_FOLDS = 2  # each takes a training of its own, of half of the projects
RANKER_FOLDS = 5

FitOn = Callable[[Sequence[int]], Ranker]
TrainOn = Callable[[Marketplace], DocumentEncoder]


@dataclass(frozen=True)
class UnseenFold:
    """Projects, and a model that was not trained on them."""

    encoder: DocumentEncoder
    projects: tuple[Project, ...]


def fold_numbers(keys: Sequence[str], folds: int) -> NDArray[np.intp]:
    """Return the fold of each key, (key,), by the order of their hashes; folds are of equal size to one.

    Equal keys are in one fold.
    """
    distinct = sorted(set(keys), key=lambda key: blake2b(key.encode("utf-8", "surrogatepass")).digest())
    fold_of = {key: place % folds for place, key in enumerate(distinct)}
    return np.array([fold_of[key] for key in keys], dtype=np.intp)


def unseen_folds(train: TrainOn, marketplace: Marketplace, folds: int = TOWER_FOLDS) -> Iterator[UnseenFold]:
    """Yield the projects fold by fold, each with a model that was trained on the other folds.

    Args:
        train: trains a model on a part of the marketplace.
        marketplace: projects with interactions.

    Raises:
        JobMatchError: *train* fails.
    """
    projects = tuple(marketplace.projects)
    numbers = fold_numbers([project.id for project in projects], folds)
    for fold in range(folds):
        unseen = numbers == fold
        if unseen.any():
            encoder = train(_with_projects(marketplace, np.flatnonzero(~unseen)))
            yield UnseenFold(encoder, tuple(projects[row] for row in np.flatnonzero(unseen)))


def cross_fitted(keys: Sequence[str], fit: FitOn, folds: int = RANKER_FOLDS) -> list[Ranker]:
    """Return for each key the ranker that was fitted on the rows of all other folds.

    Args:
        keys: key of each row; rows of one key are never parted.
    """
    numbers = fold_numbers(keys, folds)
    rankers = {fold: fit(np.flatnonzero(numbers != fold).tolist()) for fold in sorted(set(numbers.tolist()))}
    return [rankers[fold] for fold in numbers.tolist()]


def _with_projects(marketplace: Marketplace, rows: NDArray[np.intp]) -> Marketplace:
    projects = tuple(marketplace.projects[row] for row in rows.tolist())
    ids = {project.id for project in projects}
    return replace(
        marketplace,
        projects=projects,
        interactions=tuple(interaction for interaction in marketplace.interactions if interaction.project in ids),
        truth=None,
    )
