"""Position bias of choices: the propensity of each rank, estimated from randomised swaps of neighbours.

A share of the searches swaps the items at a random rank k and k + 1 with probability 0.5. Over these searches both
items are equally good, so the ratio of their clicks is the ratio of how often the ranks are examined; chained ratios
give each rank's propensity, 1 for the first (Joachims, Swaminathan and Schnabel 2017, section 5.3, with neighbours in
place of the first rank). A click is weighted by the inverse propensity of its rank, at most `MOST_WEIGHT`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown

SWAPPED_RANKS = 10  # the first ones; lower ranks get the propensity of the last of them
SHARE = 0.5  # of the searches that are randomised
MOST_WEIGHT = 10.0  # otherwise a few clicks at a rank that is hardly examined would outweigh all others

Counts = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Position bias estimated from swaps."""

    propensities: tuple[float, ...]  # of each of the first ranks, 1 for the first
    # upper, lower: clicks on the first and the second item of swapped neighbours, by the rank of the first
    upper: tuple[int, ...]
    lower: tuple[int, ...]

    def weight(self, rank: int) -> float:
        """Return the weight of a click at a rank, counted from 1."""
        return min(1 / self.propensities[min(rank, len(self.propensities)) - 1], MOST_WEIGHT)


@dataclass(frozen=True, slots=True)
class WeightedPair:
    """A query, the text of an item that was opened for it, and the weight of that click."""

    query: str
    document: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedChoice:
    """An item that was opened for a query, the other ones opened then, and the weight of that click."""

    query: str
    items: tuple[str, ...]  # ids of the items as shown
    opened: str  # id of the item
    others: frozenset[str]  # ids of the others that were opened in the same search
    weight: float  # inverse propensity of its rank


def drawn_order(items: Sequence[str], seed: int, share: float = SHARE) -> tuple[tuple[str, ...], int, bool]:
    """Return items in display order, the upper rank of a randomised pair of neighbours (0: none), and if it swapped.

    Args:
        items: ids, best first.
        seed: the same seed gives the same order.
        share: share of the searches that are randomised.
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
    """Return the propensity of each rank from the clicks at each rank and at the next, in randomised searches.

    One click is added to each count, so that without clicks all ranks have the same propensity.
    """
    return np.concatenate([[1.0], np.cumprod((lower + 1.0) / (upper + 1.0))])


def position_bias(shown: Iterable[SearchShown], choices: Iterable[SearchChoice]) -> PositionBias:
    """Estimate the propensities from a search log."""
    pairs = {search.id: search.pair for search in shown if search.pair}
    upper, lower = np.zeros(SWAPPED_RANKS - 1, dtype=int), np.zeros(SWAPPED_RANKS - 1, dtype=int)
    for choice in choices:
        pair = pairs.get(choice.shown, 0)
        if 0 < pair < SWAPPED_RANKS and choice.rank in (pair, pair + 1):
            (upper if choice.rank == pair else lower)[pair - 1] += 1
    return PositionBias(tuple(chained(upper, lower).tolist()), tuple(upper.tolist()), tuple(lower.tolist()))


def weighted_pairs(
    shown: Sequence[SearchShown],
    choices: Sequence[SearchChoice],
    read_text: Callable[[SearchShown, str], str],
    *,
    corrected: bool = True,
) -> list[WeightedPair]:
    """Return the clicks as training pairs, weighted by inverse propensity if *corrected*.

    Items without a text, for which *read_text* returns '', are skipped.
    """
    searches, bias = {search.id: search for search in shown}, position_bias(shown, choices)
    pairs = []
    for choice in choices:
        search = searches.get(choice.shown)
        document = read_text(search, choice.item) if search else ""
        if search and document:
            pairs.append(WeightedPair(search.query, document, bias.weight(choice.rank) if corrected else 1.0))
    return pairs


def weighted_choices(
    shown: Sequence[SearchShown], choices: Sequence[SearchChoice], kind: SearchKind, source: str
) -> list[WeightedChoice]:
    """Return the clicks in the searches of a source as choices, weighted by inverse propensity.

    The propensities are estimated from all searches.
    """
    searches = {search.id: search for search in shown if (search.kind, search.source) == (kind, source)}
    bias = position_bias(shown, choices)
    ours = [choice for choice in choices if choice.shown in searches]
    opened: dict[str, set[str]] = {}
    for choice in ours:
        opened.setdefault(choice.shown, set()).add(choice.item)
    return [
        WeightedChoice(
            searches[choice.shown].query,
            searches[choice.shown].items,
            choice.item,
            frozenset(opened[choice.shown] - {choice.item}),
            bias.weight(choice.rank),
        )
        for choice in ours
    ]
