"""How alike two rankings are: extrapolated rank-biased overlap (Webber, Moffat and Zobel 2010), and changes of rank."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PERSISTENCE = 0.9  # the first ten ranks have 86 % of the weight


def rank_biased_overlap(left: Sequence[Hashable], right: Sequence[Hashable], p: float = PERSISTENCE) -> float:
    """Return RBO_ext of two rankings, from 0 (disjoint) to 1 (equal); 1 for two empty ones.

    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, equation 32: the overlap seen so far
    is assumed to go on below the end of the lists.

    Args:
        left: elements, best first, each once.
        right: the same; the two may differ in length.
        p: weight of each depth relative to the one before, between 0 and 1.
    """
    short, long = sorted((left, right), key=len)
    s, n = len(short), len(long)
    if not s:
        return float(not n)
    common = _common(short, long)
    depths = np.arange(1, n + 1)
    weights = p**depths
    agreement = common / depths
    agreement[s:] += common[s - 1] * (depths[s:] - s) / (s * depths[s:])
    rest = ((common[-1] - common[s - 1]) / n + common[s - 1] / s) * p**n
    return float((1 - p) / p * (agreement * weights).sum() + rest)


def _common(short: Sequence[Hashable], long: Sequence[Hashable]) -> NDArray[np.float64]:
    # (depth,) number of elements that both have among their first ones
    seen_short: set[Hashable] = set()
    seen_long: set[Hashable] = set()
    counts, count = np.empty(len(long)), 0
    for depth, element in enumerate(long):
        seen_long.add(element)
        count += element in seen_short
        if depth < len(short):
            seen_short.add(short[depth])
            count += short[depth] in seen_long
        counts[depth] = count
    return counts


@dataclass(frozen=True, slots=True)
class RankChange:
    """What became of the first *k* of a ranking in another one."""

    mean: float  # mean number of ranks by which they moved, up or down
    left: float  # share of them that are no longer among the first *k*


def rank_change(before: Sequence[int], after: Sequence[int], k: int) -> RankChange:
    """Return the changes of the first *k* elements of *before*; *after* has the same elements."""
    first = before[:k]
    ranks = {element: rank for rank, element in enumerate(after)}
    moves = [abs(ranks[element] - rank) for rank, element in enumerate(first)]
    return RankChange(float(np.mean(moves)), float(np.mean([ranks[element] >= len(first) for element in first])))
