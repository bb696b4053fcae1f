"""Removal of repeated rows: of several rows of one concept, as in ESCO 1.2.1, one counts.

Rows that agree in all compared columns count once. Where they differ, the one with the newest `modifiedDate` counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.rows import Row

_LISTED = 5  # examples in a note


@dataclass(frozen=True, slots=True)
class RepeatedRow:
    """A row that was left out because another row of the same concept counts."""

    file: str
    line: int
    uri: str
    name: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class UniqueRows:
    """One row for each concept, in the order of the file, and the rows left out."""

    rows: tuple[Row, ...]
    repeated: tuple[RepeatedRow, ...]


def unique_rows(path: Path, rows: Iterable[Row], compared: Sequence[str]) -> UniqueRows:
    """Return one row for each `conceptUri`.

    Args:
        path: the file, for error messages.
        rows: records of the file.
        compared: columns in which repeated rows may contradict each other.

    Raises:
        DataFileError: a URI is empty, there are no rows, or rows contradict each other and `modifiedDate` does not
            show which is newer.
    """
    unique: dict[str, Row] = {}
    repeated: list[RepeatedRow] = []
    for row in rows:
        uri = row["conceptUri"]
        if not uri:
            raise DataFileError(path, "conceptUri is empty; every concept needs its URI", line=row.line)
        if (other := unique.get(uri)) is None:
            unique[uri] = row
            continue
        agrees = all(row[column] == other[column] for column in compared)
        if not agrees and _newer(path, row, other):
            unique[uri], row = row, other
        repeated.append(RepeatedRow(path.name, row.line, uri, unique[uri]["preferredLabel"] or uri, agrees))
    if not unique:
        raise DataFileError(path, "the file has a header but no rows", line=1)
    return UniqueRows(tuple(unique.values()), tuple(repeated))


def modified(row: Row) -> datetime | None:
    """Return a row's `modifiedDate`; None where it has none that is an ISO 8601 date."""
    try:
        date = datetime.fromisoformat(row["modifiedDate"])
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def repetition_notes(repeated: Sequence[RepeatedRow]) -> tuple[str, ...]:
    """Report the concepts with rows that were left out, at most one note for each reason."""
    reasons = {True: "the same content, so each counts once", False: "different content, so the newest row counts"}
    return tuple(
        f"{_concepts(found)} in the files more than once with {reason}. Rows left out: {_places(found)}."
        for agrees, reason in reasons.items()
        if (found := [each for each in repeated if each.agrees is agrees])
    )


def _newer(path: Path, row: Row, other: Row) -> bool:
    dates = modified(row), modified(other)
    if dates[0] is None or dates[1] is None or dates[0] == dates[1]:
        raise DataFileError(
            path,
            f"{row['conceptUri']} occurs twice (first on line {other.line}) with different content, and modifiedDate "
            "does not show which row is newer; remove one of them",
            line=row.line,
        )
    return dates[0] > dates[1]


def _concepts(found: Sequence[RepeatedRow]) -> str:
    count = len({each.uri for each in found})
    return "1 concept stands" if count == 1 else f"{count:,} concepts stand"


def _places(found: Sequence[RepeatedRow]) -> str:
    """Name the first row of each of the first concepts."""
    first = {each.uri: each for each in reversed(found)}.values()
    places = [f"{each.name} ({each.file}, line {each.line})" for each in list(first)[::-1][:_LISTED]]
    if len(found) > len(places):
        places.append(f"and {len(found) - len(places):,} more")
    return ", ".join(places)
