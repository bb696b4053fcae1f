"""The simulated legacy system, which shows freelancers to projects by shared words and so leaves a biased history.

Like the one described by Jouanneau et al. (2024), section 1, it knows titles and listed skills, not the long texts, and
is monolingual: it compares words (TF-IDF) and prefers the project's language. Some of the freelancers shown are drawn
at random from the same category. The answers depend on the hidden coverage, with noise; freelancers who do not answer
are not in the history (section 3).
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array
from sparse_dot_topn import sp_matmul_topn

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.marketplace.demo.profiles import freelancer_id
from jobmatch_core.marketplace.skill_truth import SkillTruth
from jobmatch_core.text.folding import fold

_POOL, _CHANCE_POOL = 120, 60  # freelancers considered: by shared words, and at random from the category
_SAME_LANGUAGE, _SAME_CATEGORY = 0.1, 0.3  # in cosines
_WHIM = 0.12  # scale of the noise (Gumbel), in cosines
_FEWEST_SHOWN, _MOST_SHOWN = 8, 18
_ANSWERED = 0.8
_STEEPNESS, _UNDECIDED = 8.0, 0.45  # interest = sigmoid(steepness (coverage - undecided))
_DAYS_TO_ANSWER = 4.0  # on average
_LONGEST = 21

Rows = NDArray[np.int32]


class LegacySystem:
    """Index of all freelancers' words, to show some of them to projects."""

    def __init__(self) -> None:
        """Start with no freelancers."""
        self._words: dict[str, int] = {}
        self._of_skills: dict[str, tuple[int, ...]] = {}
        self._columns, self._lengths = array("i"), array("i")
        self._languages: list[str] = []
        self._categories: list[str] = []

    def add(self, freelancers: Iterable[Freelancer]) -> None:
        """Add profiles; only before the first are shown."""
        for each in freelancers:
            words = self._words_of([each.title], each.skills)
            self._columns.extend(words)
            self._lengths.append(len(words))
            self._languages.append(each.language)
            self._categories.append(each.category)

    def shown(self, projects: Sequence[Project], generator: np.random.Generator) -> Iterator[Rows]:
        """Yield for each project the rows of the freelancers shown to it, each once."""
        wanted = [self._words_of([each.job_title, each.title], (*each.mandatory, *each.bonus)) for each in projects]
        columns = np.fromiter((word for words in wanted for word in words), dtype=np.int32)
        likeness = sp_matmul_topn(
            self._weighted(columns, np.array([len(words) for words in wanted]))[:, : self._by_word.shape[0]],
            self._by_word,
            top_n=_POOL,
            n_threads=1,
        )
        for row, project in enumerate(projects):
            start, end = likeness.indptr[row : row + 2]
            pool, scores = self._pool(likeness.indices[start:end], likeness.data[start:end], project, generator)
            scores += _SAME_LANGUAGE * (self._language_array[pool] == project.language)
            scores += _SAME_CATEGORY * (self._category_array[pool] == project.category)
            scores += generator.gumbel(0, _WHIM, len(pool))
            yield pool[np.argsort(-scores)[: generator.integers(_FEWEST_SHOWN, _MOST_SHOWN + 1)]]

    def _pool(
        self, found: Rows, scores: NDArray[np.float32], project: Project, generator: np.random.Generator
    ) -> tuple[Rows, NDArray[np.float64]]:
        category = self._by_category.get(project.category, np.empty(0, dtype=np.int32))
        drawn = generator.choice(category, min(_CHANCE_POOL, len(category)), replace=False)
        strangers = np.setdiff1d(drawn, found)
        pool = np.concatenate([found, strangers]).astype(np.int32)
        return pool, np.concatenate([scores, np.zeros(len(strangers))]).astype(np.float64)

    def _words_of(self, texts: Iterable[str], skills: Iterable[NamedSkill]) -> tuple[int, ...]:
        """Return the numbers of a document's words; those of skills are cached, since skills recur."""
        words = dict.fromkeys(number for text in texts for number in self._numbered(text))
        for skill in skills:
            if skill.text not in self._of_skills:
                self._of_skills[skill.text] = self._numbered(skill.text)
            words |= dict.fromkeys(self._of_skills[skill.text])
        return tuple(words)

    def _numbered(self, text: str) -> tuple[int, ...]:
        return tuple(self._words.setdefault(word, len(self._words)) for word in fold(text).split())

    def _weighted(self, columns: Rows, lengths: NDArray[np.int64]) -> csr_matrix:
        """Return (text, word) L2-normalised TF-IDF; words that no freelancer has weigh the most."""
        ends = np.concatenate([[0], np.cumsum(lengths)])
        weights = np.ones(len(self._words), dtype=np.float32)
        weights[: len(self._rarity)] = self._rarity
        matrix = csr_matrix((weights[columns], columns, ends), shape=(len(lengths), len(self._words)))
        norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
        return csr_matrix(diags_array(1 / np.maximum(norms, 1e-9)) @ matrix, dtype=np.float32)

    @cached_property
    def _rarity(self) -> NDArray[np.float32]:
        """Each word's inverse document frequency, at most 1."""
        counts = np.bincount(np.asarray(self._columns, dtype=np.int32), minlength=len(self._words))
        n_texts = len(self._lengths)
        rarity: NDArray[np.float32] = np.log((1 + n_texts) / (1 + counts)).astype(np.float32) / np.log(1 + n_texts)
        return rarity

    @cached_property
    def _by_word(self) -> csr_matrix:
        """(word, freelancer) weights."""
        columns = np.asarray(self._columns, dtype=np.int32)
        return csr_matrix(self._weighted(columns, np.asarray(self._lengths, dtype=np.int64)).T)

    @cached_property
    def _language_array(self) -> NDArray[np.str_]:
        return np.array(self._languages)

    @cached_property
    def _category_array(self) -> NDArray[np.str_]:
        return np.array(self._categories)

    @cached_property
    def _by_category(self) -> dict[str, Rows]:
        names, numbers = np.unique(self._category_array, return_inverse=True)
        order = np.argsort(numbers, kind="stable").astype(np.int32)
        parts = np.split(order, np.cumsum(np.bincount(numbers))[:-1])
        return dict(zip(names.tolist(), parts, strict=True))


def answers(
    projects: Sequence[Project], shown: Sequence[Rows], truth: SkillTruth, generator: np.random.Generator
) -> Iterator[Interaction]:
    """Yield the answers of those that answer, by project.

    Args:
        projects: projects with a date of creation.
        shown: rows of the freelancers shown to each project.
        truth: truth with the rows of these projects and of all freelancers.
        generator: random generator of the noise.
    """
    rows = np.repeat(np.arange(len(projects), dtype=np.int32), [len(each) for each in shown])
    freelancers = np.concatenate([*shown, np.empty(0, dtype=np.int32)])
    coverage = truth.coverage_of_pairs(rows, freelancers)
    interest = 1 / (1 + np.exp(-_STEEPNESS * (coverage - _UNDECIDED)))
    positive = generator.random(len(rows)) < interest
    delays = 1 + np.minimum(generator.exponential(_DAYS_TO_ANSWER, len(rows)), _LONGEST).astype(np.int64)
    answered = generator.random(len(rows)) < _ANSWERED
    days = [date.fromisoformat(project.created) for project in projects]
    for pair in np.flatnonzero(answered).tolist():
        row = int(rows[pair])
        yield Interaction(
            project=projects[row].id,
            freelancer=freelancer_id(int(freelancers[pair])),
            positive=bool(positive[pair]),
            date=(days[row] + timedelta(days=int(delays[pair]))).isoformat(),
        )
