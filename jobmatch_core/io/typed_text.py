"""Cells of workbooks: read as texts, with the kind of value that they hold, so that they are written as such again."""

import math
from datetime import date, datetime, time
from enum import StrEnum

_MARK = "jobmatch:"  # of the only key of a record in JSON that stands for a typed text
Value = str | float | datetime | date | time


class ValueKind(StrEnum):
    """Kind of a value that is not a text."""

    NUMBER = "number"
    TRUTH = "truth value"
    DATE = "date"
    TIME = "time"


class TypedText(str):
    """Text of a cell that holds a number, a truth value, a date or a time; it equals that text."""

    __slots__ = ("kind",)
    kind: ValueKind

    def __new__(cls, text: str, kind: ValueKind = ValueKind.NUMBER) -> "TypedText":
        """Take the text and the kind of its value."""
        typed = super().__new__(cls, text)
        typed.kind = kind
        return typed

    @property
    def value(self) -> Value:
        """The value of the cell; its text where that is not of its kind."""
        try:
            return _read(str(self), self.kind)
        except ValueError:
            return str(self)


def typed(value: object) -> str:
    """Return the text of a value, typed if it is a number, a truth value, a date or a time."""
    for kind, types in _TYPES.items():
        if isinstance(value, types):
            return TypedText(str(value), kind)
    return str(value)


def json_cell(cell: object) -> object:
    """Return a cell for JSON, where a typed text becomes a record that `from_json` recognises."""
    return {_MARK + cell.kind: str(cell)} if isinstance(cell, TypedText) else cell


def from_json(record: dict[str, object]) -> object:
    """Return the typed text that a record stands for, or the record; an `object_hook` of `json.loads`."""
    if len(record) == 1:
        [(key, text)] = record.items()
        kind = key.removeprefix(_MARK)
        if kind != key and kind in [*ValueKind] and isinstance(text, str):
            return TypedText(text, ValueKind(kind))
    return record


def _read(text: str, kind: ValueKind) -> Value:
    match kind:
        case ValueKind.NUMBER:
            number = float(text) if set(text) & set(".eEni") else int(text)
            return number if math.isfinite(number) else text
        case ValueKind.TRUTH:
            return text == str(True)
        case ValueKind.DATE:
            moment = datetime.fromisoformat(text)
            return moment if moment.time() != time() else moment.date()  # a date alone shows no hours
        case ValueKind.TIME:
            return time.fromisoformat(text)


_TYPES: dict[ValueKind, tuple[type, ...]] = {  # a truth value is a number in Python, too
    ValueKind.TRUTH: (bool,),
    ValueKind.NUMBER: (int, float),
    ValueKind.DATE: (date,),
    ValueKind.TIME: (time,),
}
