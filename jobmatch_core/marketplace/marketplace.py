"""A marketplace: projects, freelancers, and the outcomes of showing them to each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.marketplace.skill_truth import Need, SkillTruth, skill_rows, skills_of_rows
from jobmatch_core.marketplace.stored_records import StoredRecords

BLOCK_ROWS = 2048  # records that are read, generated or written at a time


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a marketplace's records; a marketplace of any size is a stream of blocks.

    Attributes:
        projects, freelancers, interactions: records.
        needs: hidden need of each of *projects*; empty for a real marketplace.
        mastered: columns of the skills that each of *freelancers* masters; empty for a real marketplace.
        skills: keys of those columns, in only one of the blocks.
    """

    projects: Sequence[Project] = ()
    freelancers: Sequence[Freelancer] = ()
    interactions: Sequence[Interaction] = ()
    needs: Sequence[Need] = ()
    mastered: Sequence[Sequence[int]] = ()
    skills: Sequence[str] = ()


@dataclass(frozen=True)
class Marketplace:
    """All records; those of a stored marketplace are read on demand, a row group at a time.

    Attributes:
        name: name of the marketplace.
        projects, freelancers, interactions: records in the order of their files.
        truth: hidden coverage; None for a real marketplace.
        generated: true for a synthetic marketplace, which must be shown as such.
    """

    name: str
    projects: Sequence[Project]
    freelancers: Sequence[Freelancer]
    interactions: Sequence[Interaction]
    truth: SkillTruth | None = None
    generated: bool = False

    @classmethod
    def of_blocks(cls, name: str, blocks: Iterable[Block], *, generated: bool = False) -> "Marketplace":
        """Hold a stream of blocks in memory."""
        held = list(blocks)
        skills = tuple(key for block in held for key in block.skills)
        needs = [need for block in held for need in block.needs]
        return cls(
            name=name,
            projects=tuple(project for block in held for project in block.projects),
            freelancers=tuple(freelancer for block in held for freelancer in block.freelancers),
            interactions=tuple(interaction for block in held for interaction in block.interactions),
            truth=SkillTruth(
                skills,
                mastered=skill_rows([row for block in held for row in block.mastered], len(skills)),
                mandatory=skill_rows([need.mandatory for need in needs], len(skills)),
                bonus=skill_rows([need.bonus for need in needs], len(skills)),
            )
            if skills
            else None,
            generated=generated,
        )

    @cached_property
    def project_rows(self) -> dict[str, int]:
        """The row of each project by id, also in the truth."""
        return {key: row for row, key in enumerate(_ids(self.projects))}

    @cached_property
    def freelancer_rows(self) -> dict[str, int]:
        """The row of each freelancer by id, also in the truth."""
        return {key: row for row, key in enumerate(_ids(self.freelancers))}

    def blocks(self) -> Iterator[Block]:
        """Yield all records, to be stored."""
        truth = self.truth
        mastered = skills_of_rows(truth.mastered) if truth else []
        needs = list(truth.needs()) if truth else []
        if truth:
            yield Block(skills=truth.skills)
        for part in _parts(len(self.freelancers)):
            yield Block(freelancers=self.freelancers[part], mastered=mastered[part])
        for part in _parts(len(self.projects)):
            yield Block(projects=self.projects[part], needs=needs[part])
        for part in _parts(len(self.interactions)):
            yield Block(interactions=self.interactions[part])


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, BLOCK_ROWS):
        yield slice(start, start + BLOCK_ROWS)


def _ids(records: Sequence[Project] | Sequence[Freelancer]) -> list[str]:
    """Return the ids; of stored records only the id column is read."""
    return records.ids() if isinstance(records, StoredRecords) else [each.id for each in records]
