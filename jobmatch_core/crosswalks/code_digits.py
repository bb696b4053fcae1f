"""Digits of source codes: where a list's codes begin as those of ISCO-08, as most national ones do, they name a group.

How far a list follows ISCO-08 is seen from pairs that are sure: 2511.3 and an occupation of unit group 2511 share four
digits. Codes that share no more than chance would have it say nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

_CHANCE = 10  # pairs by chance that are added to the sure ones, so that a few of them prove little
_NO_DIGIT = re.compile("[^0-9]")


class CodeDigits:
    """How many digits the codes of a list share with the unit groups of their concepts."""

    def __init__(self, taxonomy: Taxonomy, sure: Iterable[tuple[str, int]]) -> None:
        """Count the digits of sure pairs, each a source code and the number of a concept."""
        codes = taxonomy.isco_codes
        self._occupations: Counter[str] = Counter()  # beginning of a code -> number of occupations
        for code, count in Counter(codes[number] for number in taxonomy.occupation_numbers).items():
            self._occupations.update({code[:n_digits]: count for n_digits in range(len(code[:UNIT_DIGITS]) + 1)})
        shared = [shared_digits(leading_digits(code), codes[concept]) for code, concept in sure]
        self._sure = np.bincount(np.array(shared, np.intp), minlength=UNIT_DIGITS + 1)

    def odds(self, code: str, groups: Sequence[str]) -> NDArray[np.float64]:
        """Return how many times likelier than by chance a code's digits are with each unit group, (group,)."""
        digits = leading_digits(code)
        within = [self._occupations[digits[:n_digits]] for n_digits in range(len(digits) + 1)]
        n_occupations = max(within[0], 1)
        by_chance = np.maximum(-np.diff([*within, 0]), 1) / n_occupations
        sure = np.append(self._sure[: len(digits)], self._sure[len(digits) :].sum())
        odds: NDArray[np.float64] = (sure / by_chance + _CHANCE) / (sure.sum() + _CHANCE)
        return odds[[shared_digits(digits, group) for group in groups]]


def leading_digits(code: str) -> str:
    """Return the first four digits of a source code, such as '2511' of '2511.03'."""
    return _NO_DIGIT.sub("", code)[:UNIT_DIGITS]


def shared_digits(digits: str, group: str) -> int:
    """Return the number of digits that the leading ones of a source code and a unit group share from the left."""
    shared = 0
    for digit, other in zip(digits, group, strict=False):
        if digit != other:
            break
        shared += 1
    return shared
