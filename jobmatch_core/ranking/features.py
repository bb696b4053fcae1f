"""Features of a pool: what is known of a project and each found freelancer, from 0 for nothing to about 1 for all.

Each is one function in `FEATURES`; a new one also needs a weight, which the next fit gives it. Not used: distance, day
rate and availability, because a project has no budget and no start to compare with (they are filters), and attention
over the profile's texts, which was measured and brings no more interested freelancers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray, NamedSkill, Project
from jobmatch_core.ranking.profile_terms import (
    COLUMNS,
    FACTS,
    ProfileTerms,
    core_numbers,
    fact_numbers,
    term_number,
    term_numbers,
    term_row,
)
from jobmatch_core.text.tfidf import unit_rows
from jobmatch_core.titles.one_gender import gendered_languages, one_gender
from jobmatch_core.towers.documents import project_document

POOL = 500  # freelancers of a pool, the most similar ones
Floats = NDArray[np.float64]
Feature = Callable[["Pool"], Floats]


@dataclass(frozen=True)
class Pool:
    """A project and its most similar freelancers, most similar first."""

    project: Project
    profiles: ProfileTerms

    @cached_property
    def facts(self) -> NDArray[np.bool_]:
        """Return whether profiles have the project's value, shape (profile, fact of `FACTS`)."""
        wanted = np.array(fact_numbers(self.project))
        same: NDArray[np.bool_] = (self.profiles.facts == wanted) & (wanted >= 0)
        return same


def nearness(pool: Pool) -> Floats:
    """Return 1 for the most similar profile by the model, falling with the logarithm of the rank."""
    return np.asarray(1 - np.log1p(np.arange(len(pool.profiles))) / np.log1p(POOL))


def shared_words(pool: Pool) -> Floats:
    """Return BM25 of all words of the project, as a share of the pool's highest."""
    query = term_row(term_numbers(project_document(pool.project).whole))
    scores = np.maximum(_product(pool.profiles.words, query), 0)
    return np.asarray(scores / max(scores.max(initial=0), 1e-9))


def title_and_skill_words(pool: Pool) -> Floats:
    """Return the cosine of the TF-IDF of the words of titles and skills."""
    project = pool.project
    titles = project_document(project).texts[:2]
    numbers = core_numbers(titles, (*project.mandatory, *project.bonus))
    return _product(pool.profiles.core, unit_rows(term_row(numbers), pool.profiles.rarity))


def must_haves_declared(pool: Pool) -> Floats:
    """Return the share of the mandatory skills that a profile declares."""
    return _mean(_declared(pool, pool.project.mandatory))


def must_haves_in_text(pool: Pool) -> Floats:
    """Return the share of the mandatory skills of which a profile has all words, but no declaration."""
    return _mean(_in_text(pool, pool.project.mandatory))


def extras_declared(pool: Pool) -> Floats:
    """Return the share of the desirable skills that a profile declares."""
    return _mean(_declared(pool, pool.project.bonus))


def extras_in_text(pool: Pool) -> Floats:
    """Return the share of the desirable skills of which a profile has all words, but no declaration."""
    return _mean(_in_text(pool, pool.project.bonus))


def _fact(name: str) -> Feature:
    column = FACTS.index(name)
    return lambda pool: pool.facts[:, column].astype(np.float64)


FEATURES: dict[str, Feature] = {
    "similarity": nearness,
    "shared words": shared_words,
    "words of title and skills": title_and_skill_words,
    "must-haves declared": must_haves_declared,
    "must-haves in the text": must_haves_in_text,
    "extras declared": extras_declared,
    "extras in the text": extras_in_text,
    "category": _fact("category"),
    "family": _fact("family"),
    "language": _fact("language"),
    "country": _fact("country"),
}


def features_of(pool: Pool, names: Sequence[str] = tuple(FEATURES)) -> Floats:
    """Return features of the profiles, shape (profile, feature)."""
    return np.stack([FEATURES[name](pool) for name in names], axis=1)


def missing_must_haves(pool: Pool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return how many mandatory skills profiles lack at least and at most, (profile,) each.

    At least: neither declared, nor all of their words in the texts. At most: not declared.
    """
    skills = list({skill.key: skill for skill in reversed(pool.project.mandatory)}.values())
    declared = _declared(pool, skills) > 0
    # nouns of the texts are in one gender (`towers/documents`), those of a skill as typed, in a language not known
    spellings = {tuple(one_gender(skill.text, code) for skill in skills) for code in ("", *gendered_languages())}
    in_text = np.zeros_like(declared)
    for texts in spellings:
        in_text |= _in_text(pool, [replace(skill, text=text) for skill, text in zip(skills, texts, strict=True)]) > 0
    return (~declared & ~in_text).sum(axis=1), (~declared).sum(axis=1)


def _mean(shares: FloatArray) -> Floats:
    return np.asarray(shares.mean(axis=1), dtype=np.float64)


def _declared(pool: Pool, skills: Sequence[NamedSkill]) -> FloatArray:
    # (profile, skill) 1 or 0; one column of 0 for a project without such skills
    if not skills:
        return np.zeros((len(pool.profiles), 1), dtype=np.float32)
    columns = [term_number(skill.key) for skill in skills]
    return np.asarray(pool.profiles.skills[:, columns].toarray())


def _in_text(pool: Pool, skills: Sequence[NamedSkill]) -> FloatArray:
    words = [sorted(set(term_numbers(skill.text))) for skill in skills]
    if not any(words):
        return np.zeros((len(pool.profiles), 1), dtype=np.float32)
    weights = pool.profiles.words[:, [number for numbers in words for number in numbers]]
    weights.data[:] = 1  # a word of half of the profiles weighs 0
    present = weights.toarray() != 0
    ends = np.cumsum([*map(len, words)])
    whole = [present[:, end - len(own) : end].all(axis=1) & bool(own) for own, end in zip(words, ends, strict=True)]
    return np.asarray(np.stack(whole, axis=1) * (1 - _declared(pool, skills)))


def _product(profiles: csr_matrix, project: csr_matrix) -> Floats:
    dense = np.zeros(COLUMNS, dtype=np.float64)
    dense[project.indices] = project.data
    return np.asarray(profiles @ dense, dtype=np.float64)
