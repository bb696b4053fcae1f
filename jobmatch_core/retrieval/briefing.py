"""Reading of a pasted text as a project: its language, its sections by headings, its skills."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.taxonomy.skill_finder import SkillFinder
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.towers.headings import known_headings

PASTED = "pasted"  # the id of a project from a pasted text
_LONGEST_TITLE = 120
_LONGEST_HEADING = 6  # words
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_TITLE, _JOB_TITLE, _BONUS, _OTHER = "title", "job_title", "bonus_skills", "description"
# 'profil recherché' heads the skills of an advert, but here as a rule the job title
_HEADINGS = known_headings("project", (_TITLE, _JOB_TITLE, _BONUS, "mandatory_skills", _OTHER))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a text, and the kind of heading that it stands under."""

    kind: str
    text: str


def read_briefing(text: str, finder: SkillFinder, *, language: str = "") -> Project:
    """Return the project that a text describes; family and category are left open.

    A heading is a short line that ends with a colon or begins with `#`, or is a known one; a known one may also stand
    before the colon of a line. The title is what stands under such a heading, else the first line, or the first
    sentence of a long one. Skills under a heading like 'nice to have' are a bonus, all others must be there.

    Args:
        text: text as pasted.
        finder: finder of skills.
        language: language code of the text; guessed by default.

    Raises:
        MatchingError: there is no text.
    """
    lines = list(_lines(text))
    if not lines:
        raise MatchingError("The project has no text; describe in a sentence or more what is to be done.")
    language = language or guess_language(text)
    mandatory = finder.find("\n".join(line.text for line in lines if line.kind != _BONUS), language)
    bonus = finder.find(_under(lines, _BONUS), language)
    keys = {skill.key for skill in mandatory}
    title, description = _title_and_rest(lines)
    return Project(
        id=PASTED,
        language=language,
        title=title,
        job_title=_first_sentence(_under(lines, _JOB_TITLE)),
        description=description,
        family="",
        family_name="",
        category="",
        category_name="",
        mandatory=mandatory,
        bonus=tuple(skill for skill in bonus if skill.key not in keys),
    )


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that are no headings, not the empty ones; a title is one line, other sections go on."""
    kind = _OTHER
    for line in filter(None, (line.strip() for line in text.splitlines())):
        before, colon, after = line.partition(":")
        known = _HEADINGS.get(fold(before))
        if known is not None and colon and after.strip(" *_"):
            yield _Line(known, after.strip(" *_"))
            kind = _OTHER
        elif known is not None and not after.strip(" *_"):
            kind = known
        elif _is_heading(line):
            kind = _OTHER
        else:
            yield _Line(kind, line)
            kind = _OTHER if kind in (_TITLE, _JOB_TITLE) else kind


def _is_heading(line: str) -> bool:
    return (line.rstrip("*_ ").endswith(":") or line.startswith("#")) and len(line.split()) <= _LONGEST_HEADING


def _under(lines: Sequence[_Line], kind: str) -> str:
    return "\n".join(line.text for line in lines if line.kind == kind)


def _title_and_rest(lines: Sequence[_Line]) -> tuple[str, str]:
    """Return the title, and all else but the job title; a text of a single line is both."""
    rest = [line.text for line in lines if line.kind not in (_TITLE, _JOB_TITLE)]
    named = _under(lines, _TITLE)
    title = _first_sentence(named or (rest or [""])[0])
    if not named and len(rest) > 1 and title == rest[0]:
        del rest[0]
    return title, "\n".join(rest)


def _first_sentence(text: str) -> str:
    """Return a text's first line, of a long one its first sentence, of a long one of these its beginning."""
    line = text.partition("\n")[0]
    if len(line) > _LONGEST_TITLE:
        line = _SENTENCE_END.split(line, maxsplit=1)[0]
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
