"""Facets of a linked list: what its rows can be filtered by, and how many rows each value has."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from jobmatch_core.linking.decisions import uses_earlier_decisions
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
        return chosen + bool(self.letters) + self.earlier + (self.least > 0.0 or self.most < 1.0)

    def sift(self, review: Review, counted: Collection[Facet] = tuple(Facet)) -> Sifted:
        """Return the rows of a list that pass, and the counts of some facets' values."""
        rows, counts = set[int](), {facet: Counter[str]() for facet in counted}
        for number in range(len(review.results)):
            if not self._passes_rest(review, number):
                continue
            missed = list(self._missed(review, number))
            if not missed:
                rows.add(number)
            for facet in counted if not missed else missed if len(missed) == 1 else ():
                if facet in counts:
                    counts[facet].update(facet_values(review, number, facet))
        return Sifted(rows, counts)

    def _missed(self, review: Review, number: int) -> Iterator[Facet]:
        for facet, accepted in self.values.items():
            if accepted and not any(value in accepted for value in facet_values(review, number, facet)):
                yield facet

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


def _language(review: Review, number: int) -> str:
    evidence = shown_evidence(review, number) if _has_guess(review, number) else None
    return evidence_language(evidence) if evidence else ""


def _isco(review: Review, number: int) -> str:
    if isco := review.isco(number):
        return isco
    shown = shown_candidate(review, number) if _has_guess(review, number) else None
    return shown.isco if shown else ""


def _has_guess(review: Review, number: int) -> bool:
    # the best guess counts until somebody decides
    return not review.is_decided(number) or review.counted(number) is not None


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
    for number in range(len(review.results)):
        for value in facet_values(review, number, facet) or [""]:
            counts.setdefault(value, Counter())[review.status(number)] += 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])))
