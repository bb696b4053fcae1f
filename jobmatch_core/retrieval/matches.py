"""What comes of matching: a freelancer with its score and the reasons for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import is_common
from jobmatch_core.text.text_pieces import TextPieces, folded_name


class SkillState(StrEnum):
    """Where a skill that a project asks for is found in a profile."""

    DECLARED = "declared"
    IN_TEXT = "in the text"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """A skill that a project asks for, and where a profile has it.

    Attributes:
        key: of the skill.
        wanted: the project's word for it.
        offered: the freelancer's word for it among the declared skills, in whatever language; '' where it is not
            declared.
        mandatory: whether it must be there.
        written: the project's word for it as the profile's texts write it, where it is not declared; '' where they do
            not.
    """

    key: str
    wanted: str
    offered: str
    mandatory: bool
    written: str = ""

    @property
    def state(self) -> SkillState:
        """Where the profile has it."""
        if self.offered:
            return SkillState.DECLARED
        return SkillState.IN_TEXT if self.written else SkillState.NOT_FOUND


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
        """The skills that the freelancer declares or writes of."""
        return tuple(skill for skill in self.skills if skill.state is not SkillState.NOT_FOUND)

    @property
    def missing(self) -> tuple[SkillMatch, ...]:
        """The skills that are neither declared nor in the profile's texts."""
        return tuple(skill for skill in self.skills if skill.state is SkillState.NOT_FOUND)

    @property
    def missing_must_haves(self) -> int:
        """How many skills that must be there are missing."""
        return sum(skill.mandatory for skill in self.missing)


def compared_skills(project: Project, freelancer: Freelancer) -> tuple[SkillMatch, ...]:
    """Return a project's skills, each once, with the freelancer's words for them."""
    offered = {skill.key: skill.text for skill in freelancer.skills}
    asked = [(skill, True) for skill in project.mandatory] + [(skill, False) for skill in project.bonus]
    texts = _ProfileTexts(freelancer)
    found: dict[str, SkillMatch] = {}
    for skill, mandatory in asked:
        declared = offered.get(skill.key, "")
        written = "" if declared else texts.written(skill.text)
        found.setdefault(skill.key, SkillMatch(skill.key, skill.text, declared, mandatory, written))
    return tuple(found.values())


def counted_skills(skills: Sequence[SkillMatch]) -> str:
    """Return how many of some skills a profile has, and where: '2 of 3: 1 declared, 1 in the text'."""
    states = [skill.state for skill in skills]
    counts = {state: states.count(state) for state in (SkillState.DECLARED, SkillState.IN_TEXT)}
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{sum(counts.values())} of {len(skills)}{f': {told}' if told else ''}"


def named_skills(skills: Sequence[SkillMatch]) -> str:
    """Return skills as a line: the project's word, and the freelancer's where it is another, or that it is written."""
    return "; ".join(map(_named, skills))


def _named(skill: SkillMatch) -> str:
    if skill.state is SkillState.IN_TEXT:
        return f"{skill.wanted} ({SkillState.IN_TEXT})"
    return f"{skill.wanted} = {skill.offered}" if skill.offered not in ("", skill.wanted) else skill.wanted


class _ProfileTexts:
    """A profile's texts, folded and split only when a skill is looked for in them."""

    def __init__(self, freelancer: Freelancer) -> None:
        self._text = "\n".join((freelancer.title, freelancer.description, freelancer.experience))
        self._language = freelancer.language

    @cached_property
    def _folded(self) -> str:
        return f" {fold(self._text)} "

    @cached_property
    def _pieces(self) -> TextPieces:
        return TextPieces.of(self._text)

    def written(self, skill: str) -> str:
        """Return a skill as the texts write it; '' where they do not, or where its name is a common word."""
        name = folded_name(skill)
        words = " ".join(name)
        # to split a text takes ten times as long as to look at the whole of it, where most skills are not
        if f" {words} " not in self._folded or is_common(words, self._language):
            return ""
        return self._pieces.written(name)
