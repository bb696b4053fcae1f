"""Columns of a user's marketplace files, and conversion of their cells.

Columns are named after the fields, unless a TOML file maps them:

    [freelancers]
    id = "profile_id"
    title = "headline"
"""

import math
import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from jobmatch_core.entities import Place
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.separators import other_separator
from jobmatch_core.io.tables import Record, listed, read_numbered
from jobmatch_core.io.text_files import read_toml
from jobmatch_core.text.locales import LANGUAGE_NAMES, language_code
from jobmatch_core.text.markup import plain_line, plain_text

Mapping = dict[str, dict[str, str]]  # kind of file -> field -> column
# required columns; only titles may be empty, and `positive` if nobody answered
REQUIRED = {
    "projects": ("id", "language", "title"),
    "freelancers": ("id", "language", "title"),
    "interactions": ("project", "freelancer", "positive"),
}
_SHARED = ("description", "family", "family_name", "category", "category_name", "country", "latitude", "longitude")
OPTIONAL = {
    "projects": ("job_title", *_SHARED, "mandatory", "bonus", "created"),
    "freelancers": ("experience", *_SHARED, "skills", "available_from", "day_rate"),
    "interactions": ("date",),
}
_YES = frozenset(("true", "1", "1.0", "yes", "y", "positive", "interested", "interest"))
_NO = frozenset(("false", "0", "0.0", "no", "n", "negative", "-1", "-1.0", "lack of skills"))


def read_mapping(path: Path) -> Mapping:
    """Read a TOML file of columns; raises DataFileError if the file is not valid, or names an unknown file or field."""
    try:
        mapping = read_toml(path)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(path, f"expected TOML with columns by field ({error})") from error
    for kind, columns in mapping.items():
        if kind not in REQUIRED or not isinstance(columns, dict):
            raise DataFileError(path, f"{kind} is not a section [{'], ['.join(REQUIRED)}]")
        fields = REQUIRED[kind] + OPTIONAL[kind]
        for field, column in columns.items():
            if field not in fields or not isinstance(column, str):
                raise DataFileError(path, f"{kind} have no field {field!r}; the fields are {', '.join(fields)}")
    return mapping


@dataclass(frozen=True, slots=True)
class Cells:
    """A row of a user's file, with its number as in a spreadsheet, and cells by field; None without such a column."""

    path: Path
    number: int
    values: dict[str, Any]

    def error(self, problem: str) -> DataFileError:
        """Return an error with the file and the row."""
        return DataFileError(self.path, f"row {self.number}: {problem}")

    def text(self, field: str) -> str:
        """Return a cell as text, '' if it is empty; refuse lists, objects and bytes."""
        value = self.values.get(field)
        if isinstance(value, list | dict | bytes):
            raise self.error(f"{field} is a list, an object or bytes; expected text")
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        if isinstance(value, float) and value.is_integer():  # an id in a column with gaps
            value = int(value)
        return str(value).strip()

    def line(self, field: str) -> str:
        """Return a title as plain text, without HTML or Markdown."""
        return plain_line(self.text(field))

    def prose(self, field: str) -> str:
        """Return sentences as plain text, without HTML or Markdown."""
        return plain_text(self.text(field)).strip()

    def needed(self, field: str) -> str:
        """Return a required cell as text; refuse an empty one."""
        if not (text := self.text(field)):
            raise self.error(f"{field} is empty")
        return text

    def language(self) -> str:
        """Return the two-letter code of the row's language."""
        code = language_code(self.needed("language"))
        if code is None:
            raise self.error(
                f"{self.text('language')!r} is not a language known here; expected one of {', '.join(LANGUAGE_NAMES)}"
            )
        return code

    def date(self, field: str) -> str:
        """Return an ISO date without the time of day, '' if the cell is empty."""
        text = self.text(field)
        try:
            return date.fromisoformat(text.replace("T", " ").split(" ")[0]).isoformat() if text else ""
        except ValueError as error:
            raise self.error(f"{field} is {text!r}; expected a date such as 2026-11-30") from error

    def number_in(self, field: str, lowest: float, highest: float) -> float | None:
        """Return a number within limits, None if the cell is empty."""
        text = self.text(field)
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not lowest <= number <= highest:
            raise self.error(f"{field} is {text!r}; expected a number from {lowest:g} to {highest:g}, such as 48.5")
        return number

    def place(self) -> Place | None:
        """Return latitude and longitude, None if both are empty."""
        latitude, longitude = self.number_in("latitude", -90, 90), self.number_in("longitude", -180, 180)
        if latitude is None and longitude is None:
            return None
        if latitude is None or longitude is None:
            raise self.error("latitude and longitude must both be given, or both be empty")
        return Place(latitude, longitude)

    def country(self) -> str:
        """Return an ISO 3166 code in capitals, '' if the cell is empty."""
        code = self.text("country").upper()
        if code and not (len(code) == 2 and code.isascii() and code.isalpha()):
            raise self.error(f"country is {code!r}; expected a code of two letters, such as DE")
        return code

    def names(self, field: str) -> list[str] | str:
        """Return the items of a list, or a text of several items."""
        value = self.values.get(field)
        if not isinstance(value, list):
            return self.text(field)
        if any(not isinstance(item, str) for item in value if item is not None):
            raise self.error(f"{field} has an item that is not text; expected a list of skill names")
        return [item for item in value if item is not None]

    def answer(self) -> bool | None:
        """Return whether an interaction was positive; None if nobody answered."""
        text = self.text("positive").lower()
        if text in _YES or text in _NO:
            return text in _YES
        if text:
            raise self.error(f"positive is {text!r}; expected yes or no, 1 or 0, or an empty cell if nobody answered")
        return None


