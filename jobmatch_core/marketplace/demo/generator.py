"""A whole demo marketplace, block by block, from an installed taxonomy.

A marketplace begins with the same freelancers as a smaller one of the same seed, and the same holds for projects.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Freelancer, Progress, Project, no_progress
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.briefs import write_project
from jobmatch_core.marketplace.demo.legacy import LegacySystem, answers
from jobmatch_core.marketplace.demo.personas import draw_abilities, draw_need, draw_persona
from jobmatch_core.marketplace.demo.profiles import write_profile
from jobmatch_core.marketplace.demo.random_choices import RandomChoices
from jobmatch_core.marketplace.demo.world import World, demo_languages
from jobmatch_core.marketplace.marketplace import BLOCK_ROWS, Block, Marketplace
from jobmatch_core.marketplace.skill_truth import Need, SkillTruth, rows_of, skill_rows
from jobmatch_core.taxonomy import Taxonomy

GENERATOR = "1"  # raised when the same seed no longer gives the same marketplace
_FREELANCERS, _PROJECTS, _HISTORY = 1, 2, 3  # streams of random numbers


@dataclass(frozen=True, slots=True)
class DemoSpec:
    """Size, seed and languages of a demo marketplace.

    Attributes:
        projects, freelancers: numbers of each.
        seed: seed; the same seed and taxonomy give the same marketplace.
        languages: language codes of the texts, as for `demo_languages`.
    """

    projects: int = 500
    freelancers: int = 5000
    seed: int = 1
    languages: tuple[str, ...] = ()

    def origin(self, taxonomy: Taxonomy) -> dict[str, str]:
        """Return the origin for a manifest; raises as `demo_languages`."""
        return {
            "generator": GENERATOR,
            "seed": str(self.seed),
            "taxonomy": taxonomy.id,
            "taxonomy_hash": taxonomy.manifest.source_hash,
            "languages": ", ".join(demo_languages(taxonomy, self.languages)),
        }


def demo_marketplace(taxonomy: Taxonomy, spec: DemoSpec, *, progress: Progress = no_progress) -> Marketplace:
    """Generate a marketplace in memory; raises as `demo_blocks`."""
    return Marketplace.of_blocks("demo", demo_blocks(taxonomy, spec, progress=progress), generated=True)


def demo_blocks(taxonomy: Taxonomy, spec: DemoSpec, *, progress: Progress = no_progress) -> Iterator[Block]:
    """Generate a marketplace as a stream, which needs little memory whatever its size.

    Args:
        taxonomy: taxonomy with skills and ISCO-08 unit groups; texts in its languages other than `phrases.LANGUAGES`
            are only lists of names.
        spec: size, seed and languages.
        progress: called with records generated and records in total.

    Raises:
        MarketplaceError: the numbers are not valid, or the taxonomy lacks a language or has too few skills.
    """
    if min(spec.projects, spec.freelancers) < 1 or spec.seed < 0:
        raise MarketplaceError(
            f"{spec.projects} projects and {spec.freelancers} freelancers of seed {spec.seed} cannot be generated; "
            "give at least one of each, and a seed of at least 0."
        )
    world = World.of(taxonomy, spec.languages)
    total = spec.projects + spec.freelancers
    yield Block(skills=world.skills)
    legacy, known = LegacySystem(), _Mastered(len(world.skills))
    for numbers in _blocks(spec.freelancers):
        block = _freelancer_block(world, spec.seed, numbers)
        legacy.add(block.freelancers)
        known.add(block.mastered)
        yield block
        progress(numbers.stop, total)
    for numbers in _blocks(spec.projects):
        block = _project_block(world, spec.seed, numbers)
        yield block
        yield _history_block(block, legacy, known.truth_of(world.skills, block.needs), spec.seed, numbers)
        progress(spec.freelancers + numbers.stop, total)


class _Mastered:
    """The mastered skills of all freelancers, in four bytes a skill; all are added before the truth is computed."""

    def __init__(self, n_skills: int) -> None:
        self._n_skills = n_skills
        self._columns, self._lengths = array("i"), array("i")

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        for each in rows:
            self._columns.extend(each)
            self._lengths.append(len(each))

    def truth_of(self, skills: tuple[str, ...], needs: Sequence[Need]) -> SkillTruth:
        return SkillTruth(
            skills,
            mastered=self._matrix,
            mandatory=skill_rows([need.mandatory for need in needs], self._n_skills),
            bonus=skill_rows([need.bonus for need in needs], self._n_skills),
        )

    @cached_property
    def _matrix(self) -> csr_matrix:
        return rows_of(np.array(self._columns, dtype=np.int32), np.array(self._lengths, dtype=np.int64), self._n_skills)


def _blocks(count: int) -> Iterator[range]:
    for start in range(0, count, BLOCK_ROWS):
        yield range(start, min(start + BLOCK_ROWS, count))


def _freelancer_block(world: World, seed: int, numbers: range) -> Block:
    random = RandomChoices([seed, _FREELANCERS, numbers.start])
    freelancers: list[Freelancer] = []
    mastered: list[tuple[int, ...]] = []
    for row in numbers:
        persona = draw_persona(world, random)
        abilities = draw_abilities(world, persona.occupation, random)
        freelancers.append(write_profile(row, persona, abilities, world, random))
        mastered.append(abilities.mastered)
    return Block(freelancers=freelancers, mastered=mastered)


def _project_block(world: World, seed: int, numbers: range) -> Block:
    random = RandomChoices([seed, _PROJECTS, numbers.start])
    projects: list[Project] = []
    needs: list[Need] = []
    for row in numbers:
        persona = draw_persona(world, random)
        needs.append(draw_need(world, persona.occupation, random))
        projects.append(write_project(row, persona, needs[-1], world, random))
    return Block(projects=projects, needs=needs)


def _history_block(block: Block, legacy: LegacySystem, truth: SkillTruth, seed: int, numbers: range) -> Block:
    generator = np.random.default_rng([seed, _HISTORY, numbers.start])
    shown = list(legacy.shown(block.projects, generator))
    return Block(interactions=list(answers(block.projects, shown, truth, generator)))
