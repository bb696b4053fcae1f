"""Disputes: pairs on which annotators disagree, to be adjudicated."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair
from jobmatch_core.judgment_tallies import PairJudgments, VerdictColumns
from jobmatch_core.labelling.verdict_table import CATEGORIES, VerdictTable

ReadPairs = Callable[[Sequence[str]], Sequence[PairJudgments]]  # by their keys
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair with different verdicts.

    Attributes:
        pair: the disputed pair.
        judgments: current judgments, in the order of recording.
        heat: mean distance of two of these verdicts drawn with replacement, 0 to 0.5: Rao's quadratic entropy (1982).
            0.5 for half yes and half no, 0.25 if half of them are unsure.
    """

    pair: Pair
    judgments: tuple[Judgment, ...]
    heat: float


class Disputes(Sequence[Dispute]):
    """The disputes that are not yet adjudicated, the most disputed first; they are read when they are asked for.

    Of equally disputed ones the one with more judgments comes first, then the older one.
    """

    def __init__(self, keys: Sequence[str], read: ReadPairs) -> None:
        """Take the keys of the disputed pairs in order, and what reads their current judgments."""
        self._keys, self._read = keys, read

    def __len__(self) -> int:
        """Return the number of disputes."""
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> Dispute: ...
    @overload
    def __getitem__(self, place: slice) -> "Disputes": ...
    def __getitem__(self, place: int | slice) -> "Dispute | Disputes":
        """Read one dispute, or return some, which are not read yet."""
        if isinstance(place, slice):
            return Disputes(self._keys[place], self._read)
        return self._dispute(self._read([self._keys[place]])[0])

    def __iter__(self) -> Iterator[Dispute]:
        """Read all, some at a time."""
        for start in range(0, len(self), _AT_ONCE):
            yield from map(self._dispute, self._read(self._keys[start : start + _AT_ONCE]))

    def _dispute(self, found: PairJudgments) -> Dispute:
        verdicts = tuple(each for each in found.judgments if each.verdict in CATEGORIES and not each.adjudicates)
        said = np.array([[sum(each.verdict is verdict for each in verdicts) for verdict in CATEGORIES]])
        return Dispute(found.pair, verdicts, float(_heats(said)[0]))


def disputes(judgments: VerdictColumns, table: VerdictTable, read: ReadPairs) -> Disputes:
    """Find the disputes.

    Args:
        judgments: the current judgments.
        table: the verdicts among them.
        read: reads the current judgments of pairs.
    """
    counts = table.counts()
    heats, n = _heats(counts), counts.sum(axis=1)
    settled = np.isin(table.keys, judgments.keys[judgments.pair[judgments.adjudicates]])
    found = np.flatnonzero((heats > 0) & ~settled)
    ranks = (table.latest[found], -n[found], -heats[found])  # the last one first
    order = np.lexsort(ranks)
    keys = [key.decode() for key in table.keys[found[order]].tolist()]
    differs = np.any([rank[order][1:] != rank[order][:-1] for rank in ranks], axis=0)
    return Disputes(_untied(keys, [0, *np.cumsum(differs).tolist()], read), read)


def _untied(keys: list[str], places: Sequence[int], read: ReadPairs) -> list[str]:
    """Order those with the same place by their pairs."""
    shared = Counter(places)
    tied = [key for key, place in zip(keys, places, strict=False) if shared[place] > 1]
    names: dict[str, str] = {}
    for start in range(0, len(tied), _AT_ONCE):
        some = tied[start : start + _AT_ONCE]
        names.update((key, repr(each.pair)) for key, each in zip(some, read(some), strict=True))
    ordered = sorted(zip(places, keys, strict=False), key=lambda each: (each[0], names.get(each[1], "")))
    return [key for _, key in ordered]


def _heats(counts: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the heat of each row of numbers of verdicts by category.

    Yes and no contradict each other; unsure is half way to either.
    """
    positive, negative, unsure = counts.T.astype(np.float64)
    n = np.maximum(counts.sum(axis=1), 1)
    heats: NDArray[np.float64] = 2 * (positive * negative + (positive + negative) * unsure / 2) / n**2
    return heats
