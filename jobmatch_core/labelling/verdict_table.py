"""Table of verdicts by pair and annotator, on which agreement is measured."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.labelling.current import current_judgments

CATEGORIES = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)  # a skip is no verdict
NOTHING = -1


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Current verdicts, one row per pair and one column per annotator.

    Attributes:
        pairs: pairs in the order of their first judgments.
        annotators: names in alphabetical order.
        codes: (pair, annotator) indices of `CATEGORIES`, int8, `NOTHING` without a verdict.
        latest: (pair,) time of the last verdict.
    """

    pairs: tuple[Pair, ...]
    annotators: tuple[str, ...]
    codes: NDArray[np.int8]
    latest: tuple[datetime, ...]

    def column(self, annotator: str) -> int:
        """Return an annotator's column.

        Raises:
            ValueError: the annotator has given no verdict.
        """
        return self.annotators.index(annotator)

    def counts(self) -> NDArray[np.int64]:
        """Return the number of verdicts of each pair and category, shape (pair, category)."""
        return np.stack([(self.codes == code).sum(axis=1) for code in range(len(CATEGORIES))], axis=1)

    def rows(self, kept: NDArray[np.bool_]) -> "VerdictTable":
        """Return a table of some pairs; the annotators stay."""
        places = np.flatnonzero(kept)
        pairs = tuple(self.pairs[place] for place in places)
        return VerdictTable(pairs, self.annotators, self.codes[places], tuple(self.latest[place] for place in places))

    def without(self, annotator: str) -> "VerdictTable":
        """Return the table without one annotator's verdicts."""
        codes = self.codes.copy()
        codes[:, self.column(annotator)] = NOTHING
        return VerdictTable(self.pairs, self.annotators, codes, self.latest)


def verdict_table(judgments: Iterable[Judgment], *, unsure: bool = True) -> VerdictTable:
    """Collect the current verdicts; adjudications are left out, since an adjudicator has seen the others' verdicts.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        unsure: count unsure as a verdict of its own; else as none.
    """
    counted = [
        judgment
        for judgment in current_judgments(judgments)
        if judgment.verdict in CATEGORIES
        and not judgment.adjudicates
        and (unsure or judgment.verdict is not Verdict.UNSURE)
    ]
    latest: dict[Pair, datetime] = {}
    for judgment in counted:
        latest[judgment.pair] = max(judgment.at, latest.get(judgment.pair, judgment.at))
    row_of = {pair: row for row, pair in enumerate(latest)}
    annotators = sorted({judgment.annotator for judgment in counted})
    codes = np.full((len(row_of), len(annotators)), NOTHING, dtype=np.int8)
    column_of = {annotator: column for column, annotator in enumerate(annotators)}
    for judgment in counted:
        place = row_of[judgment.pair], column_of[judgment.annotator]
        codes[place] = CATEGORIES.index(judgment.verdict)
    return VerdictTable(tuple(row_of), tuple(annotators), codes, tuple(latest.values()))
