"""Tables of users: CSV, XLSX, Parquet and JSON, read (also packed by gzip) and written in pieces.

Cells of CSV and XLSX are read as text; Parquet and JSON keep their types. Numbers and dates of XLSX are `TypedText`,
which is written to XLSX as a number or date again. No spreadsheet reads a written cell as a formula: CSV has a `'` in
front of such a text, XLSX marks its cell as text.
"""

import csv
import io
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.json_rows import json_lines, json_list
from jobmatch_core.io.separators import guess_separator, other_separator
from jobmatch_core.io.table_cells import csv_cell, is_missing
from jobmatch_core.io.table_limits import LARGEST_BATCH, RowLines, check_width
from jobmatch_core.io.table_rows import SheetRow, SizedRecord, records
from jobmatch_core.io.text_files import check_regular, json_text
from jobmatch_core.io.text_source import opened_text, translated_read_errors, unpacked, unpacked_name

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("csv", "xlsx", "parquet", "jsonl")  # for writing; JSON is only read
TEXT_FORMATS = ("csv", "jsonl", "json")
# of uploads
ENDINGS = ("csv", "tsv", "txt", "xlsx", "parquet", "jsonl", "ndjson", "json", "gz")
_SAME = {"tsv": "csv", "txt": "csv", "tab": "csv", "pq": "parquet", "ndjson": "jsonl"}
BATCH_ROWS = 1000
_LISTED = 12  # columns in a message
_UNNAMED = Path("this table")
_DETECTED = 1 << 16  # characters for detecting the separator

Record = dict[str, Any]
NumberedRecord = tuple[int, Record]  # (number of a row in its file, row)


def table_format(path: Path) -> str:
    """Return the format for reading a table: one of `FORMATS`, or json; raises DataFileError for other endings."""
    ending = _ending(unpacked_name(path))
    if ending not in (*FORMATS, "json"):
        raise DataFileError(path, f"expected a file that ends in .{', .'.join(FORMATS)}, .json, .csv.gz or .jsonl.gz")
    return ending


def written_format(path: Path) -> str:
    """Return the format for writing a table: one of `FORMATS`; raises DataFileError for other endings."""
    if (ending := _ending(path)) not in FORMATS:
        raise DataFileError(path, f"expected a file that ends in .{', .'.join(FORMATS)}")
    return ending


def _ending(path: Path) -> str:
    ending = path.suffix.lower().removeprefix(".")
    return _SAME.get(ending, ending)


def read_table(
    path: Path,
    *,
    encoding: str = "utf-8-sig",
    header_row: int = 1,
    sheet: str | None = None,
    separator: str = "",
    batch_rows: int = BATCH_ROWS,
) -> Generator[list[Record]]:
    """Yield a table's rows in batches, each row a dict in the order of the columns.

    Totals, and notes of the date or source, at the end of CSV and XLSX are left out.

    Args:
        path: a CSV, XLSX, Parquet, JSON lines or JSON file (a list of objects), also packed by gzip.
        encoding: text encoding of CSV and JSON, such as utf-8.
        header_row: row of CSV and XLSX with the column names, from 1; rows above it are left out. 0 for a table without
            a header, whose columns are then named `column 1`, `column 2` and so on.
        sheet: name of a workbook's sheet; None for the first visible one with a table.
        separator: character between the cells of CSV; '' detects it.
        batch_rows: maximum number of rows in a batch; batches of large rows are smaller, so that memory is bounded.

    Raises DataFileError if the file is missing, empty, damaged, not what its ending says, has no such sheet, or is
    beyond `table_limits`.
    """
    numbered = read_numbered(
        path, encoding=encoding, header_row=header_row, sheet=sheet, separator=separator, batch_rows=batch_rows
    )
    with closing(numbered) as batches:
        for batch in batches:
            yield [row for _, row in batch]


