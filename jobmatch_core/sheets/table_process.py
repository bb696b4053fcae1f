"""Reading of tables in a separate process, so that a server stays responsive and survives a crash.

Small texts are read in this process, which is faster. Rows travel as JSON: numbers and dates of workbooks as typed
texts, other values without a JSON type as text.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import msgspec

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import TEXT_FORMATS, NumberedRecord, table_format
from jobmatch_core.io.text_source import is_packed
from jobmatch_core.io.typed_text import from_json, json_cell
from jobmatch_core.sheets.code_list_columns import code_list_table
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

MOST_CELLS = 10_000_000  # of a table on a server; about 1 GB
_MOST_CHARACTERS = 256 * 1024 * 1024
_SMALL = 1 << 20  # bytes of a text that is read in this process
FIRST_ROWS = 1000  # read while the layout is guessed: most lists are read whole by then
_BATCH_ROWS = 500  # small, so that the server receives few rows at a time
_MOST_MEMORY = 4 << 30
_MOST_SECONDS = 120  # of CPU
_PLACES = BoundedSemaphore(2)  # processes at a time
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # each thread would reserve memory

Answer = tuple[str, Any]  # (kind, value)


def encodings_apart(path: Path) -> list[str]:
    """Return the possible encodings of a table; raises as `table_layout.table_encodings`."""
    if table_format(path) not in TEXT_FORMATS:
        return table_encodings(path)  # always the same one, so the file need not be read
    return list(_answer("encodings", path))


@dataclass(frozen=True, slots=True)
class GuessedTable:
    """A table as its layout is guessed: the layout, without a column of titles, and at most 1,000 rows."""

    layout: TableLayout
    table: TableSummary

    @property
    def is_whole(self) -> bool:
        """Whether the table has no further rows."""
        return len(self.table.rows) < FIRST_ROWS


def guess_apart(path: Path, encoding: str, taxonomy: str = BUNDLED_ID) -> GuessedTable:
    """Return a table with its guessed sheet and header; raises as `table_layout.guess_layout` and `table_apart`."""
    answers = _answers("guess", path, encoding=encoding, taxonomy=taxonomy)
    _, layout = next(answers)
    return GuessedTable(msgspec.convert(layout, TableLayout), _summary(answers))


def header_apart(path: Path, encoding: str, sheet: str | None = None, taxonomy: str = BUNDLED_ID) -> int:
    """Return the row with the column names; raises as `table_layout.guess_table_header`."""
    return int(_answer("header", path, encoding=encoding, sheet=sheet, taxonomy=taxonomy))


def list_apart(path: Path, encoding: str | None, separator: str) -> TableLayout:
    """Return the layout of a code list's table; raises as `code_list_columns.code_list_table`."""
    return msgspec.convert(_answer("list", path, encoding=encoding, separator=separator), TableLayout)


def table_apart(path: Path, layout: TableLayout, *, most_rows: int, taxonomy: str = BUNDLED_ID) -> TableSummary:
    """Return a table's first rows and a summary.

    Args:
        layout: layout of the table; its column of titles is not used.
        taxonomy: id of the taxonomy whose words identify titles.

    Raises:
        DataFileError: the table cannot be read (see `tables.read_table`), or exceeds the limits of a server.
        TaxonomyError: there is no such taxonomy.
    """
    return _summary(_answers("table", path, layout=asdict(layout), most_rows=most_rows, taxonomy=taxonomy))


def _summary(answers: Iterator[Answer]) -> TableSummary:
    numbered: list[NumberedRecord] = []
    columns: list[dict[str, Any]] = []
    title_column = None
    for kind, value in answers:
        if kind == "rows":
            numbered += value
        else:
            columns, title_column = value
    rows, numbers = [row for _, row in numbered], [number for number, _ in numbered]
    return TableSummary(rows, numbers, msgspec.convert(columns, tuple[ColumnSummary, ...]), title_column)


def _answer(task: str, path: Path, **options: str | None) -> Any:  # noqa: ANN401  # depends on the task
    [(_, value)] = _answers(task, path, **options)
    return value


def _answers(task: str, path: Path, **options: str | int | dict[str, Any] | None) -> Iterator[Answer]:
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
                kind, value = json.loads(line, object_hook=from_json)
                if kind == "error":
                    raise DataFileError(path, value["problem"], line=value["line"])
                yield kind, value
        except BaseException:
            process.kill()  # the remaining rows are not needed
            raise
    if process.returncode:
        raise DataFileError(path, "reading it takes more time or memory than a page allows; use the command line")


def _single(read: Callable[..., Any]) -> Callable[..., Iterator[Answer]]:
    def answer(path: Path, **options: str | None) -> Iterator[Answer]:
        value = read(path, **options)
        yield "answer", asdict(value) if isinstance(value, TableLayout) else value

    return answer


def _guess(path: Path, encoding: str, taxonomy: str) -> Iterator[Answer]:
    sheets = table_sheets(path, taxonomy=taxonomy)
    header_row = guess_table_header(path, encoding, sheet=sheets.chosen, taxonomy=taxonomy)
    layout = asdict(TableLayout(encoding, header_row, None, sheets.chosen, sheets.others))
    yield "layout", layout
    yield from _table(path, layout, FIRST_ROWS, taxonomy)


def _table(path: Path, layout: dict[str, Any], most_rows: int, taxonomy: str) -> Iterator[Answer]:
    numbered: list[NumberedRecord] = []
    cells = characters = 0
    for batch in msgspec.convert(layout, TableLayout).read_numbered(path, _BATCH_ROWS):
        rows = list(islice(batch, most_rows - len(numbered)))
        cells += sum(len(row) for _, row in rows)
        characters += sum(len(value) for _, row in rows for value in row.values() if isinstance(value, str))
        if cells > MOST_CELLS or characters > _MOST_CHARACTERS:
            problem = (
                f"it has more than {MOST_CELLS:,} cells or {_MOST_CHARACTERS >> 20} MB of text, the most for a page"
            )
            raise DataFileError(path, f"{problem}; leave out columns, or use the command line")
        yield "rows", rows
        numbered += rows
        if len(numbered) == most_rows:
            break
    summary = summarise_table(numbered, taxonomy=taxonomy)
    yield "summary", ([asdict(column) for column in summary.columns], summary.title_column)


_TASKS: dict[str, Callable[..., Iterator[Answer]]] = {
    "encodings": _single(table_encodings),
    "guess": _guess,
    "header": _single(guess_table_header),
    "list": _single(code_list_table),
    "table": _table,
}


def _typed(answer: Answer) -> Answer:
    kind, value = answer
    if kind != "rows":
        return answer
    return kind, [(number, {name: json_cell(cell) for name, cell in row.items()}) for number, row in value]


def _limit_resources() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))


def _main(task: str, path: str, options: str) -> None:
    _limit_resources()
    encode = json.JSONEncoder(default=str).encode
    try:
        answers = _TASKS[task](Path(path), **json.loads(options))
        sys.stdout.writelines(encode(_typed(answer)) + "\n" for answer in answers)
    except DataFileError as error:
        sys.stdout.write(encode(("error", {"problem": error.problem, "line": error.line})))


if __name__ == "__main__":
    _main(*sys.argv[1:])
