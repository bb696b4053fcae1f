"""What comes of matching: a freelancer with its score and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Freelancer, Project


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """A skill that a project asks for, and whether a freelancer declares it, in whatever languages either is written.

    Attributes:
        key: of the skill.
        wanted: the project's word for it.
        offered: the freelancer's, '' where it is missing.
        mandatory: whether it must be there.
    """

    key: str
    wanted: str
    offered: str
    mandatory: bool


@dataclass(frozen=True, slots=True)
class Contributions:
    """What the sections of either side add to a score; those of each side sum up to it.

    Attributes:
        project, freelancer: by the section's name, as in `documents.SECTIONS`.
    """

    project: dict[str, float]
    freelancer: dict[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """A freelancer that was found for a project.

    Attributes:
        freelancer: the profile.
        score: the cosine of the model's vectors of both.
        rank: from 1.
        skills: those that the project asks for, mandatory ones first.
        contributions: of the sections, where they were asked for.
    """

    freelancer: Freelancer
    score: float
    rank: int
    skills: tuple[SkillMatch, ...]
    contributions: Contributions | None = None

    @property
    def shared(self) -> tuple[SkillMatch, ...]:
        """The skills that the freelancer declares."""
        return tuple(skill for skill in self.skills if skill.offered)

    @property
    def missing(self) -> tuple[SkillMatch, ...]:
        """The skills that the freelancer does not declare."""
        return tuple(skill for skill in self.skills if not skill.offered)

    @property
    def missing_must_haves(self) -> int:
        """How many skills that must be there are missing."""
        return sum(skill.mandatory for skill in self.missing)


def compared_skills(project: Project, freelancer: Freelancer) -> tuple[SkillMatch, ...]:
    """Return a project's skills, each once, with the freelancer's words for them."""
    offered = {skill.key: skill.text for skill in freelancer.skills}
    asked = [(skill, True) for skill in project.mandatory] + [(skill, False) for skill in project.bonus]
    found: dict[str, SkillMatch] = {}
    for skill, mandatory in asked:
        match = SkillMatch(skill.key, skill.text, offered.get(skill.key, ""), mandatory)
        found.setdefault(skill.key, match)
    return tuple(found.values())


def named_skills(skills: Sequence[SkillMatch]) -> str:
    """Return skills as a line: the project's word, and the freelancer's where it is another."""
    return "; ".join(
        f"{skill.wanted} = {skill.offered}" if skill.offered not in ("", skill.wanted) else skill.wanted
        for skill in skills
    )
