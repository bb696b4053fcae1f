"""A made-up recruiter who decides on the rows of a linked list, knowing which unit group each title means."""

from collections.abc import Mapping, Sequence

from jobmatch_core.linking.decisions import Choice, isco_code, offered
from jobmatch_core.linking.review import Review

RECRUITER = "Sascha (demo)"


def choices(review: Review, groups: Sequence[str], rows: range) -> Mapping[int, Choice | None]:
    """Return decisions on some rows, None for 'none of these'; undecided rows are left out.

    A row is undecided if the unit group that its title means is among none of the answers.

    Args:
        groups: unit group that each row's title means; '' if nobody can say.
    """
    decided: dict[int, Choice | None] = {}
    for number in rows:
        result, group = review.results[number], groups[number]
        shown = offered(result)
        options = [*([shown] if shown else []), *result.candidates]
        right = next((option for option in options if isco_code(option) == group), None)
        if right is not None or not group:
            decided[number] = right
    return decided
