"""Dataclasses from plain tables, as read from TOML and JSON; every key and type is checked."""

import math
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

_Record = TypeVar("_Record")
_KIND_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def record_of(kind: type[_Record], table: dict[str, Any], where: str) -> _Record:
    """Fill a dataclass from a table whose keys are its fields.

    A single value in place of a list, and a whole number in place of a float, are accepted.

    Args:
        kind: the dataclass; its fields are texts, numbers, flags, literals, tuples of one type, dictionaries by name,
            dataclasses, or None.
        table: key -> value.
        where: name of the table in error messages.

    Raises:
        ValueError: a key is unknown or missing, or its value has another type.
    """
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]  # no type says 'dataclass'
    if unknown := sorted(set(table) - set(known)):
        raise ValueError(f"{unknown[0]!r} is unknown in {where}; expected {', '.join(known)}")
    needed = [name for name, each in known.items() if each.default is MISSING and each.default_factory is MISSING]
    if missing := [name for name in needed if name not in table]:
        raise ValueError(f"{missing[0]!r} is missing in {where}")
    types = get_type_hints(kind)
    return kind(**{name: _value(types[name], value, name) for name, value in table.items()})


def _value(kind: Any, value: object, name: str) -> object:  # noqa: ANN401  # a type as `get_type_hints` gives it
    if get_origin(kind) is UnionType:
        if value is None and NoneType in get_args(kind):
            return None
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        items = value if isinstance(value, list) else [value]
        return tuple(_value(get_args(kind)[0], item, name) for item in items)
    if get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{name!r} must be a table of names and values")
        return {str(key): _value(get_args(kind)[1], item, str(key)) for key, item in value.items()}
    if hasattr(kind, "__dataclass_fields__"):
        if not isinstance(value, dict):
            raise ValueError(f"{name!r} must be a section [{name}]")
        return record_of(kind, value, f"[{name}]")
    return _plain_value(kind, value, name)


def _plain_value(kind: Any, value: object, name: str) -> object:  # noqa: ANN401
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(f"{name} is {value!r}; expected one of {', '.join(get_args(kind))}")
        return value
    if kind is float and value is None:  # how JSON says that there is no number
        return math.nan
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"{name} is {value!r}; expected {_KIND_NAMES[kind]}")
    return value
