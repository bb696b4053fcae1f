"""Workbooks: rows of their sheets as texts, those of numbers and dates typed, streamed, and rows written.

Sizes that a workbook states are not trusted: parts are read element by element, as far as needed. Charts, pictures and
themes are never opened, and nothing is unpacked to disk.
"""

import posixpath
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, iterparse
from zipfile import ZipFile

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles.numbers import builtin_format_code, is_date_format, is_timedelta_format
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel, from_ISO8601
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import XlsxValue, neutralise, xlsx_cell
from jobmatch_core.io.table_limits import LARGEST_ROW, MOST_COLUMNS, XLSX_MAX_ROWS, most_unpacked, too_large_row
from jobmatch_core.io.table_rows import SheetRow
from jobmatch_core.io.text_source import translated_damage
from jobmatch_core.io.typed_text import typed

_LARGEST_TEXTS = 256 * 1024 * 1024  # bytes of the shared texts, unpacked, which are held in memory
_MOST_TEXTS = 200_000  # shared texts of a small workbook
_TEXTS_A_BYTE = 8  # of a larger one, per packed byte
_MOST_ELEMENTS = 200_000  # XML elements in a row, or before the first row
_LONGEST_GAP = 10_000  # rows without cells that are yielded as empty ones; a longer gap is left out
_DEEPEST = 100
_WIDTH_ROWS = 100  # first rows that determine the width of a sheet
_MOST_SHEETS = 100  # sheets that are read
_KIND = "an Excel workbook (.xlsx) with cells"
_ROOT = "xl/workbook.xml"
_SIZE = re.compile(r"(?:[A-Z]+\d+:)?([A-Z]{1,3})\d+")
_MEASURED = 100  # written rows that determine the widths of the columns
_NARROWEST, _WIDEST = 8, 50  # characters
_FILTER_BUTTON = 3  # characters that it covers in the header

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SheetSample:
    """The beginning of a sheet."""

    name: str
    hidden: bool  # true if Excel does not show it
    rows: list[list[str]]  # cells of its first rows, including empty rows; no rows for an empty sheet


def xlsx_rows(path: Path, sheet: str | None = None) -> Generator[SheetRow]:
    """Yield the rows of a sheet, including empty ones, which have no cells.

    Args:
        path: a workbook.
        sheet: name of the sheet; None for the first visible one with a table, or else with a cell.

    Raises DataFileError if it is not a workbook, damaged, has no such sheet, or is beyond Excel's limits or
    `table_limits`.
    """
    with translated_damage(path, _KIND), ZipFile(path) as archive:
        _refuse_bombs(path, archive)
        workbook = _Workbook(path, archive)
        yield from (SheetRow(number, number, cells) for number, cells in workbook.sheet(sheet).rows())


def sheet_samples(path: Path, n_rows: int) -> list[SheetSample]:
    """Return the first rows of each sheet that has cells, hidden ones last; raises as `xlsx_rows`."""
    with translated_damage(path, _KIND), ZipFile(path) as archive:
        _refuse_bombs(path, archive)
        return _Workbook(path, archive).samples(n_rows)


def matching_sheet(path: Path, names: Sequence[str], wanted: str) -> str:
    """Return the sheet that a user names, in upper or lower case; raises DataFileError without such a sheet."""
    if wanted in names:
        return wanted
    for name in names:
        if name.casefold() == wanted.strip().casefold():
            return name
    listed = ", ".join(map(repr, names[:_MOST_SHEETS]))
    raise DataFileError(path, f"there is no sheet {wanted!r} with cells; it has {listed}")


class _SheetEntry(NamedTuple):
    name: str
    hidden: bool
    part: str


class _Workbook:
    def __init__(self, path: Path, archive: ZipFile) -> None:
        self.path, self.archive = path, archive
        root = next(iter(_targets(archive, "", "officeDocument").values()), _ROOT)
        self.epoch, self._entries = _sheet_entries(archive, root)
        texts, styles = _target(archive, root, "sharedStrings"), _target(archive, root, "styles")
        self.texts = list(self._read(texts)) if texts else []
        self.dates = _date_styles(archive, styles) if styles else {}

    def sheet(self, name: str | None) -> "_Sheet":
        if name is None:
            name = self._usual() if len(self._entries) > 1 else self._entries[0].name
        parts = {entry.name: entry.part for entry in reversed(self._entries)}
        return _Sheet(self, parts[matching_sheet(self.path, [entry.name for entry in self._entries], name)])

    def samples(self, n_rows: int) -> list[SheetSample]:
        sampled = (
            SheetSample(name, hidden, [cells for _, cells in islice(_Sheet(self, part).rows(), n_rows)])
            for name, hidden, part in self._entries[:_MOST_SHEETS]
        )
        return sorted((sample for sample in sampled if sample.rows), key=lambda sample: sample.hidden)

    def _usual(self) -> str:
        samples = self.samples(_WIDTH_ROWS)
        visible = [sample for sample in samples if not sample.hidden] or samples
        # several rows with several cells are a table; an imprint has fewer
        tables = [sample for sample in visible if sum(sum(map(bool, cells)) > 1 for cells in sample.rows) > 1]
        return next((sample.name for sample in [*tables, *visible]), self._entries[0].name)

    def _read(self, part: str) -> Iterator[str]:
        # the texts that cells refer to
        packed = self.archive.getinfo(part)
        if packed.file_size > _LARGEST_TEXTS:
            raise DataFileError(self.path, _too_much(packed.file_size))
        for count, (_, element) in enumerate(_elements(self.archive, part, ("si",), "sst")):
            if count >= max(_MOST_TEXTS, _TEXTS_A_BYTE * packed.compress_size):
                raise DataFileError(self.path, "it has more texts than its size allows; save it as CSV")
            yield _text(element).replace("x005F_", "")


