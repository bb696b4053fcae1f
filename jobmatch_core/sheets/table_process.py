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

import msgspec

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import TEXT_FORMATS, NumberedRecord, read_numbered, table_format
from jobmatch_core.io.text_source import is_packed
from jobmatch_core.sheets.code_list_columns import code_list_table
from jobmatch_core.sheets.sheet_choice import SheetChoice
from jobmatch_core.sheets.table_layout import (
    ColumnSummary,
    TableLayout,
    TableSummary,
    guess_table_header,
    summarise_table,
    table_encodings,
    table_sheets,
)
from jobmatch_core.taxonomy import BUNDLED_ID

MOST_CELLS = 10_000_000  # that a server takes in of a table; some 1 GB
_MOST_CHARACTERS = 256 * 1024 * 1024
_SMALL = 1 << 20  # bytes of a text that is read at once
_BATCH_ROWS = 500  # so that the server takes in few at a time
_MOST_MEMORY = 4 << 30
_MOST_SECONDS = 120  # of one core
_PLACES = BoundedSemaphore(2)  # processes at a time
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # each would reserve memory

Answer = tuple[str, Any]  # of what kind, and what


def encodings_apart(path: Path) -> list[str]:
    """Return the encodings that a table may have; raises as `table_layout.table_encodings`."""
    if table_format(path) not in TEXT_FORMATS:
        return table_encodings(path)  # they have one, whatever is in them
    return list(_answer("encodings", path))


def sheets_apart(path: Path, taxonomy: str = BUNDLED_ID) -> SheetChoice:
    """Return the sheets of a workbook; raises as `table_layout.table_sheets`."""
    chosen, others = _answer("sheets", path, taxonomy=taxonomy)
    return SheetChoice(chosen, tuple(others))


def header_apart(path: Path, encoding: str, sheet: str | None = None, taxonomy: str = BUNDLED_ID) -> int:
    """Return the row with the column names; raises as `table_layout.guess_table_header`."""
    return int(_answer("header", path, encoding=encoding, sheet=sheet, taxonomy=taxonomy))


def list_apart(path: Path, encoding: str | None, separator: str) -> TableLayout:
    """Return how the table of a list of codes and names is read; raises as `code_list_columns.code_list_table`."""
    return msgspec.convert(_answer("list", path, encoding=encoding, separator=separator), TableLayout)


def table_apart(path: Path, layout: TableLayout, *, most_rows: int, taxonomy: str = BUNDLED_ID) -> TableSummary:
    """Return a table's first rows and a summary.

    Args:
        path: the table.
        layout: how it is read; its column of titles is not used.
        most_rows: most rows that are read.
        taxonomy: id of the taxonomy whose words tell titles.

    Raises:
        DataFileError: the table cannot be read (see `tables.read_table`), or exceeds the limits of a server.
        TaxonomyError: there is no such taxonomy.
    """
    numbered: list[NumberedRecord] = []
    columns: list[dict[str, Any]] = []
    title_column = None
    answers = _answers(
        "table",
        path,
        encoding=layout.encoding,
        header_row=layout.header_row,
        most_rows=most_rows,
        sheet=layout.sheet,
        separator=layout.separator,
        taxonomy=taxonomy,
    )
    for kind, value in answers:
        if kind == "rows":
            numbered += value
        else:
            columns, title_column = value
    rows, numbers = [row for _, row in numbered], [number for number, _ in numbered]
    return TableSummary(rows, numbers, msgspec.convert(columns, tuple[ColumnSummary, ...]), title_column)


def _answer(task: str, path: Path, **options: str | None) -> Any:  # noqa: ANN401  # as the task has it
    [(_, value)] = _answers(task, path, **options)
    return value


def _answers(task: str, path: Path, **options: str | int | None) -> Iterator[Answer]:
    if table_format(path) in TEXT_FORMATS and not is_packed(path) and path.stat().st_size <= _SMALL:
        yield from _TASKS[task](path, **options)
        return
    command = [sys.executable, "-m", __name__, task, str(path.resolve()), json.dumps(options)]
    with (
        _PLACES,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | _ONE_THREAD,
            cwd=Path(__file__).parents[2],  # where `jobmatch_core` can be imported from
        ) as process,
    ):
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


def _encodings(path: Path) -> Iterator[Answer]:
    yield "answer", table_encodings(path)


def _sheets(path: Path, taxonomy: str) -> Iterator[Answer]:
    sheets = table_sheets(path, taxonomy=taxonomy)
    yield "answer", (sheets.chosen, sheets.others)


def _header(path: Path, encoding: str, sheet: str | None, taxonomy: str) -> Iterator[Answer]:
    yield "answer", guess_table_header(path, encoding, sheet=sheet, taxonomy=taxonomy)


def _list(path: Path, encoding: str | None, separator: str) -> Iterator[Answer]:
    yield "answer", asdict(code_list_table(path, encoding=encoding, separator=separator))


def _table(
    path: Path, encoding: str, header_row: int, most_rows: int, sheet: str | None, separator: str, taxonomy: str
) -> Iterator[Answer]:
    numbered: list[NumberedRecord] = []
    cells = characters = 0
    batches = read_numbered(
        path, encoding=encoding, header_row=header_row, sheet=sheet, separator=separator, batch_rows=_BATCH_ROWS
    )
    for batch in batches:
        kept = list(islice(batch, most_rows - len(numbered)))
        cells += sum(len(row) for _, row in kept)
        characters += sum(len(value) for _, row in kept for value in row.values() if isinstance(value, str))
        if cells > MOST_CELLS or characters > _MOST_CHARACTERS:
            problem = (
                f"it has more than {MOST_CELLS:,} cells or {_MOST_CHARACTERS >> 20} MB of text, the most for a page"
            )
            raise DataFileError(path, f"{problem}; leave out columns, or use the command line")
        yield "rows", kept
        numbered += kept
        if len(numbered) == most_rows:
            break
    summary = summarise_table(numbered, taxonomy=taxonomy)
    yield "summary", ([asdict(column) for column in summary.columns], summary.title_column)


_TASKS: dict[str, Callable[..., Iterator[Answer]]] = {
    "encodings": _encodings,
    "sheets": _sheets,
    "header": _header,
    "list": _list,
    "table": _table,
}


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
