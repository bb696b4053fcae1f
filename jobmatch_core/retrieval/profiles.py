"""Profiles on disk in a form from which any hundred of a million can be read in milliseconds.

A marketplace stores them in Parquet, which is read by groups of thousands. Here they lie uncompressed in an Arrow file
that is memory-mapped, with an index by id, and a digest of each to detect later changes:

    profiles.arrow   the records, in the marketplace's order
    ids.npy          their ids (UTF-8), sorted
    rows.npy         the row of each of these ids
    digests.npy      the digest of each of these ids' records
"""

import hashlib
import mmap
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from jobmatch_core.entities import Freelancer
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.record_tables import FREELANCERS
from jobmatch_core.vector_stores.stored_segment import Ids, mapped

_BLOCK = 2048  # records in a block of the file


class Profiles:
    """Freelancers by id; thread-safe."""

    def __init__(self, folder: Path) -> None:
        """Open the files that `write` wrote, memory-mapped.

        Raises:
            MatchingError: a file is missing or damaged.
        """
        try:
            with (folder / "profiles.arrow").open("rb") as file:
                self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            reader = pa.ipc.open_file(pa.BufferReader(pa.py_buffer(self._file)))
            self._blocks = [reader.get_batch(number) for number in range(reader.num_record_batches)]
            self.ids: Ids = mapped(folder / "ids.npy")
            self._rows: NDArray[np.int64] = mapped(folder / "rows.npy")
            self.digests: NDArray[np.uint64] = mapped(folder / "digests.npy")
        except (OSError, ValueError, EOFError, pa.ArrowException) as error:
            raise MatchingError(f"The profiles in {folder} are damaged ({error}); delete that folder.") from error
        self._starts = [0, *accumulate(len(block) for block in self._blocks)]
        if not len(self.ids) == len(self._rows) == len(self.digests) == self._starts[-1]:
            raise MatchingError(f"The profiles in {folder} are damaged; delete that folder.")

    @classmethod
    def write(cls, folder: Path, freelancers: Iterable[Freelancer]) -> None:
        """Write freelancers into a folder as they come.

        Raises:
            MatchingError: two have the same id, or one has none or a NUL in it.
        """
        ids: list[bytes] = []
        digests: list[int] = []
        stream = iter(freelancers)
        # arrow does not close a file of its own where the disk is full
        with (folder / "profiles.arrow").open("wb") as file, pa.ipc.new_file(file, FREELANCERS.schema) as writer:
            while block := list(islice(stream, _BLOCK)):
                writer.write_table(FREELANCERS.write(block))
                ids += (each.id.encode("utf-8", "surrogatepass") for each in block)
                digests += map(_digest, block)
        names = np.array(ids, dtype=np.bytes_)
        order = np.argsort(names, kind="stable")
        _check_ids(ids, names[order])
        np.save(folder / "ids.npy", names[order])
        np.save(folder / "rows.npy", order.astype(np.int64))
        np.save(folder / "digests.npy", np.array(digests, dtype=np.uint64)[order])

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Freelancer]:
        """Yield all, in the marketplace's order, a block in memory at a time."""
        for block in self._blocks:
            yield from FREELANCERS.read(pa.Table.from_batches([block]))

    def unchanged_since(self, known: "Profiles") -> NDArray[np.bool_]:
        """Return for each of the sorted ids whether *known* has the same record of it."""
        if not len(known):
            return np.zeros(len(self), dtype=bool)
        places = np.minimum(np.searchsorted(known.ids, self.ids), len(known) - 1)
        same: NDArray[np.bool_] = (known.ids[places] == self.ids) & (known.digests[places] == self.digests)
        return same

    def by_id(self, ids: Sequence[str]) -> dict[str, Freelancer]:
        """Return those of the given freelancers that are stored here."""
        if not ids or not len(self):
            return {}
        wanted = np.array([id_.encode("utf-8", "surrogatepass") for id_ in ids], dtype=np.bytes_)
        places = np.minimum(np.searchsorted(self.ids, wanted), len(self) - 1)
        rows = self._rows[places[self.ids[places] == wanted]]
        records = [block.slice(row - start, 1) for row in rows.tolist() for start, block in [self._block_of(row)]]
        found = FREELANCERS.read(pa.Table.from_batches(records, FREELANCERS.schema))
        if hasattr(mmap, "MADV_DONTNEED"):  # else a process that finds for long has the whole file in its memory
            self._file.madvise(mmap.MADV_DONTNEED)
        return {each.id: each for each in found}

    def _block_of(self, row: int) -> tuple[int, pa.RecordBatch]:
        number = bisect_right(self._starts, row) - 1
        return self._starts[number], self._blocks[number]


def _digest(freelancer: Freelancer) -> int:
    return int.from_bytes(hashlib.blake2b(repr(freelancer).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _check_ids(ids: Sequence[bytes], ordered: Ids) -> None:
    if any(not id_ or b"\0" in id_ for id_ in ids):
        raise MatchingError("A freelancer's id is empty or has a NUL in it; give each one that has not.")
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        raise MatchingError(f"Two freelancers have the id {twice[0].decode('utf-8', 'replace')!r}; give each its own.")