class _Sheet:
    def __init__(self, workbook: _Workbook, part: str) -> None:
        self._path, self._archive, self._part = workbook.path, workbook.archive, part
        self._epoch, self._texts, self._dates = workbook.epoch, workbook.texts, workbook.dates
        self._width = 0

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        # all rows are as wide as the sheet states, or as its widest first row
        rows = self._rows()
        first = list(islice(rows, _WIDTH_ROWS))
        width = max(self._width, max((len(cells) for _, cells in first), default=0))
        for number, cells in chain(first, rows):
            filled = [value or "" for value in cells] + [""] * (width - len(cells))
            yield number, filled if cells else []

    def _rows(self) -> Iterator[tuple[int, list[str | None]]]:
        # up to the last row with a cell, including rows that the file leaves out, except in long gaps
        last = number = 0
        for name, element in _elements(self._archive, self._part, ("dimension", "row"), "sheetData"):
            if name == "dimension":
                self._width = _stated_width(element.get("ref", ""))
                continue
            number = self._number_after(number, element.get("r"))
            if not (cells := self._cells(element, number)):
                continue
            if number - last <= _LONGEST_GAP:
                yield from ((blank, []) for blank in range(last + 1, number))
            yield number, cells
            last = number

    def _number_after(self, last: int, stated: str | None) -> int:
        number = int(float(stated)) if stated else last + 1
        if number > XLSX_MAX_ROWS:
            problem = f"a row has the number {number:,}, and Excel's last is {XLSX_MAX_ROWS:,}; save it as CSV"
            raise DataFileError(self._path, problem)
        if number <= last:
            raise DataFileError(self._path, f"row {number:,} comes after row {last:,}; open and save it in Excel")
        return number

    def _cells(self, row: Element, number: int) -> list[str | None]:
        cells: list[str | None] = []
        column = size = 0
        for cell in row:
            reference = cell.get("r")
            column = column_index_from_string(reference.rstrip("0123456789")) if reference else column + 1
            value = self._value(cell)
            if value is None:
                continue
            if column > MOST_COLUMNS:
                problem = f"cell {reference or column} is beyond the {MOST_COLUMNS:,} columns that a table may have"
                raise DataFileError(self._path, f"{problem}; delete its contents", line=number)
            size += len(value)
            if size > LARGEST_ROW:
                raise too_large_row(self._path, number)
            cells += [None] * (column - len(cells))
            cells[column - 1] = value
        return cells

    def _value(self, cell: Element) -> str | None:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return next((_text(child) for child in cell if _name(child) == "is"), None)
        value = next((child.text for child in cell if _name(child) == "v"), None)
        if not value:
            return None
        match kind:
            case "s":
                return self._texts[int(value)]
            case "b":
                return typed(bool(int(value)))
            case "d":
                return typed(from_ISO8601(value))
            case "n":
                return self._number(value, cell.get("s", "0"))
        return value

    def _number(self, value: str, style: str) -> str:
        number = float(value) if set(value) & set(".eE") else int(value)
        if style not in self._dates:
            return typed(number)
        try:
            return typed(from_excel(number, self._epoch, timedelta=self._dates[style]))
        except (OverflowError, ValueError):  # Excel shows this, too
            return "#VALUE!"


def _sheet_entries(archive: ZipFile, root: str) -> tuple[datetime, list[_SheetEntry]]:
    # also returns the epoch of dates; sheets of charts are left out
    parts = _targets(archive, root, "worksheet")
    epoch, entries = WINDOWS_EPOCH, []
    for name, element in _elements(archive, root, ("workbookPr", "sheet"), "sheets"):
        if name == "workbookPr":
            epoch = MAC_EPOCH if element.get("date1904") in ("1", "true") else epoch
            continue
        ids = (value for key, value in element.items() if key.endswith("}id"))
        if (part := parts.get(next(ids, ""))) in archive.NameToInfo:
            hidden = element.get("state", "visible") != "visible"
            entries.append(_SheetEntry(element.get("name", ""), hidden, str(part)))
    if not entries:
        raise ValueError("there is no sheet")
    return epoch, entries


