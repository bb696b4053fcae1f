"""Facets of a linked list: what its rows can be filtered by, and how many rows each value has."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

from jobmatch_core.linking.decisions import STATUSES, uses_earlier_decisions
from jobmatch_core.linking.link_answer import evidence_language
from jobmatch_core.linking.review import Review, shown_candidate, shown_evidence, shown_name


class Facet(StrEnum):
    """What rows can be filtered by."""

    STATUS = "status"
    REASON = "reason"  # to check the row
    WORD = "unknown word"
    LANGUAGE = "language"  # of the matched name, see `evidence_language`
    MAJOR = "major group"  # first digit of the ISCO-08 code
    UNIT = "unit group"  # the ISCO-08 code
    LEVEL = "level"
    SENIORITY = "seniority"


@dataclass(frozen=True, slots=True)
class Sifted:
    """The rows of a list that pass a filter, and the counts of facets' values.

    A facet counts the rows that pass the conditions on all other facets.
    """

    rows: Set[int]
    counts: Mapping[Facet, Counter[str]]


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions on a row; empty ones accept every row."""

    values: Mapping[Facet, Sequence[str]] = field(default_factory=dict)  # accepted values by facet
    letters: str = ""  # text in the title or in the name of its occupation or unit group, in any case
    earlier: bool = False  # accept only rows that use earlier decisions
    least: float = 0.0  # least probability
    most: float = 1.0  # largest probability

    @property
    def n_facets(self) -> int:
        """Number of facets with a condition, apart from the status."""
        chosen = sum(bool(values) for facet, values in self.values.items() if facet is not Facet.STATUS)
        return chosen + self._n_rest

    @property
    def _n_rest(self) -> int:
        return bool(self.letters) + self.earlier + (self.least > 0.0 or self.most < 1.0)

    def sift(self, review: Review, counted: Collection[Facet] = tuple(Facet)) -> Sifted:
        """Return the rows of a list that pass, and the counts of some facets' values."""
        accepted = {facet: frozenset(values) for facet, values in self.values.items() if values}
        values = {facet: _column(review, facet) for facet in {*accepted, *counted}}
        numbers = range(len(review.results))
        passing = {number for number in numbers if self._passes_rest(review, number)} if self._n_rest else set(numbers)
        missed = {
            facet: {number for number in passing if wanted.isdisjoint(values[facet][number])}
            for facet, wanted in accepted.items()
        }
        rows = passing.difference(*missed.values())
        counts = {}
        for facet in counted:
            others = passing.difference(*(numbers for other, numbers in missed.items() if other is not facet))
            counts[facet] = Counter(chain.from_iterable(values[facet][number] for number in others))
        return Sifted(rows, counts)

    def _passes_rest(self, review: Review, number: int) -> bool:
        result = review.results[number]
        return (
            (not self.earlier or uses_earlier_decisions(result))
            and self.least <= result.probability <= self.most
            and (
                not self.letters or self.letters.casefold() in f"{result.title} {shown_name(review, number)}".casefold()
            )
        )


def facet_values(review: Review, number: int, facet: Facet) -> list[str]:
    """Return a row's values of a facet; it may have none, and several unknown words."""
    return [value for value in _VALUES[facet](review, number) if value]


def _column(review: Review, facet: Facet) -> Sequence[Sequence[str]]:
    if facet is Facet.STATUS:
        alone = {status: (status,) for status in STATUSES}
        return [alone[status] for status in review.statuses()]
    return [facet_values(review, number, facet) for number in range(len(review.results))]


def _language(review: Review, number: int) -> str:
    evidence = shown_evidence(review, number)
    return evidence_language(evidence) if evidence else ""


def _isco(review: Review, number: int) -> str:
    shown = shown_candidate(review, number)
    return review.isco(number) or (shown.isco if shown else "")


_VALUES: Mapping[Facet, Callable[[Review, int], Sequence[str]]] = {
    Facet.STATUS: lambda review, number: [review.status(number)],
    Facet.REASON: lambda review, number: [review.reason(number)],
    Facet.WORD: lambda review, number: review.results[number].unknown if review.reason(number) else (),
    Facet.LANGUAGE: lambda review, number: [_language(review, number)],
    Facet.MAJOR: lambda review, number: [_isco(review, number)[:1]],
    Facet.UNIT: lambda review, number: [_isco(review, number)],
    Facet.LEVEL: lambda review, number: [review.level(number)],
    Facet.SENIORITY: lambda review, number: [str(review.results[number].seniority)],
}


def statuses_by(review: Review, facet: Facet) -> dict[str, Counter[str]]:
    """Count the statuses of the rows with each value of a facet, the most frequent value first; '' is no value."""
    counts: dict[str, Counter[str]] = {}
    for status, values in zip(review.statuses(), _column(review, facet), strict=True):
        for value in values or [""]:
            counts.setdefault(value, Counter())[status] += 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])))
