"""Reading of users' projects from a pasted text, a form filled in from it and corrected by hand, or incomplete records.

A pasted text gives a project's language, its sections (by headings) and its skills. Fields of records are those of an
import (`marketplace_import.py`), but none is required except some text: the language is guessed, and if no skill is
listed, the skills that the text mentions are used.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.entities import NamedSkill, Project
from jobmatch_core.errors import DataFileError, MatchingError
from jobmatch_core.io.text_files import read_text
from jobmatch_core.marketplace.marketplace_columns import Cells
from jobmatch_core.sheets.table_layout import PLAIN_LAYOUT, TableLayout
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillKeys, SkillNames, SkillSplitter
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.text.markup import plain_text
from jobmatch_core.towers.documents import known_headings

PASTED = "pasted"  # the id of a project from a pasted text
_LONGEST_TITLE = 120
_LONGEST_HEADING = 6  # words
_HEADING_MARK, _FIRST_MARK = "# ", re.compile(r"\A\s*#+\s")  # the first heading is the title
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_TITLE, _JOB_TITLE, _BONUS, _OTHER = "title", "job_title", "bonus_skills", "description"
# in adverts, 'profil recherché' heads the skills, but in projects usually the job title
_HEADINGS = known_headings("project", (_TITLE, _JOB_TITLE, _BONUS, "mandatory_skills", _OTHER))
_FAMILY_DIGITS = 2  # families are ISCO-08 sub-major groups


@dataclass(frozen=True, slots=True)
class _Line:
    kind: str
    text: str


def read_briefing(text: str, finder: SkillFinder, *, language: str = "") -> Project:
    """Return the project that a text describes; family and category stay empty.

    A heading is a known word such as 'Title', or a short line that ends with a colon or begins with `#`. A known
    heading may also be followed by a colon and its text on the same line. The title is the text under a heading like
    'Title', else the first line, or its first sentence if it is long. Skills under a heading like 'nice to have' are
    optional, all others mandatory.

    Args:
        text: text as pasted, also HTML or Markdown.
        language: language code of the text; guessed by default.

    Raises:
        MatchingError: there is no text.
    """
    text = _FIRST_MARK.sub("", plain_text(text, _HEADING_MARK))
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
    """Yield the lines, without headings and empty ones; a title is one line, other sections end at the next heading."""
    kind = _OTHER
    for line in filter(None, (line.strip() for line in text.splitlines())):
        before, colon, after = line.partition(":")
        heading = _HEADINGS.get(fold(before))
        if heading is not None and colon and after.strip(" *_"):
            yield _Line(heading, after.strip(" *_"))
            kind = _OTHER
        elif heading is not None and not after.strip(" *_"):
            kind = heading
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
    """Return the title, and the rest without the job title; a text of a single line is both title and rest."""
    rest = [line.text for line in lines if line.kind not in (_TITLE, _JOB_TITLE)]
    named = _under(lines, _TITLE)
    title = _first_sentence(named or (rest or [""])[0])
    if not named and len(rest) > 1 and title == rest[0]:
        del rest[0]
    return title, "\n".join(rest)


def _first_sentence(text: str) -> str:
    """Return a text's first line; if that is too long, its first sentence; if that is too long, its beginning."""
    line = text.partition("\n")[0]
    if len(line) > _LONGEST_TITLE:
        line = _SENTENCE_END.split(line, maxsplit=1)[0]
    return line if len(line) <= _LONGEST_TITLE else line[: _LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"


@dataclass(frozen=True, slots=True)
class FormSkills:
    """The names of skills in a form."""

    mandatory: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectForm:
    """Content of the form."""

    title: str  # title; '' to take it from the text
    text: str  # text of the project, in any language
    category: str  # key of the category, or ''
    skills: FormSkills  # names of the skills, in any language; a skill unknown to the taxonomy has its own text as key


def form_of(project: Project) -> ProjectForm:
    """Return a form filled in with a project."""
    text = f"Role: {project.job_title}\n{project.description}" if project.job_title else project.description
    skills = FormSkills(_texts(project.mandatory), _texts(project.bonus))
    return ProjectForm(project.title, text, project.category, skills)


def followed(chosen: FormSkills, before: FormSkills, after: FormSkills) -> FormSkills:
    """Return the skills of a form after a change of its text.

    Skills that the old text mentions and the new one does not are removed, the reverse are added. All others stay as
    they are, so that a skill added or removed by hand stays added or removed.

    Args:
        chosen: the form's skills so far.
        before: skills found in the old text.
        after: skills found in the new text.
    """
    mandatory = _followed(chosen.mandatory, before.mandatory, after.mandatory)
    bonus = _followed(chosen.bonus, before.bonus, after.bonus)
    return FormSkills(mandatory, tuple(name for name in bonus if name not in mandatory))


def _followed(chosen: Sequence[str], before: Iterable[str], after: Iterable[str]) -> tuple[str, ...]:
    old, new = set(before), dict.fromkeys(after)
    remaining = [name for name in chosen if name not in old or name in new]
    return tuple(dict.fromkeys([*remaining, *(name for name in new if name not in old)]))


def _texts(skills: Iterable[NamedSkill]) -> tuple[str, ...]:
    return tuple(skill.text for skill in skills)


class ProjectReader:
    """A reader of projects with the skills and groups of one taxonomy."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        """Fold the names of the taxonomy's skills, which takes a second for a hundred thousand."""
        names = SkillNames.of(taxonomy)
        self._taxonomy, self._finder, self._keys = taxonomy, SkillFinder(names), SkillKeys(names)
        self.skills = SkillSplitter(self._keys)  # splits texts of skills, and counts the doubtful ones

    def text(self, text: str, *, language: str = "") -> Project:
        """Return the project that a text describes; raises as `read_briefing`."""
        return read_briefing(text, self._finder, language=language)

    def mentioned(self, text: str) -> FormSkills:
        """Return the skills that a text mentions; none for an empty text."""
        if not text.strip():
            return FormSkills()
        project = read_briefing(text, self._finder)
        return FormSkills(_texts(project.mandatory), _texts(project.bonus))

    def form(self, form: ProjectForm) -> Project:
        """Return the project of a form; raises MatchingError if it has neither a title nor a text."""
        title = " ".join(form.title.split())
        text = plain_text(form.text, _HEADING_MARK)
        language = guess_language(f"{title}\n{text}")
        read = read_briefing(f"Title: {title}\n{text}" if title else text, self._finder, language=language)
        mandatory = self._keys.named(form.skills.mandatory)
        keys = {skill.key for skill in mandatory}
        family = form.category[:_FAMILY_DIGITS]
        return Project(
            id=PASTED,
            language=language,
            title=read.title,
            job_title=read.job_title,
            description=read.description,
            family=family,
            family_name=self._taxonomy.group_name(family, language) if family else "",
            category=form.category,
            category_name=self._taxonomy.group_name(form.category, language) if form.category else "",
            mandatory=mandatory,
            bonus=tuple(skill for skill in self._keys.named(form.skills.bonus) if skill.key not in keys),
        )

    def file(self, path: Path) -> Project:
        """Return the project of a file: a record if its name ends in .json, else a text.

        Raises:
            DataFileError: the file cannot be read, or a record has an invalid cell.
            MatchingError: it has no text.
        """
        is_record = path.suffix.lower() == ".json"
        try:
            content = read_text(path, "utf-8-sig")
            record = json.loads(content) if is_record else {}
        except UnicodeDecodeError as error:
            raise DataFileError(path, "this is not UTF-8 text; save it as UTF-8") from error
        except (ValueError, RecursionError) as error:
            raise DataFileError(path, f"this is not JSON ({error})") from error
        except OSError as error:
            raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error
        if not is_record:
            return self.text(content)
        if not isinstance(record, dict):
            raise DataFileError(path, "expected one JSON object: a project")
        return self.record(record, path)

    def record(self, record: dict[str, Any], source: Path) -> Project:
        """Return the project of one record; *source* names it in errors. Raises DataFileError for an invalid cell."""
        return self._project(Cells(source, 1, record), PASTED)

    def table(self, path: Path, layout: TableLayout = PLAIN_LAYOUT) -> Iterator[list[Project]]:
        """Yield the projects of a table in batches, read by its layout; projects without an id get their number.

        Raises DataFileError if the file cannot be read, or a cell is not valid.
        """
        count = 0
        for batch in layout.read_numbered(path, batch_rows=200):
            yield [
                self._project(Cells(path, number, record), str(place))
                for place, (number, record) in enumerate(batch, count + 1)
            ]
            count += len(batch)
        if not count:
            raise DataFileError(path, "the file has no rows")

    def _project(self, row: Cells, default_id: str) -> Project:
        title, job_title, description = row.line("title"), row.line("job_title"), row.prose("description")
        text = "\n".join(filter(None, (title, job_title, description)))
        if not text:
            raise row.error("the project has neither a title nor a description")
        language = row.language() if row.text("language") else guess_language(text)
        category, family = row.text("category"), row.text("family")
        mandatory, bonus = self._skills(row, text, language)
        return Project(
            id=row.text("id") or default_id,
            language=language,
            title=title,
            job_title=job_title,
            description=description,
            family=family,
            family_name=row.text("family_name") or self._taxonomy.group_name(family, language),
            category=category,
            category_name=row.text("category_name") or self._taxonomy.group_name(category, language),
            mandatory=mandatory,
            bonus=bonus,
            created=row.date("created"),
            country=row.country(),
            place=row.place(),
        )

    def _skills(self, row: Cells, text: str, language: str) -> tuple[tuple[NamedSkill, ...], tuple[NamedSkill, ...]]:
        mandatory, bonus = (self.skills.named(row.names(field)) for field in ("mandatory", "bonus"))
        return (mandatory, bonus) if mandatory or bonus else (self._finder.find(text, language), ())
