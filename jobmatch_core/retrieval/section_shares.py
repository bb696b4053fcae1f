"""Shares of a profile's sections in a match, with sections joined as recruiters know them."""

from collections.abc import Mapping
from dataclasses import dataclass

# sections of `documents.SECTIONS` that are one thing to a reader, in the order in which they are always shown
_GROUPS = {
    "freelancer": {
        "skills": ("skills",),
        "experience": ("experience",),
        "title": ("title",),
        "text": ("description",),
        "category": ("category", "family"),
    },
    "project": {
        "skills": ("mandatory_skills", "bonus_skills"),
        "title": ("title", "job_title"),
        "text": ("description",),
        "category": ("category", "family"),
    },
}
FREELANCER_GROUPS = tuple(_GROUPS["freelancer"])


@dataclass(frozen=True, slots=True)
class SectionShare:
    """A group of sections.

    Attributes:
        name: name of the group.
        score: contribution to the score; negative if it lowers it.
        share: share of all positive contributions, 0 to 1; 0 if it is not positive.
    """

    name: str
    score: float
    share: float


def section_shares(contributions: Mapping[str, float], side: str) -> tuple[SectionShare, ...]:
    """Join one side's contributions into groups.

    Args:
        contributions: section -> contribution, see `matches.Contributions`.
        side: 'freelancer' or 'project'.
    """
    scores = {name: sum(contributions[each] for each in sections) for name, sections in _GROUPS[side].items()}
    whole = sum(score for score in scores.values() if score > 0)
    return tuple(SectionShare(name, score, score / whole if score > 0 else 0.0) for name, score in scores.items())
