"""A project form: a pasted text with the skills found in it, corrected by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jobmatch_core.entities import NamedSkill, Project
from jobmatch_core.retrieval.briefing import PASTED, read_briefing
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillFinder, SkillNames
from jobmatch_core.taxonomy.skill_keys import SkillKeys
from jobmatch_core.text.language_guess import guess_language

_FAMILY_DIGITS = 2  # families are ISCO-08 sub-major groups


@dataclass(frozen=True, slots=True)
class FormSkills:
    """The names of skills in a form."""

    mandatory: tuple[str, ...] = ()
    bonus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectForm:
    """Content of the form.

    Attributes:
        title: title; '' to take it from the text.
        text: text of the project, in any language.
        category: category key, '' if left open.
        skills: names of the skills, in any language; a skill unknown to the taxonomy has its own text as key.
    """

    title: str
    text: str
    category: str
    skills: FormSkills


class FormReader:
    """A reader of forms with the skills and groups of one taxonomy."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        """Fold the names of the taxonomy's skills, which takes a second for a hundred thousand."""
        names = SkillNames.of(taxonomy)
        self._taxonomy, self._finder, self._keys = taxonomy, SkillFinder(names), SkillKeys(names)

    def skills(self, text: str) -> FormSkills:
        """Return the skills that a text mentions; none for an empty text."""
        if not text.strip():
            return FormSkills()
        project = read_briefing(text, self._finder)
        return FormSkills(_texts(project.mandatory), _texts(project.bonus))

    def project(self, form: ProjectForm) -> Project:
        """Return the project.

        Raises:
            MatchingError: there is neither a title nor a text.
        """
        title = " ".join(form.title.split())
        language = guess_language(f"{title}\n{form.text}")
        read = read_briefing(f"Title: {title}\n{form.text}" if title else form.text, self._finder, language=language)
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


def form_of(project: Project) -> ProjectForm:
    """Return a form filled in with a project."""
    text = f"Role: {project.job_title}\n{project.description}" if project.job_title else project.description
    skills = FormSkills(_texts(project.mandatory), _texts(project.bonus))
    return ProjectForm(project.title, text, project.category, skills)


def followed(chosen: FormSkills, before: FormSkills, after: FormSkills) -> FormSkills:
    """Return the skills of a form after a change of its text.

    Skills added or removed by hand stay so, unless the new text alone mentions them.

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
    kept = [name for name in chosen if name not in old or name in new]
    return tuple(dict.fromkeys([*kept, *(name for name in new if name not in old)]))


def _texts(skills: Iterable[NamedSkill]) -> tuple[str, ...]:
    return tuple(skill.text for skill in skills)
