"""How a table that a person brings is to be read: its encoding, the row of its header, the column of its titles."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.sheets.header_row import ROWS_LOOKED_AT, guess_header_row
from jobmatch_core.sheets.text_encoding import UTF8, fitting_encodings
from jobmatch_core.sheets.title_column import title_column
from jobmatch_core.tables import Record, first_rows, read_table, table_format
from jobmatch_core.text_files import check_regular

_ROWS_OF_TITLES = 1000  # rows that say which column has the titles


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How a table is read.

    Attributes:
        encoding: of CSV and JSON lines.
        header_row: the row with the columns' names, from 1; 0 where there is none.
        column: the column of job titles; None where no column looks like that.
    """

    encoding: str
    header_row: int
    column: str | None


def guess_layout(
    path: Path, *, encoding: str | None = None, header_row: int | None = None, column: str | None = None
) -> TableLayout:
    """Return how a table is to be read; what is given is kept, and the rest is guessed.

    Raises:
        DataFileError: the file cannot be read, or is in no encoding that is known.
    """
    encoding = encoding or table_encodings(path)[0]
    if header_row is None:
        header_row = guess_table_header(path, encoding)
    if column is None:
        with_titles = chain.from_iterable(read_table(path, encoding=encoding, header_row=header_row))
        column = title_column(columns_of(list(islice(with_titles, _ROWS_OF_TITLES))))
    return TableLayout(encoding, header_row, column)


def table_encodings(path: Path) -> list[str]:
    """Return the encodings that a table may have, the most plausible one first; formats that know theirs have one.

    Raises:
        DataFileError: it is in none that is known, or there is no such file.
    """
    if table_format(path) not in ("csv", "jsonl"):
        return [UTF8]
    if not path.exists():
        raise DataFileError(path, "there is no such file")
    try:
        check_regular(path)
        encodings = fitting_encodings(path.read_bytes())
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error
    if not encodings:
        raise DataFileError(
            path, "this is no text in any encoding that is known; save it as UTF-8 (Excel: 'CSV UTF-8')"
        )
    return encodings


def guess_table_header(path: Path, encoding: str) -> int:
    """Return the row with a table's column names; formats that name their columns have them in the first.

    Raises:
        DataFileError: the file cannot be read.
    """
    if table_format(path) not in ("csv", "xlsx"):
        return 1
    return guess_header_row(first_rows(path, ROWS_LOOKED_AT, encoding=encoding))


def columns_of(rows: Sequence[Record]) -> dict[str, list[str]]:
    """Return the cells of each column as texts."""
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: ["" if row.get(name) is None else str(row[name]) for row in rows] for name in names}
