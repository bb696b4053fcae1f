"""The pairs of a marketplace that may be worth judging: what a model ranks high, and a fair sample of all.

Only some projects are looked at, the same ones in every session and for every model, so that annotators meet on the
same pairs. Of each project the freelancers that a model ranks highest are taken, those of a second model, too, and some
who were drawn without looking at any score: only these are a sample of all pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Freelancer, Pair, PairKind, Progress, Project, no_progress
from jobmatch_core.labelling.candidates import Floats
from jobmatch_core.labelling.hash_sampling import code_of
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.retrieval.finder import Finder

_AT_ONCE = 20  # projects that are encoded and searched for together


@dataclass(frozen=True, slots=True)
class PoolSize:
    """How much of a marketplace is looked at.

    Attributes:
        projects: how many, at most.
        best: of each project's freelancers, the highest in rank of each model.
        drawn: of each project's freelancers, at random.
        sample: the freelancers that these are drawn from; they are encoded anew, which takes about a second for 300.
        searched: how far down a model's ranking a rank is known.
    """

    projects: int = 200
    best: int = 30
    drawn: int = 10
    sample: int = 300
    searched: int = 300


@dataclass(frozen=True, eq=False)
class PairPool:
    """Pairs of projects and freelancers, a row each; all sequences have the same length.

    Attributes:
        pairs: all different.
        scores: by the model.
        ranks: by the model among the project's freelancers, from 1; None where it is below those that were searched.
        drawn: whether a row belongs to the fair sample.
        left_categories, right_categories: of the project and the freelancer, '' where not known.
        left_languages, right_languages: two-letter codes of the project's and the freelancer's, '' where not known.
        model: the model's name with its digest.
        other_scores: by a second model, None where there is none. Where it ranks a pair below those that were searched,
            its lowest score that is known stands in.
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
    """Look for pairs worth judging.

    Args:
        market: whose projects and freelancers.
        finder: of its freelancers, by the model in use.
        other: the same by a second model.
        size: how much is looked at.
        progress: called with projects done and in all.

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
    """What a model says of one project's freelancers: the best ones' ranks and scores, and the sample's scores."""

    ranks: dict[str, int]
    scores: dict[str, float]
    floor: float

    def score(self, freelancer: str) -> float:
        return self.scores.get(freelancer, self.floor)


class _Scorer:
    """One model's scores of the sample and of whom it ranks highest."""

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
    """Rows of a pool that is being made."""

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
    """Return a profile for each id, None where it is gone."""
    profiles = finder.profiles.by_id(list(dict.fromkeys(freelancers)))
    return [profiles.get(key) for key in freelancers]


def _drawn(ids: Iterable[str], what: str, count: int) -> list[str]:
    """Return some ids at random, the same ones whenever and by whomever they are drawn."""
    return nsmallest(count, ids, key=lambda id_: code_of(what, id_))
