"""Documents: profiles and projects as sets of typed sections (Jouanneau et al. 2024, section 3).

Every document of a kind has all its sections, in one order; an empty section has an empty text, so that a model sees
that it is empty (section 4.2). Sections begin at headings, in nine languages (`headings.toml`).

For models that need no training, documents are also one vector per section, by any sentence encoder (section 4.1), and
sparse matrices of their terms, such as skills or words.
"""

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray, Freelancer, NamedSkill, Progress, Project, no_progress
from jobmatch_core.text.folding import fold

Kind = Literal["freelancer", "project"]
SECTIONS: dict[Kind, tuple[str, ...]] = {
    "freelancer": ("title", "description", "family", "category", "skills", "experience"),
    "project": ("title", "job_title", "description", "family", "category", "mandatory_skills", "bonus_skills"),
}
_BLOCK = 1024  # texts between two progress reports


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


@cache
def known_headings(kind: Kind, sections: tuple[str, ...]) -> dict[str, str]:
    """Return a map from folded heading to section.

    Args:
        kind: kind of document.
        sections: sections of the file to use; a heading of two of them begins the first.
    """
    found: dict[str, str] = {}
    for section in sections:
        for headings in _tables()[kind][section].values():
            for heading in headings:
                found.setdefault(fold(heading), section)
    return found


@cache
def _tables() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return kind -> section -> language -> headings."""
    return tomllib.loads((files("jobmatch_core.towers") / "headings.toml").read_text("utf-8"))


def term_matrices(first: Sequence[Collection[str]], second: Sequence[Collection[str]]) -> tuple[csr_matrix, csr_matrix]:
    """Return two lists of documents as (document, term) float matrices over the terms of both.

    Args:
        first: terms of each document; a repeated term is counted as often.
        second: terms of each document of the other list.
    """
    numbers = {term: number for number, term in enumerate(sorted({t for each in (*first, *second) for t in each}))}
    return _counts(first, numbers), _counts(second, numbers)


def _counts(documents: Sequence[Collection[str]], numbers: dict[str, int]) -> csr_matrix:
    columns = np.array([numbers[term] for terms in documents for term in terms], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum([len(terms) for terms in documents], dtype=np.int64)])
    matrix = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(documents), len(numbers)))
    matrix.sum_duplicates()
    return matrix


def section_vectors(documents: Sequence[Document], encoder: Encoder, *, progress: Progress = no_progress) -> FloatArray:
    """Return the vectors of all sections, shape (document, section, dimension), sections as in `SECTIONS`.

    Each distinct text is encoded once, so that names of families and categories cost nothing.

    Args:
        documents: documents of one kind, at least one.
        encoder: encoder of the sections; it also encodes empty ones.
        progress: called with distinct texts done and in total.

    Raises:
        ValueError: there is no document, or they are of two kinds.
    """
    if len({each.kind for each in documents}) != 1:
        raise ValueError("expected documents of one kind, at least one")
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(text, len(numbers)) for text in each.texts] for each in documents]
    texts = list(numbers)
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        blocks.append(encoder.encode(texts[start : start + _BLOCK]))
        progress(min(start + _BLOCK, len(texts)), len(texts))
    vectors: FloatArray = np.concatenate(blocks)[np.array(rows)]
    return vectors
