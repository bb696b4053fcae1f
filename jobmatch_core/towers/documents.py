"""Documents: profiles and projects as sets of typed sections (Jouanneau et al. 2024, section 3).

Every document of a kind has all its sections, in one order; an empty section has an empty text, so that a model sees
that it is empty (section 4.2).
"""

from dataclasses import dataclass
from typing import Literal

from jobmatch_core.entities import Freelancer, NamedSkill, Project

Kind = Literal["freelancer", "project"]
SECTIONS: dict[Kind, tuple[str, ...]] = {
    "freelancer": ("title", "description", "family", "category", "skills", "experience"),
    "project": ("title", "job_title", "description", "family", "category", "mandatory_skills", "bonus_skills"),
}


@dataclass(frozen=True, slots=True)
class Document:
    """A project or a profile as the towers read it.

    Attributes:
        id: id of the project or freelancer.
        kind: project or freelancer.
        language: language code of the texts.
        category: key of its category; freelancers of different categories are weak negatives (section 3.2.3).
        texts: one per section, in the order of `SECTIONS[kind]`; '' for an empty section.
        skill_keys: keys of all skills, for the overlap of equation 17.
    """

    id: str
    kind: Kind
    language: str
    category: str
    texts: tuple[str, ...]
    skill_keys: frozenset[str]

    @property
    def whole(self) -> str:
        """All sections as one text, for models without sections."""
        return "\n".join(text for text in self.texts if text)


def freelancer_document(freelancer: Freelancer) -> Document:
    """Return a profile's sections."""
    return Document(
        id=freelancer.id,
        kind="freelancer",
        language=freelancer.language,
        category=freelancer.category,
        texts=(
            freelancer.title,
            freelancer.description,
            freelancer.family_name,
            freelancer.category_name,
            _listed(freelancer.skills),
            freelancer.experience,
        ),
        skill_keys=frozenset(skill.key for skill in freelancer.skills),
    )


def project_document(project: Project) -> Document:
    """Return a project's sections."""
    return Document(
        id=project.id,
        kind="project",
        language=project.language,
        category=project.category,
        texts=(
            project.title,
            project.job_title,
            project.description,
            project.family_name,
            project.category_name,
            _listed(project.mandatory),
            _listed(project.bonus),
        ),
        skill_keys=frozenset(skill.key for skill in (*project.mandatory, *project.bonus)),
    )


def _listed(skills: tuple[NamedSkill, ...]) -> str:
    return ", ".join(skill.text for skill in skills)
