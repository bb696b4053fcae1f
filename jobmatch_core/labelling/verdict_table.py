"""Who said what of which pair, as an array: what agreement is measured on."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.labelling.current import current_judgments

CATEGORIES = (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE)  # to skip is to say nothing
NOTHING = -1


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """Current verdicts, a row a pair and a column an annotator.

    Attributes:
        pairs: in the order in which they were first judged.
        annotators: in the order of the alphabet.
        codes: places in `CATEGORIES`, int8, `NOTHING` where there is no verdict; shape (pair, annotator).
        latest: when each pair got its last verdict.
    """

    pairs: tuple[Pair, ...]
    annotators: tuple[str, ...]
    codes: NDArray[np.int8]
    latest: tuple[datetime, ...]

    def column(self, annotator: str) -> int:
        """Return an annotator's column.

        Raises:
            ValueError: they have given no verdict.
        """
        return self.annotators.index(annotator)

    def counts(self) -> NDArray[np.int64]:
        """Return how many said what of each pair, shape (pair, category)."""
        return np.stack([(self.codes == code).sum(axis=1) for code in range(len(CATEGORIES))], axis=1)

    def rows(self, kept: NDArray[np.bool_]) -> "VerdictTable":
        """Return a table of some pairs; the annotators stay."""
        places = np.flatnonzero(kept)
        pairs = tuple(self.pairs[place] for place in places)
        return VerdictTable(pairs, self.annotators, self.codes[places], tuple(self.latest[place] for place in places))

    def without(self, annotator: str) -> "VerdictTable":
        """Return a table in which somebody has said nothing."""
        codes = self.codes.copy()
        codes[:, self.column(annotator)] = NOTHING
        return VerdictTable(self.pairs, self.annotators, codes, self.latest)


def verdict_table(judgments: Iterable[Judgment], *, unsure: bool = True) -> VerdictTable:
    """Gather the current verdicts; adjudications are left out, for whoever adjudicates has seen what others said.

    Args:
        judgments: the whole history, or what is current of it, in the order of recording.
        unsure: whether to be unsure is a verdict of its own, or none.
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
