"""Projects, freelancers and interactions as Arrow tables, and in Parquet files that are read on demand.

A table has a column per field; skills are two columns of lists (keys and texts), places are latitude and longitude.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Place, Project
from jobmatch_core.errors import MarketplaceError

RecordT = TypeVar("RecordT")
Columns = dict[str, list[Any]]

_PROJECT_TEXTS = (
    "id language title job_title description family family_name category category_name created country"
).split()
_FREELANCER_TEXTS = (
    "id language title description experience family family_name category category_name country available_from"
).split()
_PLACE = {"latitude": pa.float64(), "longitude": pa.float64()}
_FLAG = {"generated": pa.bool_()}
_GROUPS = 8  # row groups held in memory


@dataclass(frozen=True, slots=True)
class RecordTable(Generic[RecordT]):
    """Conversion of one kind of record to a table and back."""

    schema: pa.Schema
    columns: Callable[[Sequence[RecordT]], Columns]
    records: Callable[[Columns], Iterator[RecordT]]

    def to_table(self, records: Sequence[RecordT]) -> pa.Table:
        """Return records as a table."""
        return pa.table(self.columns(records), schema=self.schema)

    def from_table(self, table: pa.Table) -> list[RecordT]:
        """Return a table's records."""
        columns = zip(table.column_names, table.columns, strict=True)
        return list(self.records({name: _values(column.combine_chunks()) for name, column in columns}))


def _values(column: pa.Array) -> list[Any]:
    # Arrow's own `to_pylist` takes several times as long for texts
    if pa.types.is_string(column.type):
        return list(column.to_numpy(zero_copy_only=False))
    if not pa.types.is_list(column.type):
        return list(column.to_pylist())
    items, lengths = _values(column.flatten()), column.value_lengths().to_numpy()
    ends = np.cumsum(lengths).tolist()
    return [items[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)]


def _schema(texts: Iterable[str], lists: Iterable[str], others: dict[str, pa.DataType]) -> pa.Schema:
    fields = {name: pa.string() for name in texts}
    fields |= {f"{name}_{part}": pa.list_(pa.string()) for name in lists for part in ("keys", "texts")}
    return pa.schema(list((fields | others).items()))


def _plain_columns(records: Sequence[Any], names: Iterable[str]) -> Columns:
    return {name: [getattr(record, name) for record in records] for name in names}


def _skill_columns(records: Sequence[Any], name: str) -> Columns:
    lists = [getattr(record, name) for record in records]
    return {
        f"{name}_keys": [[skill.key for skill in skills] for skills in lists],
        f"{name}_texts": [[skill.text for skill in skills] for skills in lists],
    }


def _place_columns(records: Sequence[Any]) -> Columns:
    return {part: [getattr(record.place, part) if record.place else None for record in records] for part in _PLACE}


def _project_columns(records: Sequence[Project]) -> Columns:
    return (
        _plain_columns(records, (*_PROJECT_TEXTS, "generated"))
        | _skill_columns(records, "mandatory")
        | _skill_columns(records, "bonus")
        | _place_columns(records)
    )


def _freelancer_columns(records: Sequence[Freelancer]) -> Columns:
    return (
        _plain_columns(records, (*_FREELANCER_TEXTS, "day_rate", "generated"))
        | _skill_columns(records, "skills")
        | _place_columns(records)
    )


def _projects(columns: Columns) -> Iterator[Project]:
    mandatory, bonus = _skill_lists(columns, "mandatory"), _skill_lists(columns, "bonus")
    places = _places(columns)
    for texts, must, may, place, generated in zip(
        _rows(columns, _PROJECT_TEXTS), mandatory, bonus, places, columns["generated"], strict=True
    ):
        yield Project(**texts, mandatory=must, bonus=may, place=place, generated=generated)


def _freelancers(columns: Columns) -> Iterator[Freelancer]:
    numbers = zip(columns["day_rate"], columns["generated"], strict=True)
    for texts, skills, place, (rate, generated) in zip(
        _rows(columns, _FREELANCER_TEXTS), _skill_lists(columns, "skills"), _places(columns), numbers, strict=True
    ):
        yield Freelancer(**texts, skills=skills, place=place, day_rate=rate, generated=generated)


def _interactions(columns: Columns) -> Iterator[Interaction]:
    for fields in _rows(columns, ("project", "freelancer", "positive", "date")):
        yield Interaction(**fields)


def _rows(columns: Columns, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for values in zip(*(columns[name] for name in names), strict=True):
        yield dict(zip(names, values, strict=True))


def _skill_lists(columns: Columns, name: str) -> Iterator[tuple[NamedSkill, ...]]:
    for keys, texts in zip(columns[f"{name}_keys"], columns[f"{name}_texts"], strict=True):
        yield tuple(map(NamedSkill, keys, texts))


def _places(columns: Columns) -> Iterator[Place | None]:
    for latitude, longitude in zip(columns["latitude"], columns["longitude"], strict=True):
        yield None if latitude is None else Place(latitude, longitude)


PROJECTS = RecordTable(_schema(_PROJECT_TEXTS, ("mandatory", "bonus"), _PLACE | _FLAG), _project_columns, _projects)
FREELANCERS = RecordTable(
    _schema(_FREELANCER_TEXTS, ("skills",), _PLACE | {"day_rate": pa.float64()} | _FLAG),
    _freelancer_columns,
    _freelancers,
)
INTERACTIONS = RecordTable(
    _schema(("project", "freelancer"), (), {"positive": pa.bool_(), "date": pa.string()}),
    lambda records: _plain_columns(records, ("project", "freelancer", "positive", "date")),
    _interactions,
)


class StoredRecords(Sequence[RecordT]):
    """A sequence of the records of one file; thread-safe."""

    def __init__(self, path: Path, table: RecordTable[RecordT]) -> None:
        """Check the file's layout, without reading records.

        Raises MarketplaceError if the file is missing, damaged or of another layout.
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
            return tuple(self[row] for row in range(*place.indices(len(self))))
        row = place + len(self) if place < 0 else place
        if not 0 <= row < len(self):
            raise IndexError(f"there is no record {place}; there are {len(self)} records")
        group = bisect_right(self._starts, row) - 1
        record: RecordT = self._group(group)[row - self._starts[group]]
        return record

    def __iter__(self) -> Iterator[RecordT]:
        for group in range(self._metadata.num_row_groups):
            yield from self._group(group)

    def ids(self) -> list[str]:
        """Return all ids, without reading other columns."""
        return list(self._columns(["id"]).column("id").to_numpy())

    def texts(self, columns: Sequence[str]) -> pa.Table:
        """Return some columns of recurring texts, dictionary-encoded.

        Raises MarketplaceError if the file is damaged.
        """
        return self._columns(columns, read_dictionary=columns).unify_dictionaries()  # row groups have their own

    def _columns(self, columns: Sequence[str], read_dictionary: Sequence[str] = ()) -> pa.Table:
        try:
            return pq.read_table(self._path, columns=list(columns), read_dictionary=list(read_dictionary))
        except (OSError, pa.ArrowException) as error:
            raise damaged(self._path, error) from error

    def _read_group(self, group: int) -> list[RecordT]:
        try:
            with pq.ParquetFile(self._path, metadata=self._metadata) as file:
                return self._table.from_table(file.read_row_group(group))
        except (OSError, pa.ArrowException) as error:
            raise damaged(self._path, error) from error


def damaged(path: Path, why: object) -> MarketplaceError:
    """Return the error of a file that cannot be read."""
    return MarketplaceError(
        f"The marketplace {path.parent.name} is damaged ({path.name}: {why}); remove it and make or import it again."
    )