def read_cells(
    path: Path, kind: str, columns: dict[str, str], encoding: str, *, separator: str = "", sheet: str | None = None
) -> Iterator[list[Cells]]:
    """Yield a file's rows in batches.

    Args:
        path: a table for `read_table`.
        kind: `projects`, `freelancers` or `interactions`.
        columns: columns by field, if their names differ.
        encoding: text encoding of CSV and JSON.
        separator: character between the cells of CSV; '' detects it.
        sheet: sheet of a workbook, as for `read_table`.

    Raises DataFileError if the file cannot be read, has no rows, or lacks a required column.
    """
    empty = True
    fields = {field: columns.get(field, field) for field in REQUIRED[kind] + OPTIONAL[kind]}
    for batch in read_numbered(path, encoding=encoding, separator=separator, sheet=sheet):
        if empty:
            _refuse_missing(path, [record for _, record in batch], kind, fields, columns)
        yield [
            Cells(path, number, {field: record.get(column) for field, column in fields.items()})
            for number, record in batch
        ]
        empty = False
    if empty:
        raise DataFileError(path, "the file has no rows")


def unknown_columns(kind: str, columns: Collection[str], mapping: Mapping) -> tuple[str, ...]:
    """Return the columns that an import ignores."""
    names = mapping.get(kind, {})
    used = {names.get(field, field) for field in REQUIRED[kind] + OPTIONAL[kind]}
    return tuple(column for column in columns if column not in used)


def _refuse_missing(
    path: Path, batch: Sequence[Record], kind: str, fields: dict[str, str], columns: Iterable[str]
) -> None:
    # all rows of a batch, since a JSON line may leave out empty columns
    present = dict.fromkeys(column for record in batch for column in record)
    if present.keys().isdisjoint(fields.values()):  # probably another kind of file; its names are not shown
        raise DataFileError(path, f"it has none of the columns of {kind}: {listed(fields.values())}")
    for field in dict.fromkeys((*REQUIRED[kind], *columns)):
        if (column := fields[field]) not in present:
            name = f"{column!r} (for {field})" if column != field else repr(column)
            problem = f"the column {name} is missing; found {listed(present)}"
            if sign := other_separator(list(present)):
                problem += f"; if {sign!r} separates them, give it as the separator"
            raise DataFileError(path, problem)
