"""Dataclasses from the plain values of JSON and TOML, checked by msgspec, with errors for users."""

import math
import re
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec import ValidationError, convert
from msgspec.inspect import DataclassType, DictType, FloatType, LiteralType, Type, UnionType, VarTupleType, type_info

from jobmatch_core.io.text_files import read_json

_Record = TypeVar("_Record")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of names and values",
    "date": "a date, such as 2026-01-31",
}
_LONGEST_SHOWN = 60  # characters of a value in an error message
_described: Callable[[Any], Type] = cache(type_info)  # cached: half a millisecond for a recipe


class OtherFormatError(ValueError):
    """A file was written by another release, which may have other fields."""


def read_record(path: Path, kind: type[_Record], formats: Collection[int] = ()) -> _Record:
    """Read a JSON file into a dataclass, see `record_of`; *formats* lists the accepted values of its `format`.

    Raises:
        OSError: the file cannot be read.
        OtherFormatError: it has another format.
        ValueError: it is not JSON, or not such a record.
    """
    return record_of(kind, read_formatted(path, formats) if formats else read_json(path), path.name)


def read_formatted(path: Path, formats: Collection[int]) -> dict[str, Any]:
    """Return the object in a JSON file with a `format`; raises as `read_record`."""
    content = read_json(path)
    if not isinstance(content, dict) or "format" not in content:
        raise ValueError(f"'format' is missing in {path.name}")
    if content["format"] not in tuple(formats):
        raise OtherFormatError(f"format {content['format']} is another release's")
    return content


def record_of(kind: type[_Record], value: object, where: str, *, lone_values: bool = False) -> _Record:
    """Return a dataclass from a table with its fields. Float fields accept whole numbers, and null as NaN.

    Args:
        kind: the dataclass, or a tuple type of them; its fields have types that `msgspec.convert` knows.
        value: the table, or a list of tables.
        where: name of the table in error messages.
        lone_values: true to accept a single value in place of a list.

    Raises ValueError if a key is unknown or missing, or its value has another type.
    """
    prepared = _prepared(_described(kind), value, where, where, lone_values)
    try:
        return convert(prepared, kind)
    except ValidationError as error:
        raise ValueError(_in_words(str(error), prepared, where)) from error


def _prepared(kind: Type, value: Any, name: str, where: str, lone_values: bool) -> Any:  # noqa: ANN401
    # a value for msgspec; raises ValueError for errors that msgspec ignores or cannot explain
    if isinstance(kind, UnionType):
        return value if value is None else _prepared(kind.types[0], value, name, where, lone_values)
    match kind, value:
        case DataclassType(), dict():
            types = _checked_fields(kind, value, where)
            return {key: _prepared(types[key], item, key, f"[{key}]", lone_values) for key, item in value.items()}
        case DataclassType(), _:
            raise ValueError(f"{name!r} must be a section [{name}]" if name != where else f"{where} is not a table")
        case DictType(), dict():
            return {key: _prepared(kind.value_type, item, key, where, lone_values) for key, item in value.items()}
        case VarTupleType(), list():
            return [_prepared(kind.item_type, item, name, where, lone_values) for item in value]
        case VarTupleType(), _ if lone_values:
            return [_prepared(kind.item_type, value, name, where, lone_values)]
        case LiteralType(), _ if value not in kind.values:
            raise ValueError(f"{name} is {_shown(value)}; expected one of {', '.join(map(str, kind.values))}")
        case FloatType(), None:
            return math.nan
    return value


def _checked_fields(kind: DataclassType, table: dict[str, Any], where: str) -> dict[str, Type]:
    types = {field.name: field.type for field in kind.fields}
    if unknown := sorted(set(table) - set(types)):
        raise ValueError(f"{unknown[0]!r} is unknown in {where}; expected {', '.join(types)}")
    if missing := [field.name for field in kind.fields if field.required and field.name not in table]:
        raise ValueError(f"{missing[0]!r} is missing in {where}")
    return types


def _in_words(error: str, value: Any, where: str) -> str:  # noqa: ANN401
    # the path of msgspec's error, such as `$.stages[0].steps`, leads to the key and the value
    message, _, path = error.partition(" - at `$")
    path, each_value, _ = path.partition("[...]")  # the path does not name the key of a dictionary's value
    name = where
    for key, place in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        name, value = (key, value[key]) if key else (name, value[int(place)])
    if expected := re.match(r"Expected `(\w+)[^`]*`( of length \d+)?", message):
        wanted = _WORDS.get(expected[1], expected[1]) + (expected[2] or "") + (" for each name" if each_value else "")
        return f"{name} is {_shown(value)}; expected {wanted}"
    return f"{name}: {message}" if path else message


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…"
