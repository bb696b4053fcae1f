"""Position bias, simulated: which order of items the choices give back, plain and corrected."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from jobmatch_core.search.position_bias import MOST_WEIGHT, SHARE, SWAPPED_RANKS, chained

ITEMS = SWAPPED_RANKS
SIMULATED_QUERIES = 50
LEAST_RELEVANCE, MOST_RELEVANCE = 0.05, 0.9  # probabilities of opening an examined item
NOISE = 0.4  # standard deviation of a ranking's error in relevance

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RecoveredOrder:
    """Agreement of an order of items with the true one."""

    by: str  # what the items are ordered by
    ndcg: float  # nDCG@10, with the relevance as the gain
    tau: float  # Kendall's rank correlation with the relevance, mean over the queries


@dataclass(frozen=True, slots=True)
class SimulatedBias:
    """A simulated log and what is estimated from it."""

    # searches, choices: number of searches and of clicks
    searches: int
    choices: int
    # actual, estimated: propensities of the ranks
    actual: tuple[float, ...]
    estimated: tuple[float, ...]
    orders: tuple[RecoveredOrder, ...]  # by the ranking that is shown, by plain clicks, and by corrected ones


def simulate_bias(searches: int = 200_000, bias: float = 1.0, seed: int = 0) -> SimulatedBias:
    """Simulate searches of known relevance and position bias, and show what the correction recovers.

    Each query has ten items of known relevance, shown again and again in an imperfect ranking. Rank k is examined with
    probability k ** -bias; an examined item is opened with the probability of its relevance. Neighbours are swapped and
    propensities estimated as in the application.

    Args:
        bias: exponent of the position bias; 0 for none.
    """
    chance = np.random.default_rng(seed)
    relevance = chance.uniform(LEAST_RELEVANCE, MOST_RELEVANCE, size=(SIMULATED_QUERIES, ITEMS))
    ranking = np.argsort(-(relevance + chance.normal(0, NOISE, relevance.shape)), axis=1)
    actual = np.arange(1, ITEMS + 1) ** -bias
    queries = chance.integers(SIMULATED_QUERIES, size=searches)
    pairs = np.where(chance.random(searches) < SHARE, chance.integers(1, ITEMS, size=searches), 0)
    items = _swapped(ranking[queries], pairs, (chance.random(searches) < 0.5) & (pairs > 0))
    opened = chance.random(items.shape) < actual * relevance[queries[:, None], items]
    estimated = _estimated(pairs, opened)
    shown = _sums(queries, items, np.ones_like(opened, dtype=float))
    orders = {"the ranking that is shown": -np.argsort(ranking, axis=1).astype(float)}
    for by, weights in (
        ("plain choices", np.ones(ITEMS)),
        ("corrected, propensities estimated", np.minimum(1 / estimated, MOST_WEIGHT)),
        ("corrected, propensities known", np.minimum(1 / actual, MOST_WEIGHT)),
    ):
        orders[by] = _sums(queries, items, opened * weights) / np.maximum(shown, 1)
    return SimulatedBias(
        searches,
        int(opened.sum()),
        tuple(actual.tolist()),
        tuple(estimated.tolist()),
        tuple(_compared(by, scores, relevance) for by, scores in orders.items()),
    )


def _swapped(items: NDArray[np.intp], pairs: NDArray[np.intp], swapped: NDArray[np.bool_]) -> NDArray[np.intp]:
    rows = np.flatnonzero(swapped)
    first = pairs[rows] - 1
    items[rows, first], items[rows, first + 1] = items[rows, first + 1], items[rows, first]
    return items


def _estimated(pairs: NDArray[np.intp], opened: NDArray[np.bool_]) -> Matrix:
    upper, lower = (
        np.array([np.count_nonzero(opened[pairs == pair, pair - 1 + below]) for pair in range(1, ITEMS)])
        for below in (0, 1)
    )
    return chained(upper, lower)


def _sums(queries: NDArray[np.intp], items: NDArray[np.intp], values: Matrix) -> Matrix:
    cells = (queries[:, None] * ITEMS + items).ravel()
    sums = np.bincount(cells, values.ravel(), minlength=SIMULATED_QUERIES * ITEMS).astype(np.float64)
    return sums.reshape(SIMULATED_QUERIES, ITEMS)


def _compared(by: str, scores: Matrix, relevance: Matrix) -> RecoveredOrder:
    discounts = 1 / np.log2(np.arange(2, ITEMS + 2))
    gained = np.take_along_axis(relevance, np.argsort(-scores, axis=1, kind="stable"), axis=1) @ discounts
    best = -np.sort(-relevance, axis=1) @ discounts
    taus = [kendalltau(estimate, true).statistic for estimate, true in zip(scores, relevance, strict=True)]
    return RecoveredOrder(by, float(np.mean(gained / best)), float(np.mean(taus)))