def read_numbered(
    path: Path,
    *,
    encoding: str = "utf-8-sig",
    header_row: int = 1,
    sheet: str | None = None,
    separator: str = "",
    batch_rows: int = BATCH_ROWS,
) -> Generator[list[NumberedRecord]]:
    """Yield a table's rows with their numbers; otherwise as `read_table`.

    Numbers are those of `SheetRow` for CSV and XLSX, lines for JSON lines, and counts from 1 for Parquet and JSON.
    """
    check_readable(path)
    batch: list[NumberedRecord] = []
    size = 0
    with closing(_rows(path, encoding, header_row, sheet, separator)) as rows:
        for row_size, number, row in rows:
            batch.append((number, row))
            size += row_size
            if len(batch) == batch_rows or size >= LARGEST_BATCH:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def rows_with(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    """Yield these columns of a table's rows as stripped texts.

    Raises DataFileError if the table cannot be read, or lacks a column.
    """
    for batch in read_table(path):
        for record in batch:
            if any(column not in record for column in columns):
                raise DataFileError(path, f"expected the columns {', '.join(columns)}")
            yield {column: str(record[column] or "").strip() for column in columns}


def first_rows(
    path: Path, count: int, *, encoding: str = "utf-8-sig", sheet: str | None = None, separator: str = ""
) -> list[list[str]]:
    """Return the cells of the first rows of a CSV or XLSX, including empty rows; raises as `read_table`."""
    check_readable(path)
    rows = _csv_rows(path, encoding, 0, separator) if table_format(path) == "csv" else _xlsx_rows(path, sheet)
    with closing(rows):
        return [row.cells for row in islice(rows, count)]


def table_columns(
    path: Path, *, encoding: str = "utf-8-sig", header_row: int = 1, sheet: str | None = None, separator: str = ""
) -> list[str]:
    """Return a table's column names; raises as `read_table`, and if the table has no rows."""
    table = read_table(path, encoding=encoding, header_row=header_row, sheet=sheet, separator=separator, batch_rows=1)
    with closing(table) as batches:
        for batch in batches:
            return list(batch[0])
    raise DataFileError(path, "the file has no rows")


def write_table(path: Path, rows: Iterable[Record], schema: "pa.Schema | None" = None) -> int:
    """Write rows in the format of the path's ending, in bounded memory; return the number of rows.

    None becomes an empty cell; CSV and XLSX have lists and records as JSON, and the columns of the first row. In XLSX
    control characters are removed, and texts cut to Excel's maximum of 32,767 characters.

    Args:
        path: file to write; an existing one is replaced.
        rows: rows, each a dict in the order of the columns.
        schema: types of Parquet columns; those of other columns follow from all rows.

    Raises DataFileError if there are more rows than an XLSX sheet holds, a Parquet column would have several types, or
    the ending is unknown.
    """
    ending = written_format(path)
    if ending == "parquet":
        from jobmatch_core.io.parquet_file import write_parquet  # pyarrow takes longer than most tables

        return write_parquet(path, iter(rows), schema)
    return _WRITERS[ending](path, iter(rows))


def cell_text(value: object, path: Path = _UNNAMED) -> str:
    """Return a cell as text, '' if missing; raises DataFileError for lists, records and bytes, as in Parquet."""
    if isinstance(value, list | dict | bytes):
        kinds = {list: "a list", dict: "a record", bytes: "bytes"}
        raise DataFileError(path, f"a cell holds {kinds[type(value)]} where a text is expected; name another column")
    return "" if is_missing(value) else str(value)


def listed(columns: Collection[str]) -> str:
    """Return the names of the first columns, and the number of others."""
    shown = ", ".join(list(columns)[:_LISTED])
    return f"{shown} and {len(columns) - _LISTED:,} others" if len(columns) > _LISTED else shown or "none"


def no_column(path: Path, name: str, columns: Collection[str], line: int | None = None) -> DataFileError:
    """Return the error for a missing column, which lists the existing ones."""
    problem = f"there is no column {name!r}; it has {listed(columns)}"
    if sign := other_separator(list(columns)):
        problem += f"; if {sign!r} separates them, give it as the separator"
    return DataFileError(path, problem, line=line)


def check_readable(path: Path) -> None:
    """Raise DataFileError if a path is not a readable file."""
    with translated_read_errors(path):
        check_regular(path)


def _rows(path: Path, encoding: str, header_row: int, sheet: str | None, separator: str) -> Generator[SizedRecord]:
    match table_format(path):
        case "csv":
            return records(path, _csv_rows(path, encoding, header_row, separator), header_row)
        case "xlsx":
            return records(path, _xlsx_rows(path, sheet), header_row)
        case "parquet":
            return _parquet_rows(path)
        case "jsonl":
            return (SizedRecord(*row) for row in json_lines(path, encoding))
        case _:
            return _counted((size, row) for size, _, row in json_list(path, encoding))


def _counted(rows: Iterable[tuple[int, Record]]) -> Generator[SizedRecord]:
    for number, (size, row) in enumerate(rows, 1):
        yield SizedRecord(size, number, row)


def _csv_rows(path: Path, encoding: str, header_row: int, separator: str) -> Generator[SheetRow]:
    if not separator:
        with opened_text(path, encoding) as file:
            separator = guess_separator(file.read(_DETECTED), header_row)
    with opened_text(path, encoding) as file:
        lines = RowLines(path, file)
        reader = csv.reader(_without_nul(lines), delimiter=separator, strict=True)
        try:
            for number, cells in enumerate(reader, 1):
                lines.end_row()
                check_width(path, len(cells), reader.line_num)
                yield SheetRow(number, reader.line_num, cells)
        except csv.Error as error:
            problem = "the CSV is broken here: a cell has quotes that are not closed or not doubled"
            raise DataFileError(path, problem, line=reader.line_num) from error


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\0" in line:
            raise UnicodeError("no text has NUL; UTF-16 and binary files do")
        yield line


def _xlsx_rows(path: Path, sheet: str | None) -> Generator[SheetRow]:
    from jobmatch_core.io.xlsx_file import xlsx_rows  # openpyxl takes longer than most tables

    with unpacked(path) as book, closing(xlsx_rows(book, sheet)) as rows:
        yield from rows


def _parquet_rows(path: Path) -> Generator[SizedRecord]:
    from jobmatch_core.io.parquet_file import read_parquet  # pyarrow takes longer than most tables

    with unpacked(path) as table, closing(read_parquet(table)) as rows:
        yield from _counted(rows)


def _write_csv(path: Path, rows: Iterator[Record]) -> int:
    # the byte order mark makes Excel read UTF-8
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        return write_csv_rows(file, rows, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")


def write_csv_rows(file: io.TextIOBase, rows: Iterable[Record], *, delimiter: str = ",", quote_all: bool = True) -> int:
    """Write rows as neutralised CSV with a header; return the number of rows.

    Args:
        rows: rows, each a dict with the columns of the first one.
        delimiter: sign between cells.
        quote_all: false for readers that take quotes for part of the text; then only cells that need quotes have them.
    """
    writer = None
    count = 0
    for row in rows:
        if writer is None:
            # all texts are quoted, so that a spreadsheet that splits at semicolons finds no formula behind one
            writer = csv.DictWriter(
                file,
                list(row),
                delimiter=delimiter,
                quoting=csv.QUOTE_NONNUMERIC if quote_all else csv.QUOTE_MINIMAL,
                extrasaction="ignore",
            )
            writer.writerow({name: csv_cell(name) for name in row})
        writer.writerow({name: csv_cell(value) for name, value in row.items()})
        count += 1
    return count


def _write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    from jobmatch_core.io.xlsx_file import write_xlsx

    return write_xlsx(path, rows)


def _write_jsonl(path: Path, rows: Iterator[Record]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json_text(row, ensure_ascii=False, default=str) + "\n")
            count += 1
    return count


_WRITERS: dict[str, Callable[[Path, Iterator[Record]], int]] = {
    "csv": _write_csv,
    "xlsx": _write_xlsx,
    "jsonl": _write_jsonl,
}
