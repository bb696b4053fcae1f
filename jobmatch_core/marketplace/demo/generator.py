"""A demo marketplace, block by block, from an installed taxonomy; a larger one starts with the same records.

A simulated legacy system leaves a biased history. Like that of Jouanneau et al. (2024), section 1, it compares words of
titles and listed skills (TF-IDF), and prefers the project's language. Some freelancers are drawn at random from the
category. Answers depend on the hidden coverage, with noise; missing answers are not in the history (section 3).
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sparse_dot_topn import sp_matmul_topn

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Progress, Project, no_progress
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.synthetic_records import (
    draw_abilities,
    draw_need,
    draw_persona,
    freelancer_id,
    write_profile,
    write_project,
)
from jobmatch_core.marketplace.demo.world import RandomChoices, World, demo_languages
from jobmatch_core.marketplace.marketplace import (
    BLOCK_ROWS,
    Marketplace,
    Need,
    RecordBlock,
    SkillTruth,
    flat_skill_rows,
    skill_rows,
)
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.text.folding import fold
from jobmatch_core.text.tfidf import term_rarity, unit_rows

Rows = NDArray[np.int32]

_GENERATOR = "1"  # incremented when the same seed no longer gives the same marketplace
DEMO = "demo"
_FREELANCERS, _PROJECTS, _HISTORY = 1, 2, 3  # streams of random numbers
_POOL, _CHANCE_POOL = 120, 60  # candidates by shared words, and at random from the category
_SAME_LANGUAGE, _SAME_CATEGORY = 0.1, 0.3  # in cosines
_WHIM = 0.12  # scale of the noise (Gumbel), in cosines
_FEWEST_SHOWN, _MOST_SHOWN = 8, 18
_ANSWERED = 0.8
_STEEPNESS, _UNDECIDED = 8.0, 0.45  # interest = sigmoid(steepness (coverage - undecided))
_DAYS_TO_ANSWER = 4.0  # on average
_LONGEST = 21


class LegacySystem:
    """Index of all freelancers' words, which shows some freelancers to projects."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._numbers_of_skills: dict[str, tuple[int, ...]] = {}
        self._columns, self._lengths = array("i"), array("i")
        self._languages: list[str] = []
        self._categories: list[str] = []

    def add(self, freelancers: Iterable[Freelancer]) -> None:
        """Add profiles; not after the first call of `shown`."""
        for freelancer in freelancers:
            words = self._word_numbers([freelancer.title], freelancer.skills)
            self._columns.extend(words)
            self._lengths.append(len(words))
            self._languages.append(freelancer.language)
            self._categories.append(freelancer.category)

    def shown(self, projects: Sequence[Project], generator: np.random.Generator) -> Iterator[Rows]:
        """Yield the distinct rows of the freelancers shown to each project."""
        wanted = [
            self._word_numbers([project.job_title, project.title], (*project.mandatory, *project.bonus))
            for project in projects
        ]
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
        self, similar: Rows, scores: NDArray[np.float32], project: Project, generator: np.random.Generator
    ) -> tuple[Rows, NDArray[np.float64]]:
        category = self._by_category.get(project.category, np.empty(0, dtype=np.int32))
        drawn = generator.choice(category, min(_CHANCE_POOL, len(category)), replace=False)
        strangers = np.setdiff1d(drawn, similar)
        pool = np.concatenate([similar, strangers]).astype(np.int32)
        return pool, np.concatenate([scores, np.zeros(len(strangers))]).astype(np.float64)

    def _word_numbers(self, texts: Iterable[str], skills: Iterable[NamedSkill]) -> tuple[int, ...]:
        words = dict.fromkeys(number for text in texts for number in self._numbers(text))
        for skill in skills:
            if skill.text not in self._numbers_of_skills:
                self._numbers_of_skills[skill.text] = self._numbers(skill.text)
            words |= dict.fromkeys(self._numbers_of_skills[skill.text])
        return tuple(words)

    def _numbers(self, text: str) -> tuple[int, ...]:
        return tuple(self._words.setdefault(word, len(self._words)) for word in fold(text).split())

    def _weighted(self, columns: Rows, lengths: NDArray[np.int64]) -> csr_matrix:
        # (text, word) L2-normalised TF-IDF; words that no freelancer has get the highest weight
        ends = np.concatenate([[0], np.cumsum(lengths)])
        weights = np.ones(len(self._words), dtype=np.float32)
        weights[: len(self._rarity)] = self._rarity
        ones = np.ones(len(columns), dtype=np.float32)
        return unit_rows(csr_matrix((ones, columns, ends), shape=(len(lengths), len(self._words))), weights)

    @cached_property
    def _rarity(self) -> NDArray[np.float32]:
        return term_rarity(np.asarray(self._columns, dtype=np.int32), len(self._lengths), len(self._words))

    @cached_property
    def _by_word(self) -> csr_matrix:
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
    """Yield the answers by project, some missing; *truth* is that of these projects and of all freelancers."""
    rows = np.repeat(np.arange(len(projects), dtype=np.int32), list(map(len, shown)))
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


