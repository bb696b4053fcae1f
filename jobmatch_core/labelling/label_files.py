"""Lossless files of judgments, JSON lines and CSV, streamed line by line.

In CSV, a cell that starts like a formula gets a leading `'`, which reading removes. A text that starts with `'`, or
that CSV cannot hold, is written as `'` and a JSON string. Numbers, lists and flags are JSON; empty cells are None.
"""

import csv
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import TextIO

from jobmatch_core.entities import Judgment
from jobmatch_core.errors import DataFileError, LabellingError
from jobmatch_core.io.folders import atomic_file
from jobmatch_core.io.json_rows import json_list
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.io.table_limits import RowLines, check_names, single_lines
from jobmatch_core.io.text_source import opened_text, unpacked_name
from jobmatch_core.judgment_tallies import JudgmentColumns
from jobmatch_core.labelling.label_records import COLUMNS, LabelRecord, check_columns, judgment_of, label_record

_CSV_CANNOT_HOLD = re.compile("[\0\ud800-\udfff]")
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
# JSON texts contain no line breaks, so a list can be split at them
_LIST = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=("\n", ":"))
_DELIMITERS = ",;\t"  # spreadsheets choose one by locale
_VARIED = ("id", "left", "right", "rank", "score", "seconds")  # columns with few repeated values


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of label files."""

    media_type: str  # MIME type
    write: Callable[[Path, Iterable[LabelRecord]], int]  # writes records to a file and returns their number
    # yields the records of an open file with their line numbers
    read: Callable[[Path, TextIO], Iterator[tuple[int, LabelRecord]]]
    other_endings: tuple[str, ...] = ()  # file endings besides the format's name


def write_labels(path: Path, judgments: Iterable[Judgment]) -> int:
    """Write judgments to a .jsonl or .csv file atomically, in their order; return their number.

    Raises DataFileError if the file has another ending, LabellingError if it cannot be written.
    """
    file_format = _format(path)
    try:
        with atomic_file(path) as temporary:
            count = file_format.write(temporary, map(label_record, judgments))
    except OSError as error:
        raise LabellingError(f"{path.name} could not be written ({error.strerror or error}).") from error
    return count


def read_labels(path: Path, *, encoding: str = "utf-8-sig") -> Iterator[Judgment]:
    """Yield the judgments of a file (.jsonl, .csv, or .json with one list of records; also gzipped), in its order.

    Raises DataFileError if the file does not exist or is damaged; the message names the line.
    """
    for line, record in _records(path, encoding):
        try:
            yield judgment_of(record)
        except ValueError as error:
            raise DataFileError(path, str(error), line=line) from error


def _records(path: Path, encoding: str) -> Iterator[tuple[int, LabelRecord]]:
    if unpacked_name(path).suffix.lower() == ".json":
        yield from ((line, record) for _, line, record in json_list(path, encoding))
        return
    file_format = _format(unpacked_name(path))
    with opened_text(path, encoding) as file:
        yield from file_format.read(path, file)


def json_line(record: LabelRecord) -> bytes:
    """Return a record as a line of JSON in UTF-8, with lone surrogates escaped."""
    return _JSON.encode(record).encode("utf-8", "backslashreplace") + b"\n"


def json_lines(judgments: JudgmentColumns) -> bytes:
    """Return judgments as the lines of `json_line`, in a third of the time.

    Raises ValueError if a number is not finite.
    """
    columns = {name: (_encoded if name in _VARIED else _repeated)(getattr(judgments, name)) for name in COLUMNS}
    columns["at"] = [f'"{at}+00:00"' for at in judgments.at]
    lines: list[Iterable[str]] = []
    text, n = "{", len(judgments.id)
    for name, codes in columns.items():
        text += f'{"" if name == "id" else ","}"{name}":'
        if len(codes) < n:  # a value that all lines share becomes part of the text around it
            text += codes[0]
        else:
            lines += [repeat(text, n), codes]
            text = ""
    pieces = chain.from_iterable(zip(*lines, repeat(text + "}\n", n), strict=True))
    return "".join(pieces).encode("utf-8", "backslashreplace")


def _encoded(values: Sequence[object]) -> list[str]:
    return _LIST.encode(values)[1:-1].split("\n")


def _repeated(values: Sequence[Hashable]) -> list[str]:
    # encodes each distinct value once, and returns a single code if all are the same
    if values.count(values[0]) == len(values):
        return [_JSON.encode(values[0])]
    codes = {value: _JSON.encode(value) for value in set(values)}
    return [*map(codes.__getitem__, values)]


def _format(path: Path) -> FileFormat:
    ending = path.suffix.lower().removeprefix(".")
    for name, file_format in FILE_FORMATS.items():
        if ending in (name, *file_format.other_endings):
            return file_format
    raise DataFileError(path, f"label files end in {' or '.join(f'.{name}' for name in FILE_FORMATS)}")


def _write_jsonl(path: Path, records: Iterable[LabelRecord]) -> int:
    count = 0
    with path.open("wb") as file:
        for record in records:
            file.write(json_line(record))
            count += 1
    return count


def _read_jsonl(path: Path, file: TextIO) -> Iterator[tuple[int, LabelRecord]]:
    for number, line in enumerate(single_lines(path, file), 1):
        if line.strip():
            try:
                record = parsed_line(line)
            except ValueError as error:
                raise DataFileError(path, f"this line is not a JSON object ({error})", line=number) from error
            yield number, record


def parsed_line(line: str) -> LabelRecord:
    """Return the record of a line that `json_line` wrote; raises ValueError if it is not a JSON object."""
    try:
        record = json.loads(line, parse_constant=_refused)
    except RecursionError as error:
        raise ValueError("it is too deeply nested") from error
    if not isinstance(record, dict):
        raise ValueError(f"it is a {type(record).__name__}")
    return record


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def _write_csv(path: Path, records: Iterable[LabelRecord]) -> int:
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # the byte order mark makes Excel read UTF-8
        # all cells are quoted, so that a spreadsheet that splits at semicolons finds no formula after one
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(COLUMNS)
        for record in records:
            writer.writerow([_cell(name, value) for name, value in record.items()])
            count += 1
    return count


def _read_csv(path: Path, file: TextIO) -> Iterator[tuple[int, LabelRecord]]:
    lines = RowLines(path, file)
    first = next(lines, "")
    lines.end_row()
    delimiter = max(_DELIMITERS, key=first.count)
    line = 1
    try:
        header = next(csv.reader([first], delimiter=delimiter), [])
        _check_header(path, header)
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        line = 2
        for cells in reader:
            lines.end_row()
            if cells:
                yield line, _csv_record(path, header, cells, line)
            line = reader.line_num + 2  # the header is line 1, and a cell may hold several lines
    except csv.Error as error:
        problem = "the CSV is broken here: a cell has quotes that are not closed or not doubled"
        raise DataFileError(path, problem, line=line) from error


def _check_header(path: Path, header: list[str]) -> None:
    if not header:
        raise DataFileError(path, "the file is empty; expected the names of the columns", line=1)
    check_names(path, header, line=1)
    try:
        check_columns(header)
    except ValueError as error:
        raise DataFileError(path, str(error), line=1) from error


def _csv_record(path: Path, header: list[str], cells: list[str], line: int) -> LabelRecord:
    if len(cells) != len(header):
        raise DataFileError(path, f"{len(cells)} fields where the header has {len(header)}", line=line)
    record = {}
    for name, cell in zip(header, cells, strict=True):
        column = COLUMNS[name]
        if cell or column.is_text:  # an empty cell of another type counts as missing
            try:
                record[name] = _of_cell(name, cell)
            except ValueError as error:
                raise DataFileError(path, f"{name} is {cell!r}; expected {column.expected}", line=line) from error
    return record


def _cell(name: str, value: object) -> str:
    if value is None:
        return ""
    if not COLUMNS[name].is_text:
        return json.dumps(value, allow_nan=False)
    text = str(value)
    if text.startswith("'") or _CSV_CANNOT_HOLD.search(text):
        return "'" + json.dumps(text)
    return str(neutralise(text))


def _of_cell(name: str, cell: str) -> object:
    if not COLUMNS[name].is_text:
        # spreadsheets write TRUE and FALSE in capitals
        return json.loads(cell.lower() if name == "adjudicates" else cell, parse_constant=_refused)
    if cell.startswith("'\""):
        return json.loads(cell[1:])
    if not cell and name == "verdict":
        return None
    return cell.removeprefix("'")


FILE_FORMATS = {
    "jsonl": FileFormat("application/jsonl", _write_jsonl, _read_jsonl, ("ndjson",)),
    "csv": FileFormat("text/csv", _write_csv, _read_csv, ("tsv", "txt")),
}
