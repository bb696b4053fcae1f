"""A marketplace: projects, freelancers, their interactions, the hidden truth of a generated one, and its files.

Files are Parquet, written block by block: projects, freelancers and interactions; and needs, mastered and skills for
the truth, which is the ground truth for retrieval where interactions are biased.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray, Freelancer, Interaction, Project
from jobmatch_core.marketplace.stored_records import FREELANCERS, INTERACTIONS, PROJECTS, StoredRecords, damaged

Numbers = NDArray[np.int32]
_MANDATORY_WEIGHT, _BONUS_WEIGHT = 2.0, 1.0
BLOCK_ROWS = 2048  # records that are read, generated or written at a time
_NUMBERS = pa.list_(pa.int32())
_TRUTH = {
    "needs": pa.schema({"mandatory": _NUMBERS, "bonus": _NUMBERS}),
    "mastered": pa.schema({"skills": _NUMBERS}),
    "skills": pa.schema({"key": pa.string()}),
}
_RECORDS = {"projects": PROJECTS.schema, "freelancers": FREELANCERS.schema, "interactions": INTERACTIONS.schema}


@dataclass(frozen=True, slots=True)
class Need:
    """The skills that a project truly needs, as disjoint columns of the truth."""

    mandatory: Sequence[int]
    bonus: Sequence[int]


@dataclass(frozen=True)
class SkillTruth:
    """True skills as matrices; rows are in the order of the marketplace's projects and freelancers."""

    skills: tuple[str, ...]  # key of each column
    mastered: csr_matrix  # (freelancer, skill) boolean
    mandatory: csr_matrix  # (project, skill) boolean
    bonus: csr_matrix  # (project, skill) boolean, disjoint from *mandatory*

    def coverage(self, projects: Numbers | None = None, freelancers: Numbers | None = None) -> FloatArray:
        """Return the weighted share of each project's skills that each freelancer masters; 0 if none are needed.

        Mandatory skills weigh twice as much as bonus skills. The result is (project, freelancer), dense float32,
        for the given row numbers, or for all.
        """
        shares = self._shares(projects)
        mastered = self.mastered if freelancers is None else self.mastered[freelancers]
        # rounded thirds may add up to more than 1
        covered: FloatArray = np.minimum((shares @ mastered.T).toarray(), 1, dtype=np.float32)
        return covered

    def coverage_of_pairs(self, projects: Numbers, freelancers: Numbers) -> FloatArray:
        """Return the coverage of projects[i] by freelancers[i], 0 to 1, shape (pair,); see `coverage`."""
        products = self._shares(projects).multiply(self.mastered[freelancers])
        return np.minimum(np.asarray(products.sum(axis=1), dtype=np.float32).ravel(), 1)

    def with_projects(self, rows: Numbers) -> "SkillTruth":
        """Return the truth of some projects."""
        return SkillTruth(self.skills, self.mastered, self.mandatory[rows], self.bonus[rows])

    def needs(self) -> Iterator[Need]:
        """Yield the need of each project."""
        for mandatory, bonus in zip(skills_of_rows(self.mandatory), skills_of_rows(self.bonus), strict=True):
            yield Need(mandatory, bonus)

    def _shares(self, projects: Numbers | None) -> csr_matrix:
        # (project, skill) share of each skill in the coverage
        mandatory, bonus = (part if projects is None else part[projects] for part in (self.mandatory, self.bonus))
        weights = csr_matrix(mandatory * np.float32(_MANDATORY_WEIGHT) + bonus * np.float32(_BONUS_WEIGHT))
        totals = np.asarray(weights.sum(axis=1), dtype=np.float32).ravel()
        weights.data /= np.repeat(totals, np.diff(weights.indptr))
        return weights


def skill_rows(rows: Sequence[Sequence[int]], n_skills: int) -> csr_matrix:
    """Return rows of column numbers as (row, skill) boolean."""
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(lengths.sum()))
    return flat_skill_rows(columns, lengths, n_skills)


def flat_skill_rows(columns: Numbers, lengths: NDArray[np.int64], n_skills: int) -> csr_matrix:
    """Return (row, skill) boolean from the concatenated columns of all rows, and the rows' lengths."""
    ends = np.concatenate([[0], np.cumsum(lengths)])
    matrix = csr_matrix((np.ones(len(columns), dtype=np.bool_), columns, ends), shape=(len(lengths), n_skills))
    matrix.sort_indices()
    return matrix


def skills_of_rows(matrix: csr_matrix) -> list[list[int]]:
    """Return the column numbers of each row."""
    bounds, columns = matrix.indptr.tolist(), matrix.indices.tolist()
    return [columns[start:end] for start, end in pairwise(bounds)]


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """A block of a marketplace's records; a stream of blocks is a marketplace of any size."""

    # projects, freelancers, interactions: records
    projects: Sequence[Project] = ()
    freelancers: Sequence[Freelancer] = ()
    interactions: Sequence[Interaction] = ()
    needs: Sequence[Need] = ()  # true needs of *projects*; empty for a real marketplace
    # columns of the skills that *freelancers* master; empty for a real marketplace
    mastered: Sequence[Sequence[int]] = ()
    skills: Sequence[str] = ()  # keys of those columns, in only one of the blocks


