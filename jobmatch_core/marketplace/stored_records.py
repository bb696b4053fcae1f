"""Records in a Parquet file, read on demand, so that a million profiles need little memory."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TypeVar, overload

import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.record_tables import RecordTable

RecordT = TypeVar("RecordT")
_GROUPS = 8  # row groups held in memory


class StoredRecords(Sequence[RecordT]):
    """A sequence of the records of one file; thread-safe."""

    def __init__(self, path: Path, table: RecordTable[RecordT]) -> None:
        """Check the file, but read none of its records yet.

        Raises:
            MarketplaceError: the file is missing, damaged or of another layout.
        """
        self._path = path
        self._table = table
        try:
            self._metadata = pq.read_metadata(path)
            schema = self._metadata.schema.to_arrow_schema()
        except (OSError, pa.ArrowException) as error:
            raise damaged(path, error) from error
        if not schema.equals(table.schema):
            raise damaged(path, f"it has the columns {', '.join(schema.names)}")
        groups = range(self._metadata.num_row_groups)
        self._starts = [0, *accumulate(self._metadata.row_group(group).num_rows for group in groups)]
        self._group: Callable[[int], list[RecordT]] = lru_cache(maxsize=_GROUPS)(self._read_group)

    def __len__(self) -> int:
        return int(self._metadata.num_rows)

    @overload
    def __getitem__(self, place: int) -> RecordT: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RecordT, ...]: ...
    def __getitem__(self, place: int | slice) -> RecordT | tuple[RecordT, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        row = place + len(self) if place < 0 else place
        if not 0 <= row < len(self):
            raise IndexError(f"there are {len(self)} records, but no number {place}")
        group = bisect_right(self._starts, row) - 1
        record: RecordT = self._group(group)[row - self._starts[group]]
        return record

    def __iter__(self) -> Iterator[RecordT]:
        for group in range(self._metadata.num_row_groups):
            yield from self._group(group)

    def ids(self) -> list[str]:
        """Return all records' ids; no other column is read."""
        return list(self._columns(["id"]).column("id").to_numpy())

    def texts(self, columns: Sequence[str]) -> pa.Table:
        """Return some columns of recurring texts, each text stored once: a second for a million records.

        Raises:
            MarketplaceError: the file is damaged.
        """
        return self._columns(columns, read_dictionary=columns).unify_dictionaries()  # each row group has its own

    def _columns(self, columns: Sequence[str], read_dictionary: Sequence[str] = ()) -> pa.Table:
        try:
            return pq.read_table(self._path, columns=list(columns), read_dictionary=list(read_dictionary))
        except (OSError, pa.ArrowException) as error:
            raise damaged(self._path, error) from error

    def _read_group(self, group: int) -> list[RecordT]:
        try:
            with pq.ParquetFile(self._path, metadata=self._metadata) as file:
                return self._table.read(file.read_row_group(group))
        except (OSError, pa.ArrowException) as error:
            raise damaged(self._path, error) from error


def damaged(path: Path, why: object) -> MarketplaceError:
    """Return the error of a file that cannot be read."""
    return MarketplaceError(
        f"The marketplace {path.parent.name} is damaged ({path.name}: {why}); remove it and make or import it again."
    )
