"""Team-draft interleaving, simulated: how many searches an online comparison takes until the better model wins.

The searches are those of `position_bias_simulation`: items of known relevance, two rankings with errors of different
sizes, and people who examine rank k with probability k ** -bias and open an examined item with the probability of its
relevance. An A/B test shows each person one ranking alone and compares the reciprocal ranks of the first opened items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from jobmatch_core.metrics.sequential import share_interval
from jobmatch_core.search.interleaving import interleaved
from jobmatch_core.search_events import Team
from lab.experiments.position_bias_simulation import ITEMS, LEAST_RELEVANCE, MOST_RELEVANCE, NOISE, SIMULATED_QUERIES

POWER = 0.8  # of the A/B test, at 5 %, two-sided
_MEASURED = 40_000  # searches from which an A/B test's means and variances are measured

Matrix = NDArray[np.float64]
Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class InterleavingRun:
    """Simulated online comparisons with one candidate."""

    error: float  # standard deviation of the candidate's error in relevance; that of the model in use is `NOISE`
    # in_use, candidate: nDCG@10 of the rankings, with the relevance as the gain
    in_use: float
    candidate: float
    # better, worse: share of the comparisons that called the candidate better or worse
    better: float
    worse: float
    # share of those that contradict the nDCG@10 of their own queries; even rankings with errors of one size differ
    # there
    wrong: float
    searches: int | None  # median number of searches until a comparison that decided did so; None if none did
    # number of searches of an A/B test with a power of 80 %; None if both rankings are equally good
    ab_test: int | None


def simulate_interleaving(
    errors: Sequence[float], comparisons: int, most: int, bias: float = 1.0, seed: int = 0
) -> list[InterleavingRun]:
    """Simulate online comparisons of a model with candidates.

    Args:
        errors: standard deviations of the candidates' errors.
        comparisons: number of comparisons with each candidate, each with other queries.
        most: number of searches after which a comparison ends undecided.
        bias: exponent of the position bias.
    """
    return [
        _run(error, comparisons, most, bias, np.random.default_rng([seed, row])) for row, error in enumerate(errors)
    ]


def _run(error: float, comparisons: int, most: int, bias: float, chance: Generator) -> InterleavingRun:
    examined = np.arange(1, ITEMS + 1, dtype=np.float64) ** -bias
    ndcg, outcomes, ab_tests = [], [], []
    for _ in range(comparisons):
        relevance = chance.uniform(LEAST_RELEVANCE, MOST_RELEVANCE, size=(SIMULATED_QUERIES, ITEMS))
        in_use, candidate = (_ranking(relevance, size, chance) for size in (NOISE, error))
        ndcg.append((_ndcg(relevance, in_use), _ndcg(relevance, candidate)))
        outcomes.append(_compare(relevance, in_use, candidate, examined, most, chance))
        ab_tests.append([_first_ranks(relevance, ranking, examined, chance) for ranking in (in_use, candidate)])
    decided = [searches for winner, searches in outcomes if winner]
    gain = np.mean(ndcg, axis=0)
    return InterleavingRun(
        error,
        in_use=float(gain[0]),
        candidate=float(gain[1]),
        better=sum(winner > 0 for winner, _ in outcomes) / comparisons,
        worse=sum(winner < 0 for winner, _ in outcomes) / comparisons,
        wrong=sum(winner * (after - before) < 0 for (winner, _), (before, after) in zip(outcomes, ndcg, strict=True))
        / comparisons,
        searches=int(np.median(decided)) if decided else None,
        ab_test=None if error == NOISE else _ab_searches(np.array(ab_tests)),
    )


def _ranking(relevance: Matrix, error: float, chance: Generator) -> NDArray[np.intp]:
    return np.argsort(-(relevance + chance.normal(0, error, relevance.shape)), axis=1)


def _compare(
    relevance: Matrix,
    in_use: NDArray[np.intp],
    candidate: NDArray[np.intp],
    examined: Matrix,
    most: int,
    chance: Generator,
) -> tuple[int, int]:
    # 1 if the candidate won, -1 if it lost, 0 if nothing was decided; and the number of searches
    ids = [str(item) for item in range(ITEMS)]
    wins = losses = 0
    for search in range(1, most + 1):
        query = int(chance.integers(SIMULATED_QUERIES))
        first, second = ([ids[item] for item in ranking[query].tolist()] for ranking in (in_use, candidate))
        both = interleaved(first, second, int(chance.integers(1 << 62)), ITEMS)
        opens = chance.random(ITEMS) < examined * relevance[query, [int(item) for item in both.items]]
        lead = sum(
            (team is Team.CANDIDATE) - (team is Team.IN_USE)
            for team, opened in zip(both.teams, opens, strict=True)
            if opened
        )
        wins, losses = wins + (lead > 0), losses + (lead < 0)
        if lead and (interval := share_interval(wins, losses)).decided:
            return (1 if interval.share > 0.5 else -1), search
    return 0, most


def _first_ranks(
    relevance: Matrix, ranking: NDArray[np.intp], examined: Matrix, chance: Generator
) -> tuple[float, float]:
    # mean and variance of the reciprocal rank of the first opened item
    queries = chance.integers(SIMULATED_QUERIES, size=_MEASURED)
    opens = chance.random((_MEASURED, ITEMS)) < examined * np.take_along_axis(relevance, ranking, axis=1)[queries]
    reciprocal = np.where(opens.any(axis=1), 1 / (1 + opens.argmax(axis=1)), 0.0)
    return float(reciprocal.mean()), float(reciprocal.var())


def _ab_searches(measured: Matrix) -> int:
    # (comparison, ranking, mean and variance); of both arms together, by the normal approximation
    (in_use, candidate), variances = measured[:, :, 0].mean(axis=0), measured[:, :, 1].mean(axis=0)
    quantiles = norm.ppf(0.975) + norm.ppf(POWER)
    return ceil(float(2 * quantiles**2 * variances.sum() / (candidate - in_use) ** 2))


def _ndcg(relevance: Matrix, ranking: NDArray[np.intp]) -> float:
    discounts = 1 / np.log2(np.arange(2, ITEMS + 2))
    best = -np.sort(-relevance, axis=1) @ discounts
    return float(np.mean(np.take_along_axis(relevance, ranking, axis=1) @ discounts / best))
