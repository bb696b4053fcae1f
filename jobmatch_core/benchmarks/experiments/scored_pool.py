"""The pairs of a marketplace that may be worth judging, by models whose scores of all pairs are at hand.

The same pairs as `labelling.pair_pool` looks for on the page: of each project those whom a model ranks highest, those
of a second one, and some who were drawn without looking at any score.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Pair, PairKind
from jobmatch_core.labelling.pair_pool import PairPool, PoolSize
from jobmatch_core.marketplace.marketplace import Marketplace


def scored_pool(
    market: Marketplace, model: str, scores: FloatArray, other: FloatArray | None, size: PoolSize, seed: int
) -> PairPool:
    """Look for pairs worth judging.

    Args:
        market: marketplace of the projects and freelancers.
        model: the name of the one in use.
        scores: (project, freelancer) its scores.
        other: a second model's.
        size: how many are taken of each project: `best` of each model, and `drawn`.
        seed: seed of the random draw, the same freelancers for all models.
    """
    random = np.random.default_rng(seed)
    rows: list[tuple[int, int]] = []
    drawn: list[NDArray[np.bool_]] = []
    for project, of_project in enumerate(scores):
        by_chance = random.choice(len(of_project), size=min(size.drawn, len(of_project)), replace=False)
        best = [_highest(each[project], size.best) for each in (scores, other) if each is not None]
        freelancers = np.unique(np.concatenate([*best, by_chance]))
        rows += [(project, freelancer) for freelancer in freelancers.tolist()]
        drawn.append(np.isin(freelancers, by_chance))
    projects, freelancers = np.array(rows, dtype=np.intp).reshape(-1, 2).T
    left, right = market.projects, market.freelancers
    return PairPool(
        pairs=tuple(Pair(PairKind.PROJECT_FREELANCER, market.name, left[p].id, right[f].id) for p, f in rows),
        scores=scores[projects, freelancers].astype(np.float64),
        ranks=(None,) * len(rows),
        drawn=np.concatenate(drawn) if drawn else np.empty(0, np.bool_),
        left_categories=_texts(left, projects, "category"),
        right_categories=_texts(right, freelancers, "category"),
        left_languages=_texts(left, projects, "language"),
        right_languages=_texts(right, freelancers, "language"),
        model=model,
        other_scores=None if other is None else other[projects, freelancers].astype(np.float64),
    )


def _highest(scores: FloatArray, count: int) -> NDArray[np.intp]:
    return np.argsort(-scores, kind="stable")[:count]


def _texts(documents: Sequence[object], rows: NDArray[np.intp], field: str) -> tuple[str, ...]:
    known = [str(getattr(each, field, "")) for each in documents]
    return tuple(known[row] for row in rows.tolist())
