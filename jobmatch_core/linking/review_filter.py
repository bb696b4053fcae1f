"""Filter of a list of links by status, language of the matched name, ISCO-08 group and letters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Candidate
from jobmatch_core.linking.records import OWN
from jobmatch_core.linking.review import Review


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions on a row; an empty condition lets every row pass.

    Attributes:
        statuses: allowed statuses of the row.
        languages: allowed languages of the matched name; `OWN` for an own name, which has no known language.
        majors: first digits of ISCO-08 codes.
        letters: letters in the title or the occupation's name, in any case.
    """

    statuses: Sequence[str] = ()
    languages: Sequence[str] = ()
    majors: Sequence[str] = ()
    letters: str = ""

    def passes(self, review: Review, number: int) -> bool:
        """Return whether a row passes all conditions."""
        shown = shown_candidate(review, number)
        return (
            (not self.statuses or review.status(number) in self.statuses)
            and (not self.languages or matched_language(shown) in self.languages)
            and (not self.majors or major_group(shown) in self.majors)
            and self.letters.casefold() in f"{review.results[number].title} {shown.name if shown else ''}".casefold()
        )


def shown_candidate(review: Review, number: int) -> Candidate | None:
    """Return a row's occupation, or the linker's best guess where it has none."""
    candidates = review.results[number].candidates
    return review.choice(number) or (candidates[0] if candidates else None)


def matched_language(candidate: Candidate | None) -> str:
    """Return the language of the name that matched; '' where none did."""
    if candidate is None:
        return ""
    return candidate.evidence.language or (OWN if candidate.evidence.own else "")


def major_group(candidate: Candidate | None) -> str:
    """Return the first digit of an occupation's ISCO-08 code; '' where it has none."""
    return candidate.isco[:1] if candidate else ""


def count_values(values: Iterable[str]) -> list[tuple[str, int]]:
    """Return the values to filter by, the most frequent first, with the number of rows; '' is left out."""
    return [(value, count) for value, count in Counter(values).most_common() if value]