@dataclass(frozen=True)
class Marketplace:
    """All records; those of a stored marketplace are read on demand."""

    name: str  # name of the marketplace
    # projects, freelancers, interactions: records in the order of their files
    projects: Sequence[Project]
    freelancers: Sequence[Freelancer]
    interactions: Sequence[Interaction]
    truth: SkillTruth | None = None  # true skills; None for a real marketplace
    generated: bool = False  # true for a synthetic marketplace, which must be shown as such

    @classmethod
    def of_blocks(cls, name: str, blocks: Iterable[RecordBlock], *, generated: bool = False) -> "Marketplace":
        """Load a stream of blocks into memory."""
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

    def blocks(self) -> Iterator[RecordBlock]:
        """Yield all records, to be stored."""
        truth = self.truth
        mastered = skills_of_rows(truth.mastered) if truth else []
        needs = list(truth.needs()) if truth else []
        if truth:
            yield RecordBlock(skills=truth.skills)
        for part in _parts(len(self.freelancers)):
            yield RecordBlock(freelancers=self.freelancers[part], mastered=mastered[part])
        for part in _parts(len(self.projects)):
            yield RecordBlock(projects=self.projects[part], needs=needs[part])
        for part in _parts(len(self.interactions)):
            yield RecordBlock(interactions=self.interactions[part])


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, BLOCK_ROWS):
        yield slice(start, start + BLOCK_ROWS)


def _ids(records: Sequence[Project] | Sequence[Freelancer]) -> list[str]:
    # of stored records, only the id column is read
    return records.ids() if isinstance(records, StoredRecords) else [record.id for record in records]


class MarketplaceWriter:
    """A writer of blocks into a new folder, for use in a `with` block."""

    def __init__(self, folder: Path, *, generated: bool) -> None:
        """Open the files, including those of the truth for a generated marketplace."""
        self._folder = folder
        schemas = _RECORDS | (_TRUTH if generated else {})
        self._files = {
            name: pq.ParquetWriter(_path(folder, name), schema, compression="zstd") for name, schema in schemas.items()
        }
        # numbers of written projects, freelancers, interactions, and positive interactions
        self.counts = {**dict.fromkeys(_RECORDS, 0), "positive": 0}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()

    def write(self, block: RecordBlock) -> None:
        """Add a block's records."""
        self._write("projects", PROJECTS.to_table(block.projects))
        self._write("freelancers", FREELANCERS.to_table(block.freelancers))
        self._write("interactions", INTERACTIONS.to_table(block.interactions))
        self.counts["positive"] += sum(interaction.positive for interaction in block.interactions)
        needs = {part: [getattr(need, part) for need in block.needs] for part in ("mandatory", "bonus")}
        self._write("needs", pa.table(needs, schema=_TRUTH["needs"]))
        self._write("mastered", pa.table({"skills": list(block.mastered)}, schema=_TRUTH["mastered"]))
        self._write("skills", pa.table({"key": list(block.skills)}, schema=_TRUTH["skills"]))

    def _write(self, name: str, table: pa.Table) -> None:
        if table.num_rows:
            self._files[name].write_table(table)
            if name in self.counts:
                self.counts[name] += table.num_rows


def read_marketplace(folder: Path, name: str, *, generated: bool) -> Marketplace:
    """Open a marketplace's files.

    Raises MarketplaceError if a file is missing or damaged, or the files do not belong together.
    """
    projects = StoredRecords(_path(folder, "projects"), PROJECTS)
    freelancers = read_freelancers(folder)
    interactions = StoredRecords(_path(folder, "interactions"), INTERACTIONS)
    truth = _read_truth(folder) if generated else None
    if truth and (truth.mastered.shape[0], truth.mandatory.shape[0]) != (len(freelancers), len(projects)):
        raise damaged(_path(folder, "needs"), "the truth is of other projects or freelancers")
    return Marketplace(name, projects, freelancers, interactions, truth, generated)


def read_freelancers(folder: Path) -> StoredRecords[Freelancer]:
    """Open only the freelancers' file; raises MarketplaceError if it is missing or damaged."""
    return StoredRecords(_path(folder, "freelancers"), FREELANCERS)


def hash_files(folder: Path) -> dict[str, str]:
    """Return each Parquet file's SHA-256."""
    hashes = {}
    for path in sorted(folder.glob("*.parquet")):
        with path.open("rb") as file:
            hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


def _read_truth(folder: Path) -> SkillTruth:
    keys = tuple(_read(folder, "skills").column("key").to_pylist())
    needs, mastered = _read(folder, "needs"), _read(folder, "mastered")
    matrices = [
        _matrix(table.column(column), len(keys))
        for table, column in ((mastered, "skills"), (needs, "mandatory"), (needs, "bonus"))
    ]
    return SkillTruth(keys, *matrices)


def _read(folder: Path, name: str) -> pa.Table:
    try:
        return pq.read_table(_path(folder, name), schema=_TRUTH[name])
    except (OSError, pa.ArrowException) as error:
        raise damaged(_path(folder, name), error) from error


def _matrix(lists: pa.ChunkedArray, n_skills: int) -> csr_matrix:
    # without a Python object per number
    array = lists.combine_chunks()
    columns = array.flatten().to_numpy(zero_copy_only=False).astype(np.int32)
    return flat_skill_rows(columns, array.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64), n_skills)


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.parquet"
