"""Splitting of adverts and CVs into documents of sections at their headings (`headings.toml`, nine languages).

An advert's first line is its title and says who is wanted. A CV seldom has one: its title is the last job's, the first
line below the heading of the experience. Text under no heading, or under an unknown one, is the description.
"""

import re
from collections.abc import Iterator

from jobmatch_core.taxonomy.skill_keys import SkillKeys
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import SECTIONS, Document, Kind
from jobmatch_core.towers.headings import known_headings

_LONGEST_HEADING, _LONGEST_TITLE = 60, 100  # letters
_RULE = re.compile(r"^[-=_*\s]{3,}$")
_BULLET = re.compile(r"^[-*•·–▪]+\s+")
_BETWEEN_SKILLS = re.compile(r"[,;|•·\n]")
_SKILL_SECTIONS = ("mandatory_skills", "bonus_skills", "skills")
_LONGEST_SKILL = 60  # letters; more is a sentence
_HEADED: dict[Kind, tuple[str, ...]] = {
    "project": ("description", "mandatory_skills", "bonus_skills"),
    "freelancer": ("description", "experience", "education", "skills"),
}


def sectioned(key: str, kind: Kind, language: str, text: str, keys: SkillKeys) -> Document:
    """Return a text as a document.

    Args:
        key: id of the document.
        kind: an advert is a project, a CV a freelancer.
        language: language code of the text.
        text: one heading, paragraph or item per line.
        keys: keys of skills by name.
    """
    sections = dict.fromkeys(SECTIONS[kind], "")
    parts: dict[str, list[str]] = {}
    for section, line in _parted(text, kind):
        parts.setdefault(section, []).append(line)
    title = _title(kind, parts)
    parts["experience"] = parts.get("experience", []) + parts.pop("education", [])
    sections |= {section: "\n".join(parts.get(section, [])) for section in sections} | {"title": title}
    if kind == "project":
        sections["job_title"] = title
    skills = keys.named(
        item for section in _SKILL_SECTIONS for line in parts.get(section, []) for item in _skill_items(line)
    )
    return Document(
        id=key,
        kind=kind,
        language=language,
        category="",
        texts=tuple(sections[section] for section in SECTIONS[kind]),
        skill_keys=frozenset(skill.key for skill in skills),
    )


def _parted(text: str, kind: Kind) -> Iterator[tuple[str, str]]:
    """Yield each line that is not a heading, with its section."""
    section = "title" if kind == "project" else "description"
    headings = known_headings(kind, _HEADED[kind])
    for line in (line.strip() for line in text.splitlines()):
        if not line or _RULE.match(line):
            continue
        if known := headings.get(fold(line)) if len(line) <= _LONGEST_HEADING else None:
            section = known
        elif _is_heading(line):
            section = "description"
        elif section == "title" and len(line) > _LONGEST_TITLE:
            section = "description"
            yield section, line
        else:
            yield section, line
            section = "description" if section == "title" else section


def _is_heading(line: str) -> bool:
    """Return whether a line looks like an unknown heading: a short one in capitals or with a colon at its end."""
    if len(line) > _LONGEST_HEADING or _BULLET.match(line):
        return False
    return line.endswith(":") or (line.isupper() and len(fold(line)) > 3)


def _title(kind: Kind, parts: dict[str, list[str]]) -> str:
    """Return an advert's own title, or the first line of a CV's experience."""
    lines = parts.get("title" if kind == "project" else "experience", [])
    is_title = bool(lines) and len(lines[0]) <= _LONGEST_TITLE and not _BULLET.match(lines[0])
    return lines[0].strip("*# ") if is_title else ""


def _skill_items(line: str) -> list[str]:
    """Return the skills of a line such as `- Tools: Git, Jira`."""
    line = _BULLET.sub("", line)
    before, colon, after = line.partition(":")
    items = _BETWEEN_SKILLS.split(after if colon and after.strip() else before)
    return [item.strip(" .*") for item in items if len(item.strip()) <= _LONGEST_SKILL]
