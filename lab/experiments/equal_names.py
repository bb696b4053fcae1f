"""What names that equal a title lose to each other, tried on a grid: coded titles, and the taxonomy's own names.

Only titles that several occupations have as a name are of interest. Of the coded ones half may be chosen by, and the
other half measures. What ESCO has as a name is to be found, too, whatever it means elsewhere.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking import Linker
from jobmatch_core.linking.arrays import Indices
from jobmatch_core.linking.corrections import NameRivals
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.ranking import TitleCandidates
from jobmatch_core.text.folding import fold
from lab.experiments.real_titles import names_of_one
from lab.shipping.shipped_encoder import is_calibrated_on
from lab.shipping.training_texts import CodedRow, coding_indexes, further_lists

LEXICON = (0.0, 0.6, 0.9, 1.2, 1.5, 1.8)
FOREIGN = (0.0, 0.6, 1.5, 3.0)
AGREED = (0.0, 3.0)


@dataclass(frozen=True, slots=True)
class RivalsReport:
    """Figures of one point of the grid."""

    # lexicon, foreign, agreed: see `NameRivals`
    lexicon: float
    foreign: float
    agreed: float
    chosen_by: float  # share of one half of the coded titles whose first occupation is of a right unit group
    apart: float  # the same of the other half
    lost: float  # share of the names of a language that are lost to another name that equals them, where it is highest
    language: str


@dataclass(frozen=True, slots=True)
class RivalTitles:
    """Titles that several occupations have as a name, with their candidates."""

    titles: tuple[str, ...]
    candidates: TitleCandidates

    @classmethod
    def of(cls, linker: Linker, titles: Sequence[str]) -> Self:
        """Choose the titles, and score their candidates."""
        owners = Counter(linker.index.texts)
        several = tuple(title for title in titles if owners[fold(title)] > 1)
        return cls(several, linker.candidates(several))

    def first(self, logit: ConditionalLogit) -> Indices:
        """Return (title,) the concept that comes first; all of them have candidates."""
        ranked = self.candidates.ranked(logit)
        rows = ranked.rows[np.searchsorted(ranked.titles, np.arange(len(self.titles)))]
        return self.candidates.rows.concepts[rows]


def read_coded_titles(folder: Path) -> list[CodedRow]:
    """Read the titles of national lists in the folders `titles_coded` and `titles_coded_2`.

    Raises DataFileError if a file is missing or damaged.
    """
    lists = chain(coding_indexes(folder / "titles_coded"), further_lists(folder / "titles_coded_2"))
    return list({row.title: row for row in lists}.values())


def evaluate_rivals(
    linker: Linker,
    coded: Sequence[CodedRow],
    *,
    lexicon: Sequence[float] = LEXICON,
    foreign: Sequence[float] = FOREIGN,
    agreed: Sequence[float] = AGREED,
) -> list[RivalsReport]:
    """Try all values with each other on coded titles, and on names that one occupation of the taxonomy has."""
    groups = {row.title: {int(code) for code in row.groups if code.isdecimal()} for row in coded}
    titles = RivalTitles.of(linker, list(groups))
    own = {language: (len(of), RivalTitles.of(linker, list(of)), of) for language, of in names_of_one(linker).items()}
    half = np.array([is_calibrated_on(title) for title in titles.titles], dtype=bool)
    reports = []
    for values in product(lexicon, foreign, agreed):
        rivals = NameRivals(**dict(zip(("lexicon", "foreign", "agreed"), values, strict=True)))
        logit = replace(linker.calibration.logit, rivals=rivals)
        units = linker.index.units[titles.first(logit)].tolist()
        right = np.array([unit in groups[title] for title, unit in zip(titles.titles, units, strict=True)])
        lost = {language: _lost(names, of, logit) / n for language, (n, names, of) in own.items()}
        worst = max(sorted(lost), key=lambda language: lost[language])
        reports.append(RivalsReport(*values, _mean(right[half]), _mean(right[~half]), lost[worst], worst))
    return reports


def _lost(names: RivalTitles, concept_of: dict[str, int], logit: ConditionalLogit) -> int:
    first = names.first(logit).tolist()
    return sum(concept_of[title] != concept for title, concept in zip(names.titles, first, strict=True))


def _mean(right: NDArray[np.bool_]) -> float:
    return float(right.mean()) if len(right) else float("nan")
