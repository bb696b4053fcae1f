"""Postings and their sources: tables of titles and descriptions, O*NET, and synthetic examples.

Files are streamed; HTML and Markdown become plain text.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import cell_text, read_table
from jobmatch_core.sheets.table_layout import table_encodings
from jobmatch_core.text.markup import plain_line, plain_text

_COLUMNS = ("title", "description")
_ONET_CODE = "O*NET-SOC Code"
_ONET_TASKS = ("Task Statements.txt", "Task")
_ONET_TITLES = ("Occupation Data.txt", "Title")
_ONET_ALTERNATES = (
    ("Alternate Titles.txt", "Alternate Title"),
    ("Sample of Reported Titles.txt", "Reported Job Title"),
)


@dataclass(frozen=True, slots=True)
class Posting:
    """A job advertisement."""

    id: str  # unique in its source
    title: str  # title as published
    description: str  # the text below the title
    skills: tuple[str, ...] = ()  # names of skills, recognised or listed
    occupation_name: str = ""  # preferred name of its occupation, or ''


def read_postings(path: Path) -> Iterator[Posting]:
    """Yield the postings of a table, except those with neither title nor description.

    A posting's id is that of a column `id`, or else its row number, from 1.

    Raises DataFileError if it cannot be read, or has no columns `title` and `description`.
    """
    yield from postings_of_rows(path, read_rows(path))


def postings_of_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Iterator[Posting]:
    """Yield the postings of rows that are already read; errors name *path*."""
    for number, row in enumerate(rows, 1):
        for column in _COLUMNS:
            if column not in row:
                columns = ", ".join(map(str, row))
                raise DataFileError(path, f"row {number} has no column {column!r}; its columns are {columns}")
        title, description = plain_line(_text(row["title"])), plain_text(_text(row["description"])).strip()
        if title or description:
            yield Posting(_text(row.get("id")) or str(number), title, description)


def read_onet(folder: Path, *, alternates: bool = False) -> Iterator[Posting]:
    """Yield O*NET's occupations with tasks as postings: title, task statements (one per line), and name.

    With *alternates*, each alternate and reported title is another posting of its occupation.

    Datasheet. O*NET 27 or later, tab-separated text files: 1,016 occupations, 923 of them with tasks. Fields used:
    Title, Alternate Title, Reported Job Title, Task. Licence: CC BY 4.0, U.S. Department of Labor. Models trained on
    it have seen the vocabulary of MELO's `usa_*` datasets.

    Raises DataFileError if a file is missing or lacks a column.
    """
    tasks, names = _onet_column(folder, *_ONET_TASKS), _onet_column(folder, *_ONET_TITLES)
    others = [(column, _onet_column(folder, file, column)) for file, column in (_ONET_ALTERNATES if alternates else ())]
    for column, titles_by_code in ((_ONET_TITLES[1], names), *others):
        for code, titles in titles_by_code.items():
            if code in tasks:
                description, name = "\n".join(tasks[code]), names.get(code, [""])[0]
                for number, title in enumerate(dict.fromkeys(titles), 1):
                    yield Posting(f"{code}/{column}/{number}", title, description, occupation_name=name)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table; raises DataFileError if it cannot be read."""
    with closing(read_table(path, encoding=table_encodings(path)[0])) as batches:
        for batch in batches:
            yield from batch


def _onet_column(folder: Path, file: str, column: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for row in read_rows(folder / file):
        if _ONET_CODE not in row or column not in row:
            raise DataFileError(folder / file, f"expected the columns {_ONET_CODE!r} and {column!r}, separated by tabs")
        values.setdefault(row[_ONET_CODE], []).append(row[column].strip())
    return values


def _text(value: object) -> str:
    return cell_text(value).strip()


@dataclass(frozen=True, slots=True)
class ExamplePosting:
    """A posting and its language."""

    posting: Posting
    language: str


@cache
def example_postings() -> tuple[ExamplePosting, ...]:
    """Return the twelve synthetic example postings in six languages, in display order."""
    text = (files("jobmatch_core.descriptions") / "example_postings.toml").read_text("utf-8")
    return tuple(
        ExamplePosting(Posting(row["id"], row["title"], row["description"].strip()), row["language"])
        for row in tomllib.loads(text)["posting"]
    )
