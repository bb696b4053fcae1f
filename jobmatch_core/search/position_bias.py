"""Position bias of choices: the propensity of each rank, estimated from randomised swaps of neighbours.

In a share of the searches, chance picks a rank k and swaps the items at k and k + 1, or not, with equal odds. Over
these searches the items at both ranks are equally good, so that the ratio of how often they are opened is the ratio of
how often the ranks are looked at; the ratios multiplied give each rank's propensity, 1 for the first (Joachims,
Swaminathan and Schnabel 2017, section 5.3, with neighbours in place of the first rank). An item opened at a rank counts
as much as it would have been opened at the first: the inverse of its rank's propensity, at most `MOST_WEIGHT`, since a
few choices at a rank that hardly anybody looks at would outweigh all others.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.search_events import SearchChoice, SearchShown

SWAPPED_RANKS = 10  # the first ones; those below are taken to be looked at as often as the last of them
SHARE = 0.5  # of the searches in which chance may swap
MOST_WEIGHT = 10.0

Counts = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Position bias estimated from swaps.

    Attributes:
        propensities: of each of the first ranks, 1 for the first.
        upper, lower: how often the first and the second item of the neighbours were opened, by the rank of the first.
    """

    propensities: tuple[float, ...]
    upper: tuple[int, ...]
    lower: tuple[int, ...]

    def weight(self, rank: int) -> float:
        """Return what an item that was opened at a rank, from 1, counts."""
        return min(1 / self.propensities[min(rank, len(self.propensities)) - 1], MOST_WEIGHT)


@dataclass(frozen=True, slots=True)
class WeightedPair:
    """A query, the text of an item that was opened for it, and what that counts."""

    query: str
    document: str
    weight: float


def drawn_order(items: Sequence[str], seed: int, share: float = SHARE) -> tuple[tuple[str, ...], int, bool]:
    """Return items in the order to be shown, the rank of the first of two neighbours that chance picked, and its coin.

    Args:
        items: ids, best first.
        seed: the same seed gives the same order.
        share: of the searches in which chance may swap; 0 for never.
    """
    chance = np.random.default_rng(seed)
    pairs = min(SWAPPED_RANKS, len(items)) - 1
    if pairs < 1 or chance.random() >= share:
        return tuple(items), 0, False
    first = int(chance.integers(1, pairs + 1))
    if chance.random() < 0.5:
        return tuple(items), first, False
    upper, lower = items[first - 1], items[first]
    return (*items[: first - 1], lower, upper, *items[first + 1 :]), first, True


def chained(upper: Counts, lower: Counts) -> NDArray[np.float64]:
    """Return the propensities of ranks from the choices at each rank and at the next, in randomised searches.

    One choice is added to each count: without any, all ranks are taken to be looked at alike.
    """
    return np.concatenate([[1.0], np.cumprod((lower + 1.0) / (upper + 1.0))])


def position_bias(shown: Iterable[SearchShown], choices: Iterable[SearchChoice]) -> PositionBias:
    """Estimate the propensities from a search log."""
    pairs = {each.id: each.pair for each in shown if each.pair}
    upper, lower = np.zeros(SWAPPED_RANKS - 1, dtype=int), np.zeros(SWAPPED_RANKS - 1, dtype=int)
    for choice in choices:
        pair = pairs.get(choice.shown, 0)
        if 0 < pair < SWAPPED_RANKS and choice.rank in (pair, pair + 1):
            (upper if choice.rank == pair else lower)[pair - 1] += 1
    return PositionBias(tuple(chained(upper, lower).tolist()), tuple(upper.tolist()), tuple(lower.tolist()))


def weighted_pairs(
    shown: Sequence[SearchShown],
    choices: Sequence[SearchChoice],
    text_of: Callable[[SearchShown, str], str],
    *,
    corrected: bool = True,
) -> list[WeightedPair]:
    """Return what was opened as pairs to train on; without items that have no text any more.

    Args:
        shown: what was shown.
        choices: what was opened of it.
        text_of: returns the text of an item of a search, '' where it is gone.
        corrected: weigh each by the inverse propensity of its rank; all alike otherwise.
    """
    searches, bias = {each.id: each for each in shown}, position_bias(shown, choices)
    pairs = []
    for choice in choices:
        search = searches.get(choice.shown)
        document = text_of(search, choice.item) if search else ""
        if search and document:
            pairs.append(WeightedPair(search.query, document, bias.weight(choice.rank) if corrected else 1.0))
    return pairs
