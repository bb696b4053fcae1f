"""Tables that users bring and take away: CSV, XLSX, Parquet and JSON lines, read and written in pieces.

Cells of CSV and XLSX are read as text; Parquet and JSON lines keep their types. What is written to CSV or
XLSX is neutralised, so that no cell is taken for a formula.
"""

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import csv_cell, is_missing
from jobmatch_core.io.table_limits import (
    LARGEST_BATCH,
    RowLines,
    check_width,
    single_lines,
)
from jobmatch_core.io.table_rows import SheetRow, SizedRecord, records
from jobmatch_core.io.text_files import check_regular, json_text

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("csv", "xlsx", "parquet", "jsonl")
_LISTED = 12  # columns that a message names
_UNNAMED = Path("this table")
_DELIMITERS = ",;\t|"
_NO_DELIMITER = "\0"  # no CSV has it: it would have been refused
_QUOTED_CELL = re.compile(rf'(^|[{_DELIMITERS}])"[^"]*(?:""[^"]*)*"?')
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")

Record = dict[str, Any]
NumberedRecord = tuple[int, Record]  # the number of a row in its file, and the row


def table_format(path: Path) -> str:
    """Return a path's format by its ending.

    Raises:
        DataFileError: it is none of `FORMATS`.
    """
    ending = path.suffix.lower().removeprefix(".")
    ending = {"tsv": "csv", "txt": "csv", "pq": "parquet", "ndjson": "jsonl"}.get(ending, ending)
    if ending not in FORMATS:
        raise DataFileError(path, f"expected a file that ends in .{', .'.join(FORMATS)}")
    return ending


def read_table(
    path: Path, *, encoding: str = "utf-8-sig", header_row: int = 1, sheet: str | None = None, batch_rows: int = 1000
) -> Generator[list[Record]]:
    """Yield a table's rows in batches, each row a dict in the order of the columns.

    Args:
        path: a CSV (comma, semicolon, tab or bar), XLSX, Parquet or JSON lines file.
        encoding: text encoding of CSV and JSON lines, such as utf-8.
        header_row: the row of CSV and XLSX with the columns' names, from 1; what is above it is left out. 0 where
            there is none: the columns are then called `column 1`, `column 2` and so on.
        sheet: name of a workbook's sheet; None for the first visible one with a table.
        batch_rows: rows in a batch, fewer where they are large, so that memory is bounded.

    A total at the end of CSV and XLSX is left out (`table_rows.is_total`).

    Raises:
        DataFileError: the file is missing, empty, damaged, not what its ending says, has no such sheet, or is beyond
            what `table_limits` say.
    """
    numbered = read_numbered(path, encoding=encoding, header_row=header_row, sheet=sheet, batch_rows=batch_rows)
    with closing(numbered) as batches:
        for batch in batches:
            yield [row for _, row in batch]


def read_numbered(
    path: Path, *, encoding: str = "utf-8-sig", header_row: int = 1, sheet: str | None = None, batch_rows: int = 1000
) -> Generator[list[NumberedRecord]]:
    """Yield a table's rows with the number of each in its file, see `table_rows.SheetRow`; else as `read_table`.

    Rows of Parquet and JSON lines are counted from 1.
    """
    check_readable(path)
    batch: list[NumberedRecord] = []
    size = 0
    with closing(_READERS[table_format(path)](path, encoding, header_row, sheet)) as rows:
        for row_size, number, row in rows:
            batch.append((number, row))
            size += row_size
            if len(batch) == batch_rows or size >= LARGEST_BATCH:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def first_rows(path: Path, count: int, *, encoding: str = "utf-8-sig", sheet: str | None = None) -> list[list[str]]:
    """Return the first rows of a CSV or XLSX as they stand, empty ones included; raises as `read_table`."""
    check_readable(path)
    rows = _csv_rows(path, encoding, 0) if table_format(path) == "csv" else _xlsx_rows(path, sheet)
    with closing(rows):
        return [row.cells for row in islice(rows, count)]


def table_columns(
    path: Path, *, encoding: str = "utf-8-sig", header_row: int = 1, sheet: str | None = None
) -> list[str]:
    """Return a table's column names, from its first row; raises as `read_table`."""
    with closing(read_table(path, encoding=encoding, header_row=header_row, sheet=sheet, batch_rows=1)) as batches:
        for batch in batches:
            return list(batch[0])
    raise DataFileError(path, "the file has no rows")


