"""Facets of a linked list: what its rows can be filtered by, and how many rows each value has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
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
    LEVEL = "level"
    SENIORITY = "seniority"


@dataclass(frozen=True, slots=True)
class Sifted:
    """The rows of a list that pass a filter, and the counts of each facet's values.

    A facet counts the rows that pass the conditions on all other facets.
    """

    rows: Set[int]
    counts: Mapping[Facet, Counter[str]]


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions on a row; empty ones accept every row.

    Attributes:
        values: accepted values by facet.
        letters: text in the title or in the name of its occupation or unit group, in any case.
        earlier: accept only rows that use earlier decisions.
        least: least probability.
        most: largest probability.
    """

    values: Mapping[Facet, Sequence[str]] = field(default_factory=dict)
    letters: str = ""
    earlier: bool = False
    least: float = 0.0
    most: float = 1.0

    @property
    def n_facets(self) -> int:
        """Number of facets with a condition, apart from the status."""
        chosen = sum(bool(values) for facet, values in self.values.items() if facet is not Facet.STATUS)
        return chosen + bool(self.letters) + self.earlier + (self.least > 0.0 or self.most < 1.0)

    def sift(self, review: Review) -> Sifted:
        """Return the rows of a list that pass, and the counts of the facets' values."""
        rows, counts = set[int](), {facet: Counter[str]() for facet in Facet}
        for number in range(len(review.results)):
            if not self._passes_rest(review, number):
                continue
            values = facet_values(review, number)
            missed = list(self._missed(values))
            if not missed:
                rows.add(number)
            for facet in missed[:1] if len(missed) == 1 else () if missed else Facet:
                counts[facet].update(values[facet])
        return Sifted(rows, counts)

    def _missed(self, values: Mapping[Facet, Sequence[str]]) -> Iterator[Facet]:
        for facet, accepted in self.values.items():
            if accepted and not any(value in accepted for value in values[facet]):
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


def facet_values(review: Review, number: int) -> dict[Facet, Sequence[str]]:
    """Return a row's values of each facet; a facet may have none, and several unknown words."""
    result, reason = review.results[number], review.reason(number)
    # the best guess counts until somebody decides
    undecided = not review.is_decided(number) or review.counted(number) is not None
    evidence = shown_evidence(review, number) if undecided else None
    shown = shown_candidate(review, number) if undecided else None
    values: dict[Facet, Sequence[str]] = {
        Facet.STATUS: [review.status(number)],
        Facet.REASON: [reason],
        Facet.WORD: result.unknown if reason else (),
        Facet.LANGUAGE: [evidence_language(evidence) if evidence else ""],
        Facet.MAJOR: [(review.isco(number) or (shown.isco if shown else ""))[:1]],
        Facet.LEVEL: [review.level(number)],
        Facet.SENIORITY: [str(result.seniority)],
    }
    return {facet: [value for value in of_facet if value] for facet, of_facet in values.items()}


def statuses_by(review: Review, facet: Facet) -> dict[str, Counter[str]]:
    """Count the statuses of the rows with each value of a facet, the most frequent value first; '' is no value."""
    counts: dict[str, Counter[str]] = {}
    for number in range(len(review.results)):
        values = facet_values(review, number)
        for value in values[facet] or [""]:
            counts.setdefault(value, Counter()).update(values[Facet.STATUS])
    return dict(sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])))