def _targets(archive: ZipFile, part: str, kind: str) -> dict[str, str]:
    # the related parts of a kind, by id; the part '' is the whole workbook
    folder, name = posixpath.split(part)
    named = posixpath.join(folder, "_rels", f"{name}.rels")
    if named not in archive.NameToInfo:
        return {}
    return {
        element.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, element.get("Target", ""))).lstrip("/")
        for _, element in _elements(archive, named, ("Relationship",), "Relationships")
        if element.get("Type", "").endswith(f"/{kind}")
    }


def _target(archive: ZipFile, part: str, kind: str) -> str | None:
    # some programs name no relation, but use the usual name
    target = next(iter(_targets(archive, part, kind).values()), f"xl/{kind}.xml")
    return target if target in archive.NameToInfo else None


def _date_styles(archive: ZipFile, part: str) -> dict[str, bool]:
    # style number -> whether the style shows a duration, for styles of dates
    own: dict[str, str] = {}
    dates: dict[str, bool] = {}
    for name, element in _elements(archive, part, ("numFmt", "cellXfs"), "cellXfs"):
        if name == "numFmt":
            own[element.get("numFmtId", "")] = element.get("formatCode", "")
            continue
        for number, style in enumerate(element):
            shown = style.get("numFmtId", "0")
            code = own.get(shown) or builtin_format_code(int(shown))
            if code and is_date_format(code):
                dates[str(number)] = is_timedelta_format(code)
    return dates


def _elements(archive: ZipFile, part: str, wanted: Collection[str], until: str) -> Iterator[tuple[str, Element]]:
    # complete elements with the wanted names, up to the end of the first element named *until*
    with archive.open(part) as stream:
        path: list[Element] = []
        started = 0
        # expat limits the expansion of entities, and opens no external ones
        for event, element in iterparse(stream, events=("start", "end")):  # noqa: S314
            if event == "start":
                path.append(element)
                started += 1
                if started > _MOST_ELEMENTS or len(path) > _DEEPEST:
                    raise ValueError(f"{part} has more in it than a row or a list of styles has")
                continue
            path.pop()
            name = _name(element)
            if name in wanted:
                yield name, element
                started = 0
                if path:
                    path[-1].clear()
            if name == until:
                return


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: Element) -> str:
    # the pieces of a text may differ in their fonts; phonetic readings are left out
    pieces: list[Element] = []
    for child in element:
        pieces += child if _name(child) == "r" else [child]
    return "".join(piece.text or "" for piece in pieces if _name(piece) == "t")


def _stated_width(reference: str) -> int:
    # 0 for a sheet that states no width, or more than a table may have
    stated = _SIZE.fullmatch(reference)
    width = column_index_from_string(stated.group(1)) if stated else 0
    return width if width <= MOST_COLUMNS else 0


def _refuse_bombs(path: Path, archive: ZipFile) -> None:
    # zipfile stops reading a part at its declared size
    unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > most_unpacked(path.stat().st_size):
        raise DataFileError(path, _too_much(unpacked))


def _too_much(size: int) -> str:
    return f"it unpacks to {size / 2**30:.1f} GB, more than the limit for workbooks; save it as CSV"


def write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    """Write rows, with a fixed header and a filter for every column; return the number of rows.

    Raises DataFileError for more rows than a sheet holds.
    """
    book = Workbook(write_only=True)
    first = next(rows, None)
    header = list(first) if first else []
    lines = ([xlsx_cell(row.get(name)) for name in header] for row in chain([first] if first else [], rows))
    with closing(book.create_sheet("jobmatch")) as sheet:
        count = _write_lines(path, sheet, [xlsx_cell(name) for name in header], lines)
    book.save(path)
    return count


def _write_lines(
    path: Path, sheet: WriteOnlyWorksheet, header: list[XlsxValue], lines: Iterator[list[XlsxValue]]
) -> int:
    measured = list(islice(lines, _MEASURED))
    # a sheet that is streamed can be set up only before its first row
    sheet.freeze_panes = "A2"
    for number, cells in enumerate(zip(header, *measured, strict=True), 1):
        sheet.column_dimensions[get_column_letter(number)].width = _width(*cells)
    if header:
        sheet.append([_written(sheet, cell) for cell in header])
    count = 0
    for count, line in enumerate(chain(measured, lines), 1):
        if count >= XLSX_MAX_ROWS:
            raise DataFileError(path, f"an XLSX sheet holds {XLSX_MAX_ROWS:,} rows; write .csv or .parquet instead")
        sheet.append([_written(sheet, cell) for cell in line])
    if header:
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{count + 1}"
    return count


def _written(sheet: WriteOnlyWorksheet, cell: XlsxValue) -> object:
    # marked as text, so that Excel neither shows a leading ' nor makes a formula of it when the cell is edited
    if not isinstance(cell, str) or neutralise(cell) == cell:
        return cell
    written = WriteOnlyCell(sheet, cell)
    written.data_type, written.quotePrefix = "s", True
    return written


def _width(name: XlsxValue, *cells: XlsxValue) -> int:
    longest = max((len(str(cell)) for cell in cells if cell is not None), default=0)
    return min(max(len(str(name)) + _FILTER_BUTTON, longest + 1, _NARROWEST), _WIDEST)
