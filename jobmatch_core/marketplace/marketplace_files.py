"""The files of a stored marketplace: one Parquet file per kind of record, three more for a generated one's truth.

    projects.parquet  freelancers.parquet  interactions.parquet
    needs.parquet     mastered.parquet     skills.parquet

They are written block by block, so that a marketplace of any size needs the memory of one block.
"""

import hashlib
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Freelancer
from jobmatch_core.marketplace.marketplace import Block, Marketplace
from jobmatch_core.marketplace.record_tables import FREELANCERS, INTERACTIONS, PROJECTS
from jobmatch_core.marketplace.skill_truth import SkillTruth, rows_of
from jobmatch_core.marketplace.stored_records import StoredRecords, damaged

_NUMBERS = pa.list_(pa.int32())
_TRUTH = {
    "needs": pa.schema({"mandatory": _NUMBERS, "bonus": _NUMBERS}),
    "mastered": pa.schema({"skills": _NUMBERS}),
    "skills": pa.schema({"key": pa.string()}),
}
_RECORDS = {"projects": PROJECTS.schema, "freelancers": FREELANCERS.schema, "interactions": INTERACTIONS.schema}


class MarketplaceWriter:
    """A writer of blocks into a new folder; to be used in a `with` block.

    Attributes:
        counts: numbers of written projects, freelancers, interactions, and positive interactions.
    """

    def __init__(self, folder: Path, *, generated: bool) -> None:
        """Open the files; those of the truth only of a generated marketplace."""
        self._folder = folder
        schemas = _RECORDS | (_TRUTH if generated else {})
        self._files = {
            name: pq.ParquetWriter(_path(folder, name), schema, compression="zstd") for name, schema in schemas.items()
        }
        self.counts = {**dict.fromkeys(_RECORDS, 0), "positive": 0}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()

    def write(self, block: Block) -> None:
        """Add a block's records."""
        self._write("projects", PROJECTS.write(block.projects))
        self._write("freelancers", FREELANCERS.write(block.freelancers))
        self._write("interactions", INTERACTIONS.write(block.interactions))
        self.counts["positive"] += sum(each.positive for each in block.interactions)
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

    Raises:
        MarketplaceError: a file is missing or damaged, or they do not belong together.
    """
    projects = StoredRecords(_path(folder, "projects"), PROJECTS)
    freelancers = read_freelancers(folder)
    interactions = StoredRecords(_path(folder, "interactions"), INTERACTIONS)
    truth = _read_truth(folder) if generated else None
    if truth and (truth.mastered.shape[0], truth.mandatory.shape[0]) != (len(freelancers), len(projects)):
        raise damaged(_path(folder, "needs"), "the truth is of other projects or freelancers")
    return Marketplace(name, projects, freelancers, interactions, truth, generated)


def read_freelancers(folder: Path) -> StoredRecords[Freelancer]:
    """Open the freelancers' file alone.

    Raises:
        MarketplaceError: it is missing or damaged.
    """
    return StoredRecords(_path(folder, "freelancers"), FREELANCERS)


def hash_files(folder: Path) -> dict[str, str]:
    """Return each Parquet file's SHA-256."""
    return {path.name: _sha256(path) for path in sorted(folder.glob("*.parquet"))}


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
    """Turn a column of lists into rows of a matrix without a Python object a number."""
    array = lists.combine_chunks()
    columns = array.flatten().to_numpy(zero_copy_only=False).astype(np.int32)
    return rows_of(columns, array.value_lengths().to_numpy(zero_copy_only=False).astype(np.int64), n_skills)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.parquet"