@dataclass(frozen=True, slots=True)
class DemoSpec:
    """Numbers of projects and freelancers, seed, and languages of a demo marketplace as for `demo_languages`."""

    projects: int = 500
    freelancers: int = 5000
    seed: int = 1
    languages: tuple[str, ...] = ()

    def origin(self, taxonomy: Taxonomy) -> dict[str, str]:
        """Return the origin for a manifest; raises as `demo_languages`."""
        return {
            "generator": _GENERATOR,
            "seed": str(self.seed),
            "taxonomy": taxonomy.id,
            "taxonomy_hash": taxonomy.manifest.source_hash,
            "languages": ", ".join(demo_languages(taxonomy, self.languages)),
        }


def demo_marketplace(taxonomy: Taxonomy, spec: DemoSpec) -> Marketplace:
    """Generate a marketplace in memory; raises as `demo_blocks`."""
    return Marketplace.of_blocks("demo", demo_blocks(taxonomy, spec), generated=True)


def demo_blocks(taxonomy: Taxonomy, spec: DemoSpec, *, progress: Progress = no_progress) -> Iterator[RecordBlock]:
    """Generate a marketplace as a stream; *progress* is called with records generated and in total.

    Raises MarketplaceError if the numbers are invalid, or the taxonomy lacks a language or has too few skills.
    """
    if min(spec.projects, spec.freelancers) < 1 or spec.seed < 0:
        raise MarketplaceError(
            "A marketplace needs at least one project, one freelancer, and a seed of at least 0; requested were "
            f"{spec.projects} projects and {spec.freelancers} freelancers with seed {spec.seed}."
        )
    world = World.of(taxonomy, spec.languages)
    total = spec.projects + spec.freelancers
    yield RecordBlock(skills=world.skills)
    legacy, mastered = LegacySystem(), _Mastered(len(world.skills))
    for numbers in _blocks(spec.freelancers):
        block = _freelancer_block(world, spec.seed, numbers)
        legacy.add(block.freelancers)
        mastered.add(block.mastered)
        yield block
        progress(numbers.stop, total)
    for numbers in _blocks(spec.projects):
        block = _project_block(world, spec.seed, numbers)
        yield block
        generator = np.random.default_rng([spec.seed, _HISTORY, numbers.start])
        shown = list(legacy.shown(block.projects, generator))
        truth = mastered.truth(world.skills, block.needs)
        yield RecordBlock(interactions=list(answers(block.projects, shown, truth, generator)))
        progress(spec.freelancers + numbers.stop, total)


class _Mastered:
    # of all freelancers, four bytes per skill; all are added before the truth is computed

    def __init__(self, n_skills: int) -> None:
        self._n_skills = n_skills
        self._columns, self._lengths = array("i"), array("i")

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        for row in rows:
            self._columns.extend(row)
            self._lengths.append(len(row))

    def truth(self, skills: tuple[str, ...], needs: Sequence[Need]) -> SkillTruth:
        return SkillTruth(
            skills,
            mastered=self._matrix,
            mandatory=skill_rows([need.mandatory for need in needs], self._n_skills),
            bonus=skill_rows([need.bonus for need in needs], self._n_skills),
        )

    @cached_property
    def _matrix(self) -> csr_matrix:
        return flat_skill_rows(
            np.array(self._columns, dtype=np.int32), np.array(self._lengths, dtype=np.int64), self._n_skills
        )


def _blocks(count: int) -> Iterator[range]:
    for start in range(0, count, BLOCK_ROWS):
        yield range(start, min(start + BLOCK_ROWS, count))


def _freelancer_block(world: World, seed: int, numbers: range) -> RecordBlock:
    random = RandomChoices([seed, _FREELANCERS, numbers.start])
    freelancers: list[Freelancer] = []
    mastered: list[tuple[int, ...]] = []
    for row in numbers:
        persona = draw_persona(world, random)
        abilities = draw_abilities(world, persona.occupation, random)
        freelancers.append(write_profile(row, persona, abilities, world, random))
        mastered.append(abilities.mastered)
    return RecordBlock(freelancers=freelancers, mastered=mastered)


def _project_block(world: World, seed: int, numbers: range) -> RecordBlock:
    random = RandomChoices([seed, _PROJECTS, numbers.start])
    projects: list[Project] = []
    needs: list[Need] = []
    for row in numbers:
        persona = draw_persona(world, random)
        needs.append(draw_need(world, persona.occupation, random))
        projects.append(write_project(row, persona, needs[-1], world, random))
    return RecordBlock(projects=projects, needs=needs)


def install_demo(settings: Settings | None = None, *, progress: Progress = no_progress) -> MarketplaceManifest:
    """Generate and store the demo marketplace of 500 projects and 5,000 freelancers; progress as for `demo_blocks`.

    Raises MarketplaceError if a marketplace of that name exists already, or the disk cannot be written.
    """
    settings = settings or Settings.from_environment()
    store, spec = MarketplaceStore.open(settings), DemoSpec()
    store.refuse(DEMO, replace=False)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec, progress=progress)
    return store.save(DEMO, blocks, origin=spec.origin(taxonomy), generated=True)
