"""Reading of tables in a separate process, so that a server stays responsive and survives a crash.

Small texts are read in this process, which is faster than starting another. Rows are returned as JSON; values without
a JSON type, such as dates, as text.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import TEXT_FORMATS, Record, read_table, table_columns, table_format
from jobmatch_core.io.text_source import is_packed
from jobmatch_core.sheets.table_layout import (
    ColumnSummary,
    TableSummary,
    guess_table_header,
    summarise_table,
    table_encodings,
)

MOST_CELLS = 10_000_000  # that a server takes in of a table; some 1 GB
_MOST_CHARACTERS = 256 * 1024 * 1024
_SMALL = 1 << 20  # bytes of a text that is read at once
_BATCH_ROWS = 500  # so that the server takes in few at a time
_MOST_MEMORY = 4 << 30
_MOST_SECONDS = 120  # of one core
_PLACES = BoundedSemaphore(2)  # processes at a time
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # each would reserve memory

Answer = tuple[str, Any]  # of what kind, and what


def columns_apart(path: Path, encoding: str) -> list[str]:
    """Return a table's columns; raises as `tables.table_columns`."""
    return list(_answer("columns", path, encoding=encoding))


def encodings_apart(path: Path) -> list[str]:
    """Return the encodings that a table may have; raises as `table_layout.table_encodings`."""
    return list(_answer("encodings", path))


def header_apart(path: Path, encoding: str) -> int:
    """Return the row with the column names; raises as `table_layout.guess_table_header`."""
    return int(_answer("header", path, encoding=encoding))


def table_apart(path: Path, *, encoding: str, header_row: int, most_rows: int) -> TableSummary:
    """Return a table's first rows and a summary.

    Raises:
        DataFileError: the table cannot be read (see `tables.read_table`), or exceeds the limits of a server.
    """
    rows: list[Record] = []
    columns: list[dict[str, Any]] = []
    title_column = None
    for kind, value in _answers("table", path, encoding=encoding, header_row=header_row, most_rows=most_rows):
        if kind == "rows":
            rows += value
        else:
            columns, title_column = value
    summaries = (ColumnSummary(**each | {"examples": tuple(each["examples"])}) for each in columns)
    return TableSummary(rows, tuple(summaries), title_column)


def _answer(task: str, path: Path, **options: str) -> Any:  # noqa: ANN401  # as the task has it
    [(_, value)] = _answers(task, path, **options)
    return value


def _answers(task: str, path: Path, **options: str | int) -> Iterator[Answer]:
    if table_format(path) in TEXT_FORMATS and not is_packed(path) and path.stat().st_size <= _SMALL:
        yield from _TASKS[task](path, **options)
        return
    command = [sys.executable, "-m", __name__, task, str(path.resolve()), json.dumps(options)]
    with _PLACES, subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=os.environ | _ONE_THREAD, cwd=Path(__file__).parents[2],  # where `jobmatch_core` can be imported from
    ) as process:  # fmt: skip
        try:
            for line in process.stdout or ():
                kind, value = json.loads(line)
                if kind == "error":
                    raise DataFileError(path, value["problem"], line=value["line"])
                yield kind, value
        except BaseException:
            process.kill()  # nobody waits for the rest
            raise
    if process.returncode:
        raise DataFileError(path, "reading it takes more time or memory than a page has; use the command line")


def _columns(path: Path, encoding: str) -> Iterator[Answer]:
    yield "answer", table_columns(path, encoding=encoding)


def _encodings(path: Path) -> Iterator[Answer]:
    yield "answer", table_encodings(path)


def _header(path: Path, encoding: str) -> Iterator[Answer]:
    yield "answer", guess_table_header(path, encoding)


def _table(path: Path, encoding: str, header_row: int, most_rows: int) -> Iterator[Answer]:
    rows: list[Record] = []
    cells = characters = 0
    for batch in read_table(path, encoding=encoding, header_row=header_row, batch_rows=_BATCH_ROWS):
        kept = list(islice(batch, most_rows - len(rows)))
        cells += sum(map(len, kept))
        characters += sum(len(value) for row in kept for value in row.values() if isinstance(value, str))
        if cells > MOST_CELLS or characters > _MOST_CHARACTERS:
            problem = (
                f"it has more than {MOST_CELLS:,} cells or {_MOST_CHARACTERS >> 20} MB of text, the most for a page"
            )
            raise DataFileError(path, f"{problem}; leave out columns, or use the command line")
        yield "rows", kept
        rows += kept
        if len(rows) == most_rows:
            break
    summary = summarise_table(rows)
    yield "summary", ([asdict(column) for column in summary.columns], summary.title_column)


_TASKS: dict[str, Callable[..., Iterator[Answer]]] = {
    "columns": _columns, "encodings": _encodings, "header": _header, "table": _table,
}  # fmt: skip


def _bounded() -> None:
    """Take no more memory and time than there is for a page, where the system knows such limits."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))


def _main(task: str, path: str, options: str) -> None:
    _bounded()
    encode = json.JSONEncoder(default=str).encode
    try:
        sys.stdout.writelines(encode(answer) + "\n" for answer in _TASKS[task](Path(path), **json.loads(options)))
    except DataFileError as error:
        sys.stdout.write(encode(("error", {"problem": error.problem, "line": error.line})))


if __name__ == "__main__":
    _main(*sys.argv[1:])
