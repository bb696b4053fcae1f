"""Titles with known answers and their candidates, to fit the fusion and the thresholds on, and to measure.

Of names that are held out of the index (`heldout`) the occupation is known; of coded titles, which statistical offices
publish, the unit group of ISCO-08 alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking.candidates import Candidates, have_equal_names, pool, score_names
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.heldout import NO_CONCEPT, HeldOut, leave_out
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.linking.scorers import Indices

_BLOCK = 1000
_UNITS = 10_000  # codes of unit groups are smaller


@dataclass(frozen=True, slots=True)
class CodedTitle:
    """A title that is no name of the taxonomy.

    Attributes:
        text: folded title.
        units: codes of the unit groups that it may mean, as numbers; empty for what is no job.
        concept: concept number of its occupation; NO_CONCEPT if its unit groups alone are known.
    """

    text: str
    units: tuple[int, ...]
    concept: int = NO_CONCEPT


@dataclass(frozen=True, slots=True)
class Examples:
    """Titles with their candidates.

    Attributes:
        n: number of titles.
        candidates: candidates of the titles, without the names that were held out.
        right: (candidate,) true if it may be the right one.
        units: (candidate,) code of its unit group as a number; NO_UNIT if it has none.
        unit_right: (candidate,) true if its unit group is a right one.
        equal: (candidate,) true if one of its names equals the title.
    """

    n: int
    candidates: Candidates
    right: NDArray[np.bool_]
    units: NDArray[np.int32]
    unit_right: NDArray[np.bool_]
    equal: NDArray[np.bool_]

    @property
    def arguments(self) -> tuple[Indices, NDArray[np.float32], NDArray[np.bool_], int]:
        """The arguments of `ConditionalLogit.fit`: the titles that equal no name, since others need no weights."""
        queries, n = self.candidates.queries, self.n
        weighed = np.ones(n, dtype=bool)
        weighed[queries[self.equal]] = False
        rows = weighed[queries]
        numbers = np.cumsum(weighed) - 1
        return numbers[queries[rows]], self.candidates.features[rows], self.right[rows], int(weighed.sum())

    def probabilities(self, logit: ConditionalLogit) -> NDArray[np.float64]:
        """Return the probability of each candidate."""
        queries = self.candidates.queries
        found = logit.probabilities(queries, logit.utilities(self.candidates.features), self.n)
        return logit.with_names(queries, found, self.equal)

    @classmethod
    def joined(cls, parts: "Sequence[Examples]") -> "Examples":
        """Return the titles of all parts, numbered one part after the other."""
        starts = np.cumsum([0, *(part.n for part in parts)])
        candidates = Candidates(
            np.concatenate([part.candidates.queries + start for part, start in zip(parts, starts, strict=False)]),
            *(np.concatenate([getattr(part.candidates, name) for part in parts]) for name in Candidates.__slots__[1:]),
        )  # fmt: skip
        columns = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("right", "units", "unit_right", "equal")
        )
        return cls(sum(part.n for part in parts), candidates, *columns)


def examples(index: NameIndex, held_out: HeldOut, progress: Progress = no_progress) -> Examples:
    """Find the candidates of held-out titles as if their names were not in the index."""
    parts = []
    for start in range(0, len(held_out.titles), _BLOCK):
        progress(start, len(held_out.titles))
        part = held_out.chosen(slice(start, start + _BLOCK))
        found = pool(index, leave_out(index, part, score_names(index, part.titles)))
        parts.append(Candidates(found.queries + start, found.concepts, found.entries, found.features))
    candidates = Candidates(*(np.concatenate([getattr(part, name) for part in parts]) for name in Candidates.__slots__))
    answers = held_out.answers[candidates.queries]
    units = index.units[candidates.concepts]
    answer_units = np.where(answers < 0, NO_UNIT, index.units[answers])
    right_unit = (units == answer_units) & (units != NO_UNIT)
    equal = have_equal_names(index, candidates)
    return Examples(len(held_out.titles), candidates, candidates.concepts == answers, units, right_unit, equal)


def coded_examples(index: NameIndex, titles: Sequence[CodedTitle], progress: Progress = no_progress) -> Examples:
    """Find the candidates of coded titles; all occupations of a right unit group may be right."""
    parts = []
    for start in range(0, len(titles), _BLOCK):
        progress(start, len(titles))
        block = titles[start : start + _BLOCK]
        candidates = pool(index, score_names(index, [each.text for each in block]))
        units = index.units[candidates.concepts]
        right_unit = np.array(
            [unit in block[query].units for query, unit in zip(candidates.queries, units, strict=True)], dtype=bool
        )
        concepts = np.array([each.concept for each in block])[candidates.queries]
        of_unit = right_unit & ~index.groups[candidates.concepts]
        right = np.where(concepts == NO_CONCEPT, of_unit, candidates.concepts == concepts)
        equal = have_equal_names(index, candidates)
        parts.append(Examples(len(block), candidates, right, units, right_unit, equal))
    return Examples.joined(parts)


def top_candidates(logit: ConditionalLogit, examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each title's highest probability, and whether it is a right candidate's."""
    return highest(examples.candidates.queries, examples.probabilities(logit), examples.right, examples.n)


def top_units(logit: ConditionalLogit, examples: Examples) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the highest probability of a unit group for each title, and whether it is a right one."""
    queries, probabilities = examples.candidates.queries, examples.probabilities(logit)
    known = examples.units != NO_UNIT
    keys, groups = np.unique(queries[known] * _UNITS + examples.units[known], return_inverse=True)
    sums = np.bincount(groups, probabilities[known], minlength=len(keys)).astype(np.float64)
    right = np.zeros(len(keys), dtype=bool)
    right[groups] = examples.unit_right[known]
    return highest(keys // _UNITS, sums, right, examples.n)


def highest(
    queries: Indices, probabilities: NDArray[np.float64], right: NDArray[np.bool_], n: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the highest probability of each query, 0 without candidates, and whether it is a right one's."""
    top = np.zeros(n)
    np.maximum.at(top, queries, probabilities)
    correct = np.zeros(n, dtype=bool)
    correct[queries[right & (probabilities == top[queries])]] = True
    return top, correct
