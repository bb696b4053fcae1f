"""Skills as chips: declared, in the text, not found. A sign and a word say it, not the colour alone."""

from collections.abc import Sequence

from jobmatch_core.retrieval.matches import SkillMatch, SkillState, counted_skills
from pages.shared.widgets import plain

_LONGEST_NAME = 60


def wanted(label: str, skills: Sequence[SkillMatch]) -> str:
    """Return a line of Markdown: how many of the wanted skills a profile has, then a chip each, those it has first."""
    order = list(SkillState)
    chips = map(_chip, sorted(skills, key=lambda skill: order.index(skill.state)))
    return f":small[{label}, {counted_skills(skills)}] {' '.join(chips)}"


def declared(name: str) -> str:
    """Return the chip of a declared skill that is wanted."""
    return f":blue-badge[:material/check: {_short(name)}]"


def other(name: str) -> str:
    """Return the chip of a skill that is compared with nothing."""
    return f":gray-badge[{_short(name)}]"


def _chip(skill: SkillMatch) -> str:
    if skill.state is SkillState.NOT_FOUND:
        return f":gray-badge[:material/close: {_short(skill.wanted)}, missing]"
    if skill.state is SkillState.IN_TEXT:
        return f":violet-badge[:material/article: {_short(skill.wanted)}, in the text]"
    same = skill.offered.casefold() == skill.wanted.casefold()
    return f":blue-badge[:material/check: {_short(skill.wanted)}{'' if same else f' = {_short(skill.offered)}'}]"


def _short(name: str) -> str:
    return plain(name, limit=_LONGEST_NAME)
