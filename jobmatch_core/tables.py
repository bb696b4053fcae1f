"""Tables that users bring and take away: CSV, XLSX, Parquet and JSON lines, read and written in pieces.

Cells of CSV, XLSX and JSON lines are read as text; Parquet keeps its types. What is written to CSV or
XLSX is neutralised, so that no cell is taken for a formula.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.utils.exceptions import InvalidFileException

from jobmatch_core.errors import DataFileError

FORMATS = ("csv", "xlsx", "parquet", "jsonl")
XLSX_MAX_ROWS = 1_048_576
_DELIMITERS = ",;\t|"
_NUMBER = re.compile(r"^[+-]?\d[\d.,\s]*%?$")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Record = dict[str, Any]


def neutralise(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: texts that start like one get a leading `'`.

    Plain numbers such as `-5` are harmless and stay. See OWASP, CSV injection.
    """
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS) and not _NUMBER.match(value):
        return "'" + value
    return value


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


def read_table(path: Path, *, encoding: str = "utf-8-sig", batch_rows: int = 1000) -> Iterator[list[Record]]:
    """Yield a table's rows in batches, each row a dict in the order of the columns.

    Args:
        path: a CSV (comma, semicolon, tab or bar), XLSX (first sheet), Parquet or JSON lines file.
        encoding: of CSV and JSON lines.
        batch_rows: rows in a batch; memory is bounded by it.

    Raises:
        DataFileError: the file is missing, empty, damaged or not what its ending says.
    """
    if not path.is_file():
        raise DataFileError(path, "there is no such file")
    rows = _READERS[table_format(path)](path, encoding)
    batch: list[Record] = []
    for row in rows:
        batch.append(row)
        if len(batch) == batch_rows:
            yield batch
            batch = []
    if batch:
        yield batch


def table_columns(path: Path, *, encoding: str = "utf-8-sig") -> list[str]:
    """Return a table's column names, from its first row; raises as `read_table`."""
    for batch in read_table(path, encoding=encoding, batch_rows=1):
        return list(batch[0])
    raise DataFileError(path, "the file has no rows")


def write_table(path: Path, rows: Iterable[Record]) -> int:
    """Write rows in the format of the path's ending, in bounded memory; return how many there were.

    Raises:
        DataFileError: there are more rows than an XLSX sheet holds, or the ending is unknown.
    """
    return _WRITERS[table_format(path)](path, iter(rows))


def _unique_header(path: Path, cells: Sequence[object]) -> list[str]:
    header = [str(cell if cell is not None else "").strip() or f"column {i}" for i, cell in enumerate(cells, 1)]
    if not cells:
        raise DataFileError(path, "the file is empty; expected a header line", line=1)
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise DataFileError(path, f"the column {twice[0]!r} occurs twice; give each its own name", line=1)
    return header


def _read_csv(path: Path, encoding: str) -> Iterator[Record]:
    with path.open(encoding=encoding, newline="") as file:
        try:
            first = file.readline()
            delimiter = max(_DELIMITERS, key=first.count)
            file.seek(0)
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = _unique_header(path, next(reader, []))
            for values in reader:
                if not values:
                    continue
                if len(values) > len(header):
                    raise DataFileError(
                        path, f"{len(values)} fields where the header has {len(header)}", line=reader.line_num
                    )
                yield dict(zip(header, values + [""] * (len(header) - len(values)), strict=True))
        except UnicodeError as error:
            raise DataFileError(
                path, "this is not UTF-8 text; save the file as 'CSV UTF-8', or name its encoding (such as cp1252)"
            ) from error
        except csv.Error as error:
            raise DataFileError(path, f"the CSV is broken here ({error})", line=reader.line_num) from error


def _read_xlsx(path: Path, encoding: str) -> Iterator[Record]:
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, OSError) as error:
        raise DataFileError(path, "this is not an Excel workbook (.xlsx)") from error
    with closing(book):
        rows = book.worksheets[0].iter_rows(values_only=True)
        header = _unique_header(path, next(rows, ()))
        for values in rows:
            if any(value is not None for value in values):
                cells = ["" if value is None else str(value) for value in values[: len(header)]]
                yield dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))


def _read_parquet(path: Path, encoding: str) -> Iterator[Record]:
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=1000):
                yield from batch.to_pylist()
    except (pa.ArrowInvalid, OSError) as error:
        raise DataFileError(path, f"this is not a Parquet file, or it is damaged ({error})") from error


def _read_jsonl(path: Path, encoding: str) -> Iterator[Record]:
    with path.open(encoding=encoding) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise DataFileError(path, f"this line is not JSON ({error})", line=number) from error
                if not isinstance(row, dict):
                    raise DataFileError(path, "expected one JSON object a line", line=number)
                yield row


def _write_csv(path: Path, rows: Iterator[Record]) -> int:
    # the byte order mark makes Excel read UTF-8
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        return write_csv_rows(file, rows)


def write_csv_rows(file: io.TextIOBase, rows: Iterable[Record]) -> int:
    """Write rows as neutralised CSV with a header; return how many there were."""
    writer = None
    count = 0
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row), extrasaction="ignore", lineterminator="\n")
            writer.writerow({name: neutralise(name) for name in row})
        writer.writerow({name: neutralise(value) for name, value in row.items()})
        count += 1
    return count


def _write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("jobmatch")
    count = 0
    for count, row in enumerate(rows, 1):
        if count == 1:
            sheet.append([neutralise(name) for name in row])
        if count >= XLSX_MAX_ROWS:
            raise DataFileError(path, f"an XLSX sheet holds {XLSX_MAX_ROWS:,} rows; write .csv or .parquet instead")
        sheet.append([_xlsx_cell(value) for value in row.values()])
    book.save(path)
    return count


def _xlsx_cell(value: object) -> object:
    if isinstance(value, str):
        return neutralise(ILLEGAL_CHARACTERS_RE.sub("", value))
    return value if value is None or isinstance(value, (int, float, bool)) else str(value)


def _write_parquet(path: Path, rows: Iterator[Record]) -> int:
    writer: pq.ParquetWriter | None = None
    schema: pa.Schema | None = None
    count = 0
    try:
        for batch in _batches(rows, 5000):
            table = pa.Table.from_pylist(batch, schema=schema)
            if writer is None:
                schema = table.schema
                writer = pq.ParquetWriter(path, schema)
            writer.write_table(table)
            count += len(batch)
    except pa.ArrowInvalid as error:
        raise DataFileError(path, f"the rows do not fit one Parquet schema ({error}); write .csv or .jsonl") from error
    finally:
        if writer is not None:
            writer.close()
    return count


def _write_jsonl(path: Path, rows: Iterator[Record]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
            count += 1
    return count


def _batches(rows: Iterator[Record], size: int) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


_READERS: dict[str, Callable[[Path, str], Iterator[Record]]] = {
    "csv": _read_csv, "xlsx": _read_xlsx, "parquet": _read_parquet, "jsonl": _read_jsonl,
}  # fmt: skip
_WRITERS: dict[str, Callable[[Path, Iterator[Record]], int]] = {
    "csv": _write_csv, "xlsx": _write_xlsx, "parquet": _write_parquet, "jsonl": _write_jsonl,
}  # fmt: skip
