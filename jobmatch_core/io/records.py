"""Dataclasses from plain tables, as read from JSON and TOML: msgspec checks the types, and the errors are for users."""

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
_LONGEST_SHOWN = 60  # letters of a value in an error message
_described: Callable[[Any], Type] = cache(type_info)  # half a millisecond for a recipe


class OtherFormatError(ValueError):
    """A file was written by another release, whose fields may be others."""


def read_record(path: Path, kind: type[_Record], formats: Collection[int] = ()) -> _Record:
    """Read a JSON file into a dataclass; see `record_of`.

    Args:
        path: the file.
        kind: the dataclass.
        formats: the numbers of `format` in the file that this release reads; none where the file has no such number.

    Raises:
        OSError: the file cannot be read.
        OtherFormatError: it has another format.
        ValueError: it is not JSON, or no such record.
    """
    return record_of(kind, read_formatted(path, formats) if formats else read_json(path), path.name)


def read_formatted(path: Path, formats: Collection[int]) -> dict[str, Any]:
    """Return the table in a JSON file that says its format; raises as `read_record` does."""
    content = read_json(path)
    if not isinstance(content, dict) or "format" not in content:
        raise ValueError(f"'format' is missing in {path.name}")
    if content["format"] not in tuple(formats):
        raise OtherFormatError(f"format {content['format']} is another release's")
    return content


def record_of(kind: type[_Record], value: object, where: str, *, lone_values: bool = False) -> _Record:
    """Return the dataclass of a table whose keys are its fields.

    A whole number serves as a float, and null, which is how JSON says that there is no number, as NaN.

    Args:
        kind: the dataclass, or a tuple of them; its fields are of any type that `msgspec.convert` knows.
        value: the table, or a list of them.
        where: name of the table in error messages.
        lone_values: true to accept a single value in place of a list.

    Raises:
        ValueError: a key is unknown or missing, or its value has another type.
    """
    prepared = _prepared(_described(kind), value, where, where, lone_values)
    try:
        return convert(prepared, kind)
    except ValidationError as error:
        raise ValueError(_in_words(str(error), prepared, where)) from error


def _prepared(kind: Type, value: Any, name: str, where: str, lone_values: bool) -> Any:  # noqa: ANN401
    """Return a value as msgspec takes it, and raise ValueError for what msgspec passes over or cannot explain."""
    if isinstance(kind, UnionType):
        return value if value is None else _prepared(kind.types[0], value, name, where, lone_values)
    match kind, value:
        case DataclassType(), dict():
            types = _checked_fields(kind, value, where)
            return {key: _prepared(types[key], each, key, f"[{key}]", lone_values) for key, each in value.items()}
        case DataclassType(), _:
            raise ValueError(f"{name!r} must be a section [{name}]" if name != where else f"{where} is not a table")
        case DictType(), dict():
            return {key: _prepared(kind.value_type, each, key, where, lone_values) for key, each in value.items()}
        case VarTupleType(), list():
            return [_prepared(kind.item_type, each, name, where, lone_values) for each in value]
        case VarTupleType(), _ if lone_values:
            return [_prepared(kind.item_type, value, name, where, lone_values)]
        case LiteralType(), _ if value not in kind.values:
            raise ValueError(f"{name} is {_shown(value)}; expected one of {', '.join(map(str, kind.values))}")
        case FloatType(), None:
            return math.nan
    return value


def _checked_fields(kind: DataclassType, table: dict[str, Any], where: str) -> dict[str, Type]:
    """Return the types of a dataclass's fields by name; raises ValueError for an unknown or a missing key."""
    types = {each.name: each.type for each in kind.fields}
    if unknown := sorted(set(table) - set(types)):
        raise ValueError(f"{unknown[0]!r} is unknown in {where}; expected {', '.join(types)}")
    if missing := [each.name for each in kind.fields if each.required and each.name not in table]:
        raise ValueError(f"{missing[0]!r} is missing in {where}")
    return types


def _in_words(error: str, value: Any, where: str) -> str:  # noqa: ANN401
    """Return msgspec's error for users, with the key and the value that its path leads to, as `$.stages[0].steps`."""
    message, _, path = error.partition(" - at `$")
    path, each_value, _ = path.partition("[...]")  # which one of a dictionary's values is not told
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
