"""Audit of a matching model: how the rankings of projects change when profiles are replaced by their twins.

Three questions for each cue. Do the rankings change when all profiles have the one version, or all the other
(rank-biased overlap)? How far do freelancers move? And who is selected when half of the profiles, drawn by chance, have
the one version and the rest the other? In the last case both groups are equally qualified, so that every difference in
selection beyond chance is the model's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.audit.impact import Impact, impact
from jobmatch_core.audit.twin_examples import EXAMPLES, RankExample, differing_parts
from jobmatch_core.audit.twins import Cue
from jobmatch_core.entities import FloatArray, Freelancer, Progress, Project, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval
from jobmatch_core.metrics.rank_overlap import PERSISTENCE, rank_biased_overlap, rank_change
from jobmatch_core.ranking.features import POOL, Floats, Pool
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.retrieval.finder import MatchModel

DEPTH = 100  # ranks that are compared; with p = 0.9 later ones have no weight
SELECTED = 10  # ranks that count as selected
Order = Callable[[Pool], Floats]  # the score of each profile of a pool, such as `Ranker.scores`
Ranks = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class CueResult:
    """Changes that one cue makes."""

    # cue, kind: key and kind of the cue
    cue: str
    kind: str
    # first_group, second_group: names of both versions
    first_group: str
    second_group: str
    by_design: bool  # true if rankings are meant to depend on it
    profiles: int  # number of profiles that have the cue
    overlap: Interval  # mean rank-biased overlap of the rankings of all first and all second versions
    lowest: float  # the lowest overlap of a project
    moved: float  # mean number of ranks by which the first ten move
    left: float  # share of the first ten that leave them
    impact: Impact  # selection and exposure in mixed rankings
    # the profiles among the first ten of either version that move most, the worst first, each once
    examples: tuple[RankExample, ...] = ()


@dataclass(frozen=True)
class MatchingSubject:
    """Subject of an audit."""

    model: MatchModel  # encodes projects and freelancers
    order: Order | None  # the second stage; None for the model alone
    projects: Sequence[Project]  # projects to rank for
    freelancers: Sequence[Freelancer]  # the market


def audit_matching(
    subject: MatchingSubject, cues: Sequence[Cue], *, seed: int = 1, progress: Progress = no_progress
) -> list[CueResult]:
    """Measure all cues; those that no profile has are left out.

    Raises MatchingError if there are no projects, or too few freelancers to compare.
    """
    if not subject.projects or len(subject.freelancers) <= SELECTED:
        raise MatchingError(
            f"An audit needs at least one project and more than {SELECTED} freelancers; choose a larger marketplace."
        )
    rankings = _Rankings(subject)
    results = []
    for done, cue in enumerate(cues):
        progress(done, len(cues))
        if (result := _measured(rankings, cue, seed)) is not None:
            results.append(result)
    progress(len(cues), len(cues))
    return results


class _Rankings:
    """Rankings of all freelancers for the projects of a subject."""

    def __init__(self, subject: MatchingSubject) -> None:
        self.subject = subject
        self._wanted = subject.model.encode_projects(subject.projects)
        self._known: dict[Freelancer, FloatArray] = {}

    def of(self, freelancers: Sequence[Freelancer]) -> Ranks:
        """Return the rows of the freelancers by rank, shape (project, freelancer)."""
        similarities = self._wanted @ self._vectors(freelancers).T
        ranked = np.argsort(-similarities, axis=1, kind="stable")
        if self.subject.order is not None:
            terms = ProfileTerms.of(freelancers)
            for project, rows in zip(self.subject.projects, ranked, strict=True):
                pool = rows[:POOL].copy()
                scores = self.subject.order(Pool(project, terms.take(pool)))
                rows[: len(pool)] = pool[np.argsort(-scores, kind="stable")]
        return ranked

    def _vectors(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        new = [one for one in dict.fromkeys(freelancers) if one not in self._known]
        if new:
            self._known.update(zip(new, self.subject.model.encode_freelancers(new), strict=True))
        return np.stack([self._known[one] for one in freelancers])

    def forget(self, freelancers: Sequence[Freelancer]) -> None:
        """Drop the vectors of twins that are not needed any more."""
        for one in freelancers:
            self._known.pop(one, None)


def _measured(rankings: _Rankings, cue: Cue, seed: int) -> CueResult | None:
    freelancers = rankings.subject.freelancers
    first, second = ([change(one) for one in freelancers] for change in (cue.first, cue.second))
    changed = np.array([one != other for one, other in zip(first, second, strict=True)])
    if changed.sum() <= 1:
        return None
    before, after = rankings.of(first), rankings.of(second)
    overlaps = np.array(
        [
            rank_biased_overlap(left[:DEPTH].tolist(), right[:DEPTH].tolist(), PERSISTENCE)
            for left, right in zip(before, after, strict=True)
        ]
    )
    changes = [rank_change(left.tolist(), right.tolist(), SELECTED) for left, right in zip(before, after, strict=True)]
    mixed, sizes = _mixed(rankings, first, second, changed, seed)
    rankings.forget([*first, *second])
    return CueResult(
        cue=cue.key,
        kind=cue.kind,
        first_group=cue.first_group,
        second_group=cue.second_group,
        by_design=cue.by_design,
        profiles=int(changed.sum()),
        overlap=bootstrap_interval(overlaps),
        lowest=float(overlaps.min()),
        moved=float(np.mean([change.mean for change in changes])),
        left=float(np.mean([change.left for change in changes])),
        impact=impact(mixed, sizes, SELECTED),
        examples=tuple(_examples(rankings.subject, before, after, first, second)),
    )


def _examples(
    subject: MatchingSubject, before: Ranks, after: Ranks, first: Sequence[Freelancer], second: Sequence[Freelancer]
) -> list[RankExample]:
    moves: dict[int, tuple[int, int, int]] = {}  # freelancer -> project and both ranks of the greatest move
    for number, rankings in enumerate(zip(before, after, strict=True)):
        ranks = [np.argsort(ranking) for ranking in rankings]  # the inverse: freelancer -> rank
        for row in {row for ranking in rankings for row in ranking[:SELECTED].tolist()}:
            left, right = (int(rank[row]) for rank in ranks)
            greatest = moves.get(row, (0, 0, 0))
            if abs(left - right) > abs(greatest[1] - greatest[2]):
                moves[row] = number, left, right
    worst = sorted(moves.items(), key=lambda move: -abs(move[1][1] - move[1][2]))[:EXAMPLES]
    return [
        RankExample(
            subject.projects[number].title,
            subject.freelancers[row].id,
            subject.freelancers[row].title,
            *differing_parts(first[row], second[row]),
            left + 1,
            right + 1,
        )
        for row, (number, left, right) in worst
    ]


def _mixed(
    rankings: _Rankings,
    first: Sequence[Freelancer],
    second: Sequence[Freelancer],
    changed: NDArray[np.bool_],
    seed: int,
) -> tuple[list[NDArray[np.int8]], tuple[int, int]]:
    """Return the groups by rank for each project, and the groups' sizes.

    Each project's two rankings, with a random half in the second version and with the other half, count as one, so that
    every freelancer is in both groups once.
    """
    drawn = np.random.default_rng(seed).random(len(first)) < 1 / 2
    halves = []
    for in_second in (drawn, ~drawn):
        market = [two if takes else one for one, two, takes in zip(first, second, in_second, strict=True)]
        groups = np.where(changed, in_second, -1).astype(np.int8)
        halves.append(groups[rankings.of(market)])
    members = int(changed.sum())
    return [np.stack(pair) for pair in zip(*halves, strict=True)], (members, members)
