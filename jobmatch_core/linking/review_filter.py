"""Filter of a list of links by status, level, reason to check, seniority, language, ISCO-08 group and letters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import UNIT_GROUP_LEVEL, Candidate
from jobmatch_core.linking.records import language_of
from jobmatch_core.linking.review import Review


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Conditions on a row; an empty condition lets every row pass.

    Attributes:
        statuses: allowed statuses of the row.
        languages: allowed languages of the matched name; see `language_of`.
        majors: first digits of ISCO-08 codes.
        levels: allowed levels of what the row is linked to.
        reasons: allowed reasons why the row is to be checked.
        seniorities: allowed seniorities that titles speak of.
        letters: letters in the title or the name of its occupation or unit group, in any case.
    """

    statuses: Sequence[str] = ()
    languages: Sequence[str] = ()
    majors: Sequence[str] = ()
    levels: Sequence[str] = ()
    reasons: Sequence[str] = ()
    seniorities: Sequence[str] = ()
    letters: str = ""

    def passes(self, review: Review, number: int) -> bool:
        """Return whether a row passes all conditions."""
        shown = shown_candidate(review, number)
        return (
            (not self.statuses or review.status(number) in self.statuses)
            and (not self.languages or matched_language(shown) in self.languages)
            and (not self.majors or major_group(shown) in self.majors)
            and (not self.levels or review.level(number) in self.levels)
            and (not self.reasons or review.reason(number) in self.reasons)
            and (not self.seniorities or review.results[number].seniority in self.seniorities)
            and self.letters.casefold() in f"{review.results[number].title} {shown_name(review, number)}".casefold()
        )


def shown_candidate(review: Review, number: int) -> Candidate | None:
    """Return a row's occupation, or the linker's best guess where it has none."""
    candidates = review.results[number].candidates
    return review.choice(number) or (candidates[0] if candidates else None)


def shown_name(review: Review, number: int) -> str:
    """Return the name of a row's unit group, occupation or best guess; '' where it has none."""
    if group := review.group(number):
        return f"{group.code} {group.name} ({UNIT_GROUP_LEVEL})"
    shown = shown_candidate(review, number)
    return shown.name if shown else ""


def matched_language(candidate: Candidate | None) -> str:
    """Return the language of the name that matched; '' where none did."""
    return language_of(candidate.evidence) if candidate else ""


def major_group(candidate: Candidate | None) -> str:
    """Return the first digit of an occupation's ISCO-08 code; '' where it has none."""
    return candidate.isco[:1] if candidate else ""


def count_values(values: Iterable[str]) -> list[tuple[str, int]]:
    """Return the values to filter by, the most frequent first, with the number of rows; '' is left out."""
    return [(value, count) for value, count in Counter(values).most_common() if value]
