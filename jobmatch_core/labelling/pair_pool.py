"""Pool of a marketplace's pairs to judge: for some projects, the freelancers that models rank highest, and a sample.

The projects are the same in every session and for every model, so that annotators judge the same pairs. Only the
sampled freelancers, drawn independently of scores, are a fair sample of all pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Pair, PairKind, Progress, Project, no_progress
from jobmatch_core.labelling.candidates import Codes, Floats, code_of, codes_of
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.retrieval.finder import Finder

_AT_ONCE = 20  # projects per batch


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Size of a pool."""

    projects: int = 200  # maximum number of projects
    best: int = 30  # number of each project's freelancers taken from the top of each model's ranking
    drawn: int = 10  # number of each project's freelancers drawn at random
    sample: int = 300  # number of freelancers to draw from; encoding 300 takes about a second
    searched: int = 300  # depth of the models' rankings


@dataclass(frozen=True, eq=False)
class PairPool:
    """Pairs of projects and freelancers, one row each; all sequences have the same length."""

    pairs: tuple[Pair, ...]  # distinct pairs
    scores: Floats  # scores of the model
    # ranks of the model among the project's freelancers, from 1; None below the searched depth
    ranks: tuple[int | None, ...]
    drawn: NDArray[np.bool_]  # true if a row belongs to the fair sample
    # left_categories, right_categories: category keys of the project and the freelancer, '' where unknown
    left_categories: tuple[str, ...]
    right_categories: tuple[str, ...]
    # left_languages, right_languages: two-letter codes of their languages, '' where unknown
    left_languages: tuple[str, ...]
    right_languages: tuple[str, ...]
    model: str  # name of the model with its digest
    # scores of a second model, or None. Pairs below its searched depth get its lowest known score.
    other_scores: Floats | None = None

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def codes(self) -> Codes:
        """A reproducible hash of each pair."""
        return codes_of(self.pairs)

    @cached_property
    def row_of(self) -> dict[Pair, int]:
        """The row of each pair."""
        return {pair: row for row, pair in enumerate(self.pairs)}


def pair_pool(
    market: Marketplace,
    finder: Finder,
    other: Finder | None = None,
    *,
    size: PoolSize | None = None,
    progress: Progress = no_progress,
) -> PairPool:
    """Collect pairs to judge.

    Raises:
        MarketplaceError: the marketplace cannot be read.
        MatchingError: a vector store cannot be reached.
    """
    size = size or PoolSize()
    rows = market.project_rows
    projects = [market.projects[rows[key]] for key in _drawn(rows, "project", size.projects)]
    sample = list(finder.profiles.by_id(_drawn(market.freelancer_rows, "freelancer", size.sample)))
    finders = [finder] if other is None else [finder, other]
    scorers = [_Scorer(scored, sample, size) for scored in finders]
    rows_in_progress = _Rows()
    for start in range(0, len(projects), _AT_ONCE):
        block = projects[start : start + _AT_ONCE]
        views = zip(*(scorer.views(block) for scorer in scorers), strict=True)
        for project, of_models in zip(block, views, strict=True):
            rows_in_progress.add(project, of_models, sample, size)
        progress(start + len(block), len(projects))
    return rows_in_progress.pool(market, finder, len(scorers))


@dataclass(frozen=True, slots=True)
class _View:
    """A model's results for one project: the best freelancers' ranks and scores, and the sample's scores."""

    ranks: dict[str, int]
    scores: dict[str, float]
    floor: float


class _Scorer:
    def __init__(self, finder: Finder, sample: Sequence[str], size: PoolSize) -> None:
        profiles = finder.profiles.by_id(sample)
        self._finder = finder
        self._sample = [key for key in sample if key in profiles]
        self._vectors: FloatArray = finder.model.encode_freelancers([profiles[key] for key in self._sample])
        self._searched = max(size.searched, size.best)

    def views(self, projects: Sequence[Project]) -> list[_View]:
        vectors = self._finder.model.encode_projects(projects)
        answers = self._finder.store.search(vectors, limit=self._searched)
        of_sample = vectors @ self._vectors.T
        views = []
        for vector, hits, sample_scores in zip(vectors, answers, of_sample, strict=True):
            hits = hits if vector.any() else []  # the model knows no word of the project, so all hits would tie
            scores = dict(zip(self._sample, sample_scores.tolist(), strict=True)) | {hit.id: hit.score for hit in hits}
            ranks = {hit.id: rank for rank, hit in enumerate(hits, 1)}
            views.append(_View(ranks, scores, min(scores.values(), default=0.0)))
        return views


@dataclass
class _Rows:
    keys: list[tuple[str, str]] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    ranks: list[int | None] = field(default_factory=list)
    drawn: list[bool] = field(default_factory=list)
    scores: list[list[float]] = field(default_factory=list)

    def add(self, project: Project, views: Sequence[_View], sample: Sequence[str], size: PoolSize) -> None:
        drawn = _drawn(sample, project.id, size.drawn)
        best = [key for view in views for key in list(view.ranks)[: size.best]]
        for freelancer in dict.fromkeys([*best, *drawn]):
            self.keys.append((project.id, freelancer))
            self.projects.append(project)
            self.ranks.append(views[0].ranks.get(freelancer))
            self.drawn.append(freelancer in drawn)
            self.scores.append([view.scores.get(freelancer, view.floor) for view in views])

    def pool(self, market: Marketplace, finder: Finder, n_models: int) -> PairPool:
        freelancers = [freelancer for _, freelancer in self.keys]
        by_id = finder.profiles.by_id(list(dict.fromkeys(freelancers)))
        profiles = [by_id.get(freelancer) for freelancer in freelancers]  # None if it no longer exists
        scores = np.array(self.scores, dtype=np.float64).reshape(len(self.keys), n_models)
        return PairPool(
            pairs=tuple(Pair(PairKind.PROJECT_FREELANCER, market.name, *key) for key in self.keys),
            scores=scores[:, 0],
            ranks=tuple(self.ranks),
            drawn=np.array(self.drawn, dtype=np.bool_),
            left_categories=tuple(project.category for project in self.projects),
            right_categories=tuple(profile.category if profile else "" for profile in profiles),
            left_languages=tuple(project.language for project in self.projects),
            right_languages=tuple(profile.language if profile else "" for profile in profiles),
            model=finder.model.name,
            other_scores=scores[:, 1] if n_models > 1 else None,
        )


def _drawn(ids: Iterable[str], what: str, count: int) -> list[str]:
    return nsmallest(count, ids, key=lambda id_: code_of(what, id_))