def write_table(path: Path, rows: Iterable[Record], schema: "pa.Schema | None" = None) -> int:
    """Write rows in the format of the path's ending, in bounded memory; return how many there were.

    None is an empty cell, and a list or a record of CSV and XLSX a JSON text. CSV and XLSX have the columns of the
    first row. XLSX has no control characters, and cuts texts of more than 32,767 characters, which Excel does not open.

    Args:
        path: file to write; an existing one is replaced.
        rows: rows, each a dict in the order of the columns.
        schema: types of Parquet columns, whatever values they have; those of other columns are found in all rows.

    Raises:
        DataFileError: there are more rows than an XLSX sheet holds, a Parquet column would be of
            several types, or the ending is unknown.
    """
    ending = table_format(path)
    if ending == "parquet":
        from jobmatch_core.io.parquet_file import write_parquet  # pyarrow takes longer than most tables

        return write_parquet(path, iter(rows), schema)
    return _WRITERS[ending](path, iter(rows))


def cell_text(value: object, path: Path = _UNNAMED) -> str:
    """Return a cell as text, '' where it is empty: None, NaN, or the NA of pandas.

    Raises:
        DataFileError: it is a list, a record or bytes, as Parquet and JSON lines have them, and no text.
    """
    if isinstance(value, list | dict | bytes):
        kinds = {list: "a list", dict: "a record", bytes: "bytes"}
        raise DataFileError(path, f"a cell holds {kinds[type(value)]} where a text is expected; name another column")
    return "" if is_missing(value) else str(value)


def listed(columns: Collection[str]) -> str:
    """Name the first columns, and say how many others there are."""
    shown = ", ".join(list(columns)[:_LISTED])
    return f"{shown} and {len(columns) - _LISTED:,} others" if len(columns) > _LISTED else shown or "none"


