"""Table of verdicts by pair and annotator, on which agreement is measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Verdict
from jobmatch_core.judgment_tallies import VERDICTS, VerdictColumns

CATEGORIES = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)  # a skip is no verdict
_CODES = np.array([CATEGORIES.index(each) if each in CATEGORIES else -1 for each in VERDICTS], dtype=np.intp)

Ints = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class VerdictTable:
    """Current verdicts without adjudications, at most one of an annotator on a pair.

    Attributes:
        keys: (pair,) keys of the pairs.
        annotators: names in alphabetical order.
        pair, annotator: (verdict,) indices of `keys` and `annotators`, ascending.
        code: (verdict,) indices of `CATEGORIES`.
        latest: (pair,) UTC time of the last verdict.
    """

    keys: NDArray[np.bytes_]
    annotators: tuple[str, ...]
    pair: NDArray[np.intp]
    annotator: NDArray[np.intp]
    code: NDArray[np.intp]
    latest: NDArray[np.datetime64]

    def column(self, annotator: str) -> int:
        """Return an annotator's index.

        Raises:
            ValueError: the annotator has given no verdict.
        """
        return self.annotators.index(annotator)

    def counts(self) -> NDArray[np.int64]:
        """Return the number of verdicts of each pair and category, shape (pair, category)."""
        cells = np.bincount(self.pair * len(CATEGORIES) + self.code, minlength=len(self.keys) * len(CATEGORIES))
        return cells.reshape(-1, len(CATEGORIES))


def verdict_table(judgments: VerdictColumns, *, unsure: bool = True) -> VerdictTable:
    """Collect the verdicts; adjudications are left out, since an adjudicator has seen the others' verdicts.

    Args:
        judgments: the current judgments.
        unsure: count unsure as a verdict of its own; else as none.
    """
    code = _CODES[judgments.verdict]
    counted = (code >= 0) & ~judgments.adjudicates
    if not unsure:
        counted &= code != CATEGORIES.index(Verdict.UNSURE)
    pairs, pair = np.unique(judgments.pair[counted], return_inverse=True)
    people, annotator = np.unique(judgments.annotator[counted], return_inverse=True)
    names = sorted(judgments.annotators[person] for person in people)
    annotator = np.array([names.index(judgments.annotators[person]) for person in people], dtype=np.intp)[annotator]
    order = np.lexsort((annotator, pair))
    pair, at = pair[order], judgments.at[counted][order]
    latest = np.maximum.reduceat(at, np.searchsorted(pair, np.arange(len(pairs)))) if len(pairs) else at
    return VerdictTable(judgments.keys[pairs], tuple(names), pair, annotator[order], code[counted][order], latest)


def distinct_rows(columns: Sequence[Ints]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct rows of columns of small numbers, and how often each occurs.

    Args:
        columns: (row,) each, not negative.

    Returns:
        (distinct, column) in ascending order, and (distinct,).
    """
    if not len(columns[0]):
        return np.zeros((0, len(columns)), dtype=np.int64), np.zeros(0, dtype=np.int64)
    shape = [int(column.max()) + 1 for column in columns]
    packed, times = np.unique(np.ravel_multi_index(tuple(columns), shape), return_counts=True)
    return np.stack(np.unravel_index(packed, shape), axis=1), times
