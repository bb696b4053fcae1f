"""Pool of a marketplace's pairs worth judging: those that a model ranks high, and a fair sample of all.

Only some projects are included, the same ones in every session and for every model, so that annotators meet on the same
pairs. For each project the pool has the freelancers that a model ranks highest, those of a second model, and some drawn
independently of any score: only these are a sample of all pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Freelancer, Pair, PairKind, Progress, Project, no_progress
from jobmatch_core.labelling.candidates import Codes, Floats, code_of, codes_of
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.retrieval.finder import Finder

_AT_ONCE = 20  # projects that are encoded and searched for together


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Size of a pool.

    Attributes:
        projects: maximum number of projects.
        best: number of each project's freelancers with the highest rank of each model.
        drawn: number of each project's freelancers drawn at random.
        sample: number of freelancers that these are drawn from; they are encoded again, about a second for 300.
        searched: depth of a model's ranking to which ranks are known.
    """

    projects: int = 200
    best: int = 30
    drawn: int = 10
    sample: int = 300
    searched: int = 300


@dataclass(frozen=True, eq=False)
class PairPool:
    """Pairs of projects and freelancers, one row each; all sequences have the same length.

    Attributes:
        pairs: distinct pairs.
        scores: scores of the model.
        ranks: ranks of the model among the project's freelancers, from 1; None below the searched depth.
        drawn: true if a row belongs to the fair sample.
        left_categories, right_categories: category keys of the project and the freelancer, '' where unknown.
        left_languages, right_languages: two-letter codes of the project's and the freelancer's, '' where unknown.
        model: name of the model with its digest.
        other_scores: scores of a second model, None without one. For a pair below its searched depth, its lowest known
            score.
    """

    pairs: tuple[Pair, ...]
    scores: Floats
    ranks: tuple[int | None, ...]
    drawn: NDArray[np.bool_]
    left_categories: tuple[str, ...]
    right_categories: tuple[str, ...]
    left_languages: tuple[str, ...]
    right_languages: tuple[str, ...]
    model: str
    other_scores: Floats | None = None

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def codes(self) -> Codes:
        """A hash of each pair, the same in every session and pool."""
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
    """Collect pairs worth judging.

    Args:
        market: marketplace of the projects and freelancers.
        finder: finder of its freelancers by the model in use.
        other: finder of its freelancers by a second model.
        size: size of the pool.
        progress: called with projects done and in total.

    Raises:
        MarketplaceError: the marketplace cannot be read.
        MatchingError: a store of vectors cannot be reached.
    """
    size = size or PoolSize()
    rows = market.project_rows
    projects = [market.projects[rows[key]] for key in _drawn(rows, "project", size.projects)]
    sample = list(finder.profiles.by_id(_drawn(market.freelancer_rows, "freelancer", size.sample)))
    scorers = [_Scorer(each, sample, size) for each in (finder, other) if each is not None]
    found = _Found()
    for start in range(0, len(projects), _AT_ONCE):
        block = projects[start : start + _AT_ONCE]
        views = zip(*(scorer.views(block) for scorer in scorers), strict=True)
        for project, of_models in zip(block, views, strict=True):
            found.add(project, of_models, sample, size)
        progress(start + len(block), len(projects))
    return found.pool(market, finder, len(scorers))


@dataclass(frozen=True, slots=True)
class _View:
    """A model's results for one project: the best freelancers' ranks and scores, and the sample's scores."""

    ranks: dict[str, int]
    scores: dict[str, float]
    floor: float

    def score(self, freelancer: str) -> float:
        return self.scores.get(freelancer, self.floor)


class _Scorer:
    """One model's scores of the sample and of the freelancers it ranks highest."""

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
        found = []
        for vector, hits, scores in zip(vectors, answers, of_sample, strict=True):
            hits = hits if vector.any() else []  # a project of which the model knows no word: all would be as good
            known = dict(zip(self._sample, scores.tolist(), strict=True)) | {hit.id: hit.score for hit in hits}
            ranks = {hit.id: rank for rank, hit in enumerate(hits, 1)}
            found.append(_View(ranks, known, min(known.values(), default=0.0)))
        return found


@dataclass
class _Found:
    """The rows of a pool in progress."""

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
            self.scores.append([view.score(freelancer) for view in views])

    def pool(self, market: Marketplace, finder: Finder, n_models: int) -> PairPool:
        profiles = _profiles(finder, [freelancer for _, freelancer in self.keys])
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


def _profiles(finder: Finder, freelancers: Sequence[str]) -> list[Freelancer | None]:
    """Return a profile for each id, None if it no longer exists."""
    profiles = finder.profiles.by_id(list(dict.fromkeys(freelancers)))
    return [profiles.get(key) for key in freelancers]


def _drawn(ids: Iterable[str], what: str, count: int) -> list[str]:
    """Return a sample of ids by their hashes, the same in every session."""
    return nsmallest(count, ids, key=lambda id_: code_of(what, id_))
