"""Projects, freelancers and interactions as Arrow tables, one column per field.

Skills are two columns of lists, their keys and their texts; a place is two columns, latitude and longitude.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Place, Project

RecordT = TypeVar("RecordT")
Columns = dict[str, list[Any]]

_PROJECT_TEXTS = (
    "id", "language", "title", "job_title", "description", "family", "family_name", "category", "category_name",
    "created", "country",
)  # fmt: skip
_FREELANCER_TEXTS = (
    "id", "language", "title", "description", "experience", "family", "family_name", "category", "category_name",
    "country", "available_from",
)  # fmt: skip
_PLACE = {"latitude": pa.float64(), "longitude": pa.float64()}


@dataclass(frozen=True, slots=True)
class RecordTable(Generic[RecordT]):
    """Conversion of one kind of record to a table and back.

    Attributes:
        schema: schema of the table.
        columns: function from records to columns.
        records: function from columns to records.
    """

    schema: pa.Schema
    columns: Callable[[Sequence[RecordT]], Columns]
    records: Callable[[Columns], Iterator[RecordT]]

    def write(self, records: Sequence[RecordT]) -> pa.Table:
        """Return records as a table."""
        return pa.table(self.columns(records), schema=self.schema)

    def read(self, table: pa.Table) -> list[RecordT]:
        """Return a table's records."""
        columns = zip(table.column_names, table.columns, strict=True)
        return list(self.records({name: _values(column.combine_chunks()) for name, column in columns}))


def _values(column: pa.Array) -> list[Any]:
    """Return a column's values; its own `to_pylist` takes several times as long for texts."""
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


def _texts(records: Sequence[Any], names: Iterable[str]) -> Columns:
    return {name: [getattr(each, name) for each in records] for name in names}


def _skill_columns(records: Sequence[Any], name: str) -> Columns:
    lists = [getattr(each, name) for each in records]
    return {
        f"{name}_keys": [[skill.key for skill in skills] for skills in lists],
        f"{name}_texts": [[skill.text for skill in skills] for skills in lists],
    }


def _place_columns(records: Sequence[Any]) -> Columns:
    return {part: [getattr(each.place, part) if each.place else None for each in records] for part in _PLACE}


def _project_columns(records: Sequence[Project]) -> Columns:
    return (
        _texts(records, _PROJECT_TEXTS)
        | _skill_columns(records, "mandatory")
        | _skill_columns(records, "bonus")
        | _place_columns(records)
        | {"generated": [each.generated for each in records]}
    )


def _freelancer_columns(records: Sequence[Freelancer]) -> Columns:
    return (
        _texts(records, _FREELANCER_TEXTS)
        | _skill_columns(records, "skills")
        | _place_columns(records)
        | {"day_rate": [each.day_rate for each in records], "generated": [each.generated for each in records]}
    )


def _interaction_columns(records: Sequence[Interaction]) -> Columns:
    return _texts(records, ("project", "freelancer", "positive", "date"))


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


_FLAG = {"generated": pa.bool_()}
PROJECTS = RecordTable(_schema(_PROJECT_TEXTS, ("mandatory", "bonus"), _PLACE | _FLAG), _project_columns, _projects)
FREELANCERS = RecordTable(
    _schema(_FREELANCER_TEXTS, ("skills",), _PLACE | {"day_rate": pa.float64()} | _FLAG),
    _freelancer_columns,
    _freelancers,
)
INTERACTIONS = RecordTable(
    _schema(("project", "freelancer"), (), {"positive": pa.bool_(), "date": pa.string()}),
    _interaction_columns,
    _interactions,
)
