"""Documents: profiles and projects as sections (Jouanneau et al. 2024, section 3); their section vectors and terms.

All documents of a kind have the same sections in the same order, empty ones included (section 4.2).
"""

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Literal

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray, Freelancer, NamedSkill, Progress, Project, no_progress
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.one_gender import one_gender

Kind = Literal["freelancer", "project"]
SECTIONS: dict[Kind, tuple[str, ...]] = {
    "freelancer": ("title", "description", "family", "category", "skills", "experience"),
    "project": ("title", "job_title", "description", "family", "category", "mandatory_skills", "bonus_skills"),
}
_BLOCK = 1024  # texts per progress report


@dataclass(frozen=True, slots=True)
class Document:
    """A project or profile as models read it."""

    id: str  # id of the project or freelancer
    kind: Kind  # project or freelancer
    language: str  # language code of the texts
    category: str  # key of its category; freelancers of different categories are weak negatives (section 3.2.3)
    # one per section of `SECTIONS[kind]`; '' for an empty section. Titles and free texts have their gendered nouns in
    # the common form (`titles/one_gender`) unless they are for people
    texts: tuple[str, ...]
    skill_keys: frozenset[str]  # keys of all skills, for equation 17

    @property
    def whole(self) -> str:
        """All sections as one text, for models without sections."""
        return "\n".join(text for text in self.texts if text)


def freelancer_document(freelancer: Freelancer, *, as_written: bool = False) -> Document:
    """Return a profile's sections, for models, or as written, for people."""
    plain = str if as_written else partial(one_gender, language=freelancer.language)
    return Document(
        id=freelancer.id,
        kind="freelancer",
        language=freelancer.language,
        category=freelancer.category,
        texts=(
            plain(freelancer.title),
            plain(freelancer.description),
            freelancer.family_name,
            freelancer.category_name,
            _listed(freelancer.skills),
            plain(freelancer.experience),
        ),
        skill_keys=frozenset(skill.key for skill in freelancer.skills),
    )


def project_document(project: Project, *, as_written: bool = False) -> Document:
    """Return a project's sections, for models, or as written, for people."""
    plain = str if as_written else partial(one_gender, language=project.language)
    return Document(
        id=project.id,
        kind="project",
        language=project.language,
        category=project.category,
        texts=(
            plain(project.title),
            plain(project.job_title),
            plain(project.description),
            project.family_name,
            project.category_name,
            _listed(project.mandatory),
            _listed(project.bonus),
        ),
        skill_keys=frozenset(skill.key for skill in (*project.mandatory, *project.bonus)),
    )


def _listed(skills: tuple[NamedSkill, ...]) -> str:
    return ", ".join(skill.text for skill in skills)


@cache
def known_headings(kind: Kind, sections: tuple[str, ...]) -> dict[str, str]:
    """Return the given sections by folded heading, in nine languages; a heading of several belongs to the first."""
    tables = tomllib.loads((files("jobmatch_core.towers") / "headings.toml").read_text("utf-8"))
    by_heading: dict[str, str] = {}
    for section in sections:
        for headings in tables[kind][section].values():  # by language
            for heading in headings:
                by_heading.setdefault(fold(heading), section)
    return by_heading


def term_matrices(first: Sequence[Collection[str]], second: Sequence[Collection[str]]) -> tuple[csr_matrix, csr_matrix]:
    """Return the terms of two lists of documents as (document, term) counts over a shared vocabulary."""
    vocabulary = sorted({term for terms in (*first, *second) for term in terms})
    numbers = {term: number for number, term in enumerate(vocabulary)}
    return _counts(first, numbers), _counts(second, numbers)


def _counts(documents: Sequence[Collection[str]], numbers: dict[str, int]) -> csr_matrix:
    columns = np.array([numbers[term] for terms in documents for term in terms], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum([len(terms) for terms in documents], dtype=np.int64)])
    matrix = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(documents), len(numbers)))
    matrix.sum_duplicates()
    return matrix


def section_vectors(documents: Sequence[Document], encoder: Encoder, *, progress: Progress = no_progress) -> FloatArray:
    """Return the vectors of all sections, shape (document, section, dimension); each distinct text is encoded once.

    Raises ValueError if there is no document, or they are of two kinds.
    """
    if len({document.kind for document in documents}) != 1:
        raise ValueError("expected documents of one kind, at least one")
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(text, len(numbers)) for text in document.texts] for document in documents]
    texts = list(numbers)
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        blocks.append(encoder.encode(texts[start : start + _BLOCK]))
        progress(min(start + _BLOCK, len(texts)), len(texts))
    vectors: FloatArray = np.concatenate(blocks)[np.array(rows)]
    return vectors