@contextmanager
def read_errors_told(path: Path) -> Iterator[None]:
    """Raise DataFileError in place of an OSError: there is no such file, or it cannot be read."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataFileError(path, "there is no such file") from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error


def check_readable(path: Path) -> None:
    """Raise DataFileError where a path is no file that can be read."""
    with read_errors_told(path):
        check_regular(path)


@contextmanager
def _opened(path: Path, encoding: str) -> Iterator[TextIO]:
    """Open a text file without its byte order mark; raises DataFileError where its bytes cannot be decoded."""
    try:
        if "\0" in encoding:  # which is a ValueError to Python, like many others
            raise LookupError(encoding)
        encoding = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
        with read_errors_told(path), path.open(encoding=encoding, newline="") as file:
            yield file
    except LookupError as error:
        raise DataFileError(path, f"there is no text encoding {encoding!r}; try utf-8 or cp1252") from error
    except UnicodeError as error:
        name = encoding.upper().removesuffix("-SIG")
        problem = f"this is not {name} text; save it as UTF-8 (Excel: 'CSV UTF-8'), or name its encoding (as cp1252)"
        raise DataFileError(path, problem) from error


def _read_csv(path: Path, encoding: str, header_row: int, _sheet: str | None) -> Generator[SizedRecord]:
    return records(path, _csv_rows(path, encoding, header_row), header_row)


def _csv_rows(path: Path, encoding: str, header_row: int) -> Generator[SheetRow]:
    """Yield the rows, also empty ones, which have no cells."""
    with _opened(path, encoding) as file:
        delimiter = _delimiter(file.read(1 << 16), header_row)
        file.seek(0)
        lines = RowLines(path, file)
        reader = csv.reader(_without_nul(lines), delimiter=delimiter, strict=True)
        try:
            for number, cells in enumerate(reader, 1):
                lines.end_row()
                check_width(path, len(cells), reader.line_num)
                yield SheetRow(number, reader.line_num, cells)
        except csv.Error as error:
            problem = "the CSV is broken here: a cell has quotes that are not closed or not doubled"
            raise DataFileError(path, problem, line=reader.line_num) from error


def _delimiter(start: str, header_row: int) -> str:
    """Return what the header has most of outside quotes, or without a header what most lines have as often.

    Where there is none, the whole line is one cell.
    """
    lines = re.split(r"\r\n|\r|\n", _QUOTED_CELL.sub(r"\1", start))
    if header_row:
        header = lines[header_row - 1] if header_row <= len(lines) else ""
        most = max(_DELIMITERS, key=header.count)
        return most if most in header else _NO_DELIMITER
    filled = [line for line in lines if line.strip()]
    counts = {sign: Counter(line.count(sign) for line in filled if sign in line) for sign in _DELIMITERS}
    alike = {sign: max(counts[sign].values(), default=0) for sign in _DELIMITERS}
    regular = max(_DELIMITERS, key=alike.__getitem__)
    in_all = counts[regular].total() == len(filled) > 0
    return regular if in_all or 2 * alike[regular] > len(filled) else _NO_DELIMITER


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\0" in line:
            raise UnicodeError("no text has NUL; UTF-16 and binary files do")
        yield line


def _read_xlsx(path: Path, _encoding: str, header_row: int, sheet: str | None) -> Generator[SizedRecord]:
    return records(path, _xlsx_rows(path, sheet), header_row)


def _xlsx_rows(path: Path, sheet: str | None) -> Generator[SheetRow]:
    from jobmatch_core.io.xlsx_file import xlsx_rows  # openpyxl takes longer than most tables

    return xlsx_rows(path, sheet)


def _read_parquet(path: Path, _encoding: str, _header_row: int, _sheet: str | None) -> Generator[SizedRecord]:
    from jobmatch_core.io.parquet_file import read_parquet  # pyarrow takes longer than most tables

    with closing(read_parquet(path)) as rows:
        for number, (size, row) in enumerate(rows, 1):
            yield SizedRecord(size, number, row)


def _read_jsonl(path: Path, encoding: str, _header_row: int, _sheet: str | None) -> Generator[SizedRecord]:
    names: set[str] = set()
    with _opened(path, encoding) as file:
        for number, line in enumerate(single_lines(path, file), 1):
            if line.strip():
                try:
                    row = _parsed(line)
                except (ValueError, RecursionError) as error:
                    raise DataFileError(path, f"this line is not JSON ({error})", line=number) from error
                if not isinstance(row, dict):
                    raise DataFileError(path, "expected one JSON object a line", line=number)
                names.update(row)
                check_width(path, len(names), number)
                yield SizedRecord(len(line), number, row)


def _parsed(line: str) -> object:
    """Return a line's JSON; half a character, as a cut emoji leaves it, is replaced, for no file can hold it."""
    value = json.loads(line)
    if "\\ud" in line.lower():
        value = json.loads(_HALF_CHARACTER.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    return value


def _write_csv(path: Path, rows: Iterator[Record]) -> int:
    # the byte order mark makes Excel read UTF-8
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        return write_csv_rows(file, rows, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")


def write_csv_rows(file: io.TextIOBase, rows: Iterable[Record], *, delimiter: str = ",") -> int:
    """Write rows as neutralised CSV with a header; return how many there were."""
    writer = None
    count = 0
    for row in rows:
        if writer is None:
            # all texts are quoted: a spreadsheet that splits at semicolons must not find a formula behind one
            writer = csv.DictWriter(
                file, list(row), delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, extrasaction="ignore"
            )
            writer.writerow({name: csv_cell(name) for name in row})
        writer.writerow({name: csv_cell(value) for name, value in row.items()})
        count += 1
    return count


def _write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    from jobmatch_core.io.xlsx_writer import write_xlsx

    return write_xlsx(path, rows)


def _write_jsonl(path: Path, rows: Iterator[Record]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json_text(row, ensure_ascii=False, default=str) + "\n")
            count += 1
    return count


_READERS: dict[str, Callable[[Path, str, int, str | None], Generator[SizedRecord]]] = {
    "csv": _read_csv, "xlsx": _read_xlsx, "parquet": _read_parquet, "jsonl": _read_jsonl,
}  # fmt: skip
_WRITERS: dict[str, Callable[[Path, Iterator[Record]], int]] = {
    "csv": _write_csv, "xlsx": _write_xlsx, "jsonl": _write_jsonl,
}  # fmt: skip
