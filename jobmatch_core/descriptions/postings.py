"""Postings as records, and their sources: any table of titles and descriptions, and O*NET.

Files are streamed, so that one of any length needs no more memory than some of its rows.
"""

import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.gzip_file import unpacking
from jobmatch_core.io.tables import cell_text, read_table

_ZIPPED = ".gz"
_ONET_CODE = "O*NET-SOC Code"
_ONET_TASKS = ("Task Statements.txt", "Task")
_ONET_TITLES = ("Occupation Data.txt", "Title")
_ONET_ALTERNATES = (
    ("Alternate Titles.txt", "Alternate Title"),
    ("Sample of Reported Titles.txt", "Reported Job Title"),
)


@dataclass(frozen=True, slots=True)
class Posting:
    """A job advertisement.

    Attributes:
        id: unique in its source.
        title: title as the employer wrote it.
        description: all of the text below the title.
        skills: names of skills, if found or listed.
        occupation_name: preferred name of its occupation, if known.
    """

    id: str
    title: str
    description: str
    skills: tuple[str, ...] = ()
    occupation_name: str = ""


def read_postings(
    path: Path, *, title_column: str = "title", description_column: str = "description"
) -> Iterator[Posting]:
    """Yield the postings of a table, those with neither title nor description left out.

    A posting's id is that of a column `id`, or else its number in the table, from 1.

    Args:
        path: a CSV, XLSX, Parquet or JSON lines file, also one that gzip has packed (`.jsonl.gz`).
        title_column: name of the column with the titles.
        description_column: name of the column with the texts below them.

    Raises:
        DataFileError: it cannot be read, or has no such columns.
    """
    yield from postings_of_rows(path, read_rows(path), title_column, description_column)


def postings_of_rows(
    path: Path, rows: Iterable[Mapping[str, Any]], title_column: str = "title", description_column: str = "description"
) -> Iterator[Posting]:
    """Yield the postings of rows that were read elsewhere; errors name *path*."""
    for number, row in enumerate(rows, 1):
        for column in (title_column, description_column):
            if column not in row:
                columns = ", ".join(map(str, row))
                raise DataFileError(path, f"row {number} has no column {column!r}; its columns are {columns}")
        title, description = (_text(row[column]) for column in (title_column, description_column))
        if title or description:
            yield Posting(_text(row.get("id")) or str(number), title, description)


def read_onet(folder: Path, *, alternates: bool = False) -> Iterator[Posting]:
    """Yield O*NET's occupations as postings: a title, with the occupation's task statements, one a line, and its name.

    Datasheet. O*NET 27 or later, tab-separated text files: 1,016 occupations, 923 of them with tasks. Fields used:
    Title, Alternate Title, Reported Job Title, Task. Licence: CC BY 4.0, U.S. Department of Labor. Models trained on
    it have seen the vocabulary of MELO's `usa_*` datasets.

    Args:
        folder: folder of the files.
        alternates: also yield a posting for each other title of an occupation, with the same tasks.

    Raises:
        DataFileError: a file is missing or lacks a column.
    """
    tasks, names = _onet_column(folder, *_ONET_TASKS), _onet_column(folder, *_ONET_TITLES)
    others = [(column, _onet_column(folder, file, column)) for file, column in (_ONET_ALTERNATES if alternates else ())]
    for column, titles_of in ((_ONET_TITLES[1], names), *others):
        for code, titles in titles_of.items():
            if code in tasks:
                description, name = "\n".join(tasks[code]), names.get(code, [""])[0]
                for number, title in enumerate(dict.fromkeys(titles), 1):
                    yield Posting(f"{code}/{column}/{number}", title, description, occupation_name=name)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, also of one that gzip has packed.

    Raises:
        DataFileError: it cannot be read.
    """
    with _unpacked(path) as table, closing(read_table(table)) as batches:
        for batch in batches:
            yield from batch


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """Yield a table as it is, or unpacked in a temporary folder."""
    if path.suffix.lower() != _ZIPPED:
        yield path
        return
    with TemporaryDirectory() as folder:
        table = Path(folder, path.stem)
        try:
            with unpacking(path) as packed, table.open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
        except (OSError, EOFError, zlib.error) as error:
            raise DataFileError(path, f"this is no file that gzip has packed, or it is damaged ({error})") from error
        yield table


def _onet_column(folder: Path, file: str, column: str) -> dict[str, list[str]]:
    """Return the values of a file's column by occupation."""
    values: dict[str, list[str]] = {}
    for row in read_rows(folder / file):
        if _ONET_CODE not in row or column not in row:
            raise DataFileError(folder / file, f"expected the columns {_ONET_CODE!r} and {column!r}, separated by tabs")
        values.setdefault(row[_ONET_CODE], []).append(row[column].strip())
    return values


def _text(value: object) -> str:
    return cell_text(value).strip()
