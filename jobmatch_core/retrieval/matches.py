"""Matches: freelancers with their scores and the reasons for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import is_common
from jobmatch_core.text.text_pieces import TextPieces, folded_name


class SkillState(StrEnum):
    """Place of a project's skill in a profile."""

    DECLARED = "declared"
    IN_TEXT = "in the text"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """A skill of a project, and its place in a profile.

    Attributes:
        key: key of the skill.
        wanted: the project's name of it.
        offered: the freelancer's name of it among the declared skills, in any language; '' if it is not declared.
        mandatory: true for a mandatory skill.
        written: the project's name of it as spelled in the profile's texts, if it is not declared; '' if they do not
            contain it.
    """

    key: str
    wanted: str
    offered: str
    mandatory: bool
    written: str = ""

    @property
    def state(self) -> SkillState:
        """The place of the skill in the profile."""
        if self.offered:
            return SkillState.DECLARED
        return SkillState.IN_TEXT if self.written else SkillState.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Contributions:
    """Contributions of the sections to a score; those of each side add up to it.

    Attributes:
        project, freelancer: section name, as in `documents.SECTIONS` -> contribution.
    """

    project: dict[str, float]
    freelancer: dict[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """A freelancer found for a project.

    Attributes:
        freelancer: the profile.
        score: cosine of the model's vectors of both, higher is better.
        rank: rank from 1.
        skills: skills of the project, mandatory ones first.
        contributions: contributions of the sections, if requested.
    """

    freelancer: Freelancer
    score: float
    rank: int
    skills: tuple[SkillMatch, ...]
    contributions: Contributions | None = None

    @property
    def shared(self) -> tuple[SkillMatch, ...]:
        """The skills that the freelancer declares or mentions."""
        return tuple(skill for skill in self.skills if skill.state is not SkillState.NOT_FOUND)

    @property
    def missing(self) -> tuple[SkillMatch, ...]:
        """The skills that are neither declared nor in the profile's texts."""
        return tuple(skill for skill in self.skills if skill.state is SkillState.NOT_FOUND)

    @property
    def missing_must_haves(self) -> int:
        """Number of missing mandatory skills."""
        return sum(skill.mandatory for skill in self.missing)


def compared_skills(project: Project, freelancer: Freelancer) -> tuple[SkillMatch, ...]:
    """Return a project's skills, each once, with the freelancer's names of them."""
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
    """Return the number of skills in a profile by place: '2 of 3: 1 declared, 1 in the text'."""
    states = [skill.state for skill in skills]
    counts = {state: states.count(state) for state in (SkillState.DECLARED, SkillState.IN_TEXT)}
    places = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{sum(counts.values())} of {len(skills)}{f': {places}' if places else ''}"


def named_skills(skills: Sequence[SkillMatch]) -> str:
    """Return skills as a line: the project's name, and the freelancer's if it differs, or a note that it is written."""
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
        """Return a skill as spelled in the texts; '' if they do not contain it, or its name is a common word."""
        name = folded_name(skill)
        words = " ".join(name)
        # to split a text takes ten times as long as to look at the whole of it, where most skills are not
        if f" {words} " not in self._folded or is_common(words, self._language):
            return ""
        return self._pieces.written(name)
