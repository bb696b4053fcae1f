"""Which rows of a list of links are looked at: by status, language of the matched name, ISCO-08 group and letters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Candidate
from jobmatch_core.linking.records import OWN
from jobmatch_core.linking.review import Review


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """What a row must have to be looked at; what is empty lets every row pass.

    Attributes:
        statuses: where the row stands.
        languages: of the name that matched; `OWN` for a name of one's own whose language is not known.
        majors: first digits of ISCO-08 codes.
        letters: in the title or the occupation's name, in any case.
    """

    statuses: Sequence[str] = ()
    languages: Sequence[str] = ()
    majors: Sequence[str] = ()
    letters: str = ""

    def passes(self, review: Review, number: int) -> bool:
        """Say whether a row is looked at."""
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
    """Return what rows can be filtered by, the most frequent first, with the number of rows; '' is left out."""
    return [(value, count) for value, count in Counter(values).most_common() if value]
