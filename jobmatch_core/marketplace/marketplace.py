"""A marketplace: projects, freelancers, and what came of showing them to each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.marketplace.skill_truth import Need, SkillTruth, skill_rows, skills_of_rows
from jobmatch_core.marketplace.stored_records import StoredRecords

BLOCK_ROWS = 2048  # records that are read, made or written at a time


@dataclass(frozen=True, slots=True)
class Block:
    """Some records of a marketplace on their way; a marketplace of any size is a stream of them.

    Attributes:
        projects, freelancers, interactions: records.
        needs: the hidden need of each of *projects*; empty where the marketplace is a real one.
        mastered: the columns of the skills that each of *freelancers* masters, likewise.
        skills: the keys of those columns, in any one block.
    """

    projects: Sequence[Project] = ()
    freelancers: Sequence[Freelancer] = ()
    interactions: Sequence[Interaction] = ()
    needs: Sequence[Need] = ()
    mastered: Sequence[Sequence[int]] = ()
    skills: Sequence[str] = ()


@dataclass(frozen=True)
class Marketplace:
    """All records; of a stored one they are read when they are asked for, a row group at a time.

    Attributes:
        name: what it is called.
        projects, freelancers, interactions: in the order of their files.
        truth: the hidden coverage; None of a real marketplace.
        generated: whether we made it up, to be told wherever it is shown.
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
        """The place of each project, by id; that of its row in the truth, too."""
        return {key: row for row, key in enumerate(_ids(self.projects))}

    @cached_property
    def freelancer_rows(self) -> dict[str, int]:
        """The same of the freelancers."""
        return {key: row for row, key in enumerate(_ids(self.freelancers))}

    def blocks(self) -> Iterator[Block]:
        """Yield all of it, to be stored."""
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
    """Return the ids; of stored records only their column is read."""
    return records.ids() if isinstance(records, StoredRecords) else [each.id for each in records]
