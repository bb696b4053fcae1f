"""Flat records of judgments, the rows of label files and snapshots."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any
from uuid import UUID

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.judgment_origin import Origin, unrecorded_origin

LabelRecord = dict[str, Any]
_PAIR, _PROVENANCE = ("kind", "source", "left", "right"), ("policy", "model", "rank", "score", "origin")
_PATHS = (
    "id pair.kind pair.source pair.left pair.right verdict annotator at provenance.policy provenance.model "
    "provenance.rank provenance.score reasons note seconds undoes adjudicates provenance.origin"
).split()
ATTRIBUTES = {path.rpartition(".")[2]: attrgetter(path) for path in _PATHS}  # name in `COLUMNS` -> reads a judgment's


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a record."""

    value: Callable[[object], Any]  # converts a record's value to a judgment's; ValueError if it is invalid
    expected: str  # description of valid values
    is_text: bool = True  # true if the value is a text or None
    default: object = ...  # value for a record without the column; the ellipsis if it is required


def label_record(judgment: Judgment) -> LabelRecord:
    """Return a judgment as a record of `COLUMNS`; raises ValueError if its time has no time zone."""
    if judgment.at.tzinfo is None:
        raise ValueError(f"judgment {judgment.id} has a moment without a time zone")
    at = judgment.at.astimezone(UTC).isoformat(timespec="microseconds")
    record = {name: read(judgment) for name, read in ATTRIBUTES.items()}
    return record | {"at": at, "reasons": list(judgment.reasons)}


def judgment_of(record: LabelRecord) -> Judgment:
    """Return the judgment of a record; raises ValueError if a column is unknown, missing, or has an invalid value."""
    check_columns(list(record))
    value = {name: _value(record, name) for name in COLUMNS}
    pair = Pair(*(value.pop(name) for name in _PAIR))
    policy, model, rank, score, origin = (value.pop(name) for name in _PROVENANCE)
    provenance = Provenance(policy, model, rank, score, origin or unrecorded_origin(policy))
    return Judgment(pair=pair, provenance=provenance, **value)


def check_columns(names: list[str]) -> None:
    """Check that all required columns are present, and no unknown ones, which would be lost silently.

    Raises ValueError if a column is missing or unknown.
    """
    unknown = [name for name in names if name not in COLUMNS]
    if len(unknown) == len(names):  # probably another kind of file; its names are not shown
        raise ValueError(f"it has none of the columns of label files: {', '.join(COLUMNS)}")
    if unknown:
        raise ValueError(
            f"label files have no column {unknown[0]!r}, so its content would be lost; remove it, or move it into the "
            f"note. The columns are {', '.join(COLUMNS)}"
        )
    lacking = [name for name, column in COLUMNS.items() if column.default is ... and name not in names]
    if lacking:
        raise ValueError(f"the column {lacking[0]!r} is missing")


def _value(record: LabelRecord, name: str) -> Any:  # noqa: ANN401 - the type depends on the column
    column = COLUMNS[name]
    if name not in record:
        return column.default
    try:
        return column.value(record[name])
    except ValueError as error:
        shown = repr(record[name])
        raise ValueError(
            f"{name} is {shown if len(shown) < 60 else shown[:60] + '…'}; expected {column.expected}"
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _name(value: object) -> str:
    if not _text(value).strip():
        raise ValueError
    return _text(value)


def _uuid(value: object) -> str:
    text = _text(value)
    if str(UUID(text)) != text.lower():  # UUID also accepts braces, urn: and missing hyphens
        raise ValueError
    return text


def _word(words: type[StrEnum]) -> Callable[[object], StrEnum]:
    return lambda value: words(_text(value))


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:  # in the first or last hours that Python can represent
        raise ValueError from error


def _whole(value: object) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError
    return value


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    try:
        number = float(value)
    except OverflowError as error:  # JSON integers have any size
        raise ValueError from error
    if not math.isfinite(number):
        raise ValueError
    return number


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(_text(text) for text in value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _one_of(words: type[StrEnum]) -> str:
    return "one of " + ", ".join(words)


COLUMNS = {
    "id": Column(_uuid, "a UUID"),
    "kind": Column(_word(PairKind), _one_of(PairKind)),
    "source": Column(_text, "a text"),
    "left": Column(_text, "a text"),
    "right": Column(_text, "a text"),
    "verdict": Column(
        lambda value: None if value is None else Verdict(_text(value)), _one_of(Verdict) + ", or nothing"
    ),
    "annotator": Column(_name, "a name"),
    "at": Column(_moment, "a moment with its time zone, such as 2026-01-31T08:30:00+00:00"),
    "policy": Column(_text, "a text"),
    "model": Column(_text, "a text", default=""),
    "rank": Column(_whole, "a whole number, or nothing", is_text=False, default=None),
    "score": Column(_number, "a number, or nothing", is_text=False, default=None),
    "reasons": Column(_texts, 'a list of texts, such as ["seniority"]', is_text=False, default=()),
    "note": Column(_text, "a text", default=""),
    "seconds": Column(_number, "a number, or nothing", is_text=False, default=None),
    "undoes": Column(lambda value: _uuid(value) if value != "" else "", "a UUID, or an empty text", default=""),
    "adjudicates": Column(_truth, "true or false", is_text=False, default=False),
    "origin": Column(
        lambda value: Origin(_text(value)) if value != "" else None,
        _one_of(Origin) + ", or nothing if it is unknown",
        default="",
    ),
}
