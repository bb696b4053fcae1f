"""The rows of a workbook's sheets, as texts, read while they stream by.

Nothing that a workbook says of its own size is believed: parts are read element by element, and no more of them than
is needed. Charts, pictures and themes are never opened, and nothing is unpacked to disk.
"""

import posixpath
import re
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, iterparse
from zipfile import ZipFile

from openpyxl import Workbook
from openpyxl.styles.numbers import builtin_format_code, is_date_format, is_timedelta_format
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel, from_ISO8601
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import xlsx_cell
from jobmatch_core.io.table_limits import LARGEST_ROW, MOST_COLUMNS, XLSX_MAX_ROWS, most_unpacked, too_large_row
from jobmatch_core.io.table_rows import SheetRow

_LARGEST_TEXTS = 256 * 1024 * 1024  # bytes of all different texts, unpacked; they are held in memory
_MOST_TEXTS = 200_000  # that may be packed to nearly nothing
_TEXTS_A_BYTE = 8  # that more may be packed to
_MOST_ELEMENTS = 200_000  # of XML, of one row or before the first
_LONGEST_GAP = 10_000  # rows without cells that count; what stands below a longer one follows at once
_DEEPEST = 100
_WIDTH_ROWS = 100  # rows that say how wide a sheet is
_MOST_SHEETS = 100  # that are looked at
_ROOT = "xl/workbook.xml"
_SIZE = re.compile(r"(?:[A-Z]+\d+:)?([A-Z]{1,3})\d+")
_MEASURED = 100  # written rows that determine the widths of the columns
_NARROWEST, _WIDEST = 8, 50  # characters
_FILTER_BUTTON = 3  # characters that it covers in the header

Record = dict[str, Any]
Cell = str | float | None


@dataclass(frozen=True, slots=True)
class SheetSample:
    """The beginning of a sheet.

    Attributes:
        name: name of the sheet.
        hidden: true if Excel does not show it.
        rows: cells of its first rows, also of empty ones; nothing of an empty sheet.
    """

    name: str
    hidden: bool
    rows: list[list[str]]

    @property
    def has_table(self) -> bool:
        """True if several rows have several cells, unlike those of an imprint."""
        return sum(sum(map(bool, cells)) > 1 for cells in self.rows) > 1


def xlsx_rows(path: Path, sheet: str | None = None) -> Generator[SheetRow]:
    """Yield the rows of a sheet, also empty ones, which have no cells.

    Args:
        path: a workbook.
        sheet: name of the sheet; None for the first visible one with a table, else with a cell.

    Raises:
        DataFileError: it is no workbook, damaged, has no such sheet, or is beyond what Excel or `table_limits` allow.
    """
    with _damage_told(path), ZipFile(path) as archive:
        _refuse_bombs(path, archive)
        workbook = _Workbook(path, archive)
        yield from (SheetRow(number, number, cells) for number, cells in workbook.sheet(sheet).rows())


def sheet_samples(path: Path, n_rows: int) -> list[SheetSample]:
    """Return the first rows of each sheet that has cells, hidden ones last; raises as `xlsx_rows`."""
    with _damage_told(path), ZipFile(path) as archive:
        _refuse_bombs(path, archive)
        return _Workbook(path, archive).samples(n_rows)


class _Listed(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    hidden: bool
    part: str


class _Workbook:
    """The sheets of a workbook, and what they share."""

    def __init__(self, path: Path, archive: ZipFile) -> None:
        self.path, self.archive = path, archive
        root = next(iter(_targets(archive, "", "officeDocument").values()), _ROOT)
        self.epoch, self._listed = _sheets(archive, root)
        texts, styles = _target(archive, root, "sharedStrings"), _target(archive, root, "styles")
        self.texts = list(self._read(texts)) if texts else []
        self.dates = _date_styles(archive, styles) if styles else {}

    def sheet(self, name: str | None) -> "_Sheet":
        """Return the sheet of a name, in whatever case, or the first one with a table."""
        if name is None:
            name = self._usual() if len(self._listed) > 1 else self._listed[0].name
        found = [each for each in self._listed if each.name == name] or [
            each for each in self._listed if each.name.casefold() == name.strip().casefold()
        ]
        if not found:
            names = ", ".join(repr(each.name) for each in self._listed[:_MOST_SHEETS])
            raise DataFileError(self.path, f"there is no sheet {name!r} with cells; the sheets are {names}")
        return _Sheet(self, found[0].part)

    def samples(self, n_rows: int) -> list[SheetSample]:
        """Return the first rows of each sheet that has some, hidden ones last."""
        sampled = (
            SheetSample(name, hidden, [cells for _, cells in islice(_Sheet(self, part).rows(), n_rows)])
            for name, hidden, part in self._listed[:_MOST_SHEETS]
        )
        return sorted((sample for sample in sampled if sample.rows), key=lambda sample: sample.hidden)

    def _usual(self) -> str:
        samples = self.samples(_WIDTH_ROWS)
        visible = [sample for sample in samples if not sample.hidden] or samples
        names = [sample.name for sample in visible if sample.has_table] or [sample.name for sample in visible]
        return names[0] if names else self._listed[0].name

    def _read(self, part: str) -> Iterator[str]:
        """Yield the texts that cells refer to."""
        packed = self.archive.getinfo(part)
        if packed.file_size > _LARGEST_TEXTS:
            raise DataFileError(self.path, _too_much(packed.file_size))
        for count, (_, element) in enumerate(_elements(self.archive, part, ("si",), "sst")):
            if count >= max(_MOST_TEXTS, _TEXTS_A_BYTE * packed.compress_size):
                raise DataFileError(self.path, "it has more texts than its size allows; save it as CSV")
            yield _text(element).replace("x005F_", "")


class _Sheet:
    """A sheet of a workbook."""

    def __init__(self, workbook: _Workbook, part: str) -> None:
        self._path, self._archive, self._part = workbook.path, workbook.archive, part
        self._epoch, self._texts, self._dates = workbook.epoch, workbook.texts, workbook.dates
        self._width = 0

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield rows, all as wide as the sheet says, or as its first rows are."""
        rows = self._rows()
        first = list(islice(rows, _WIDTH_ROWS))
        width = max(self._width, max((len(cells) for _, cells in first), default=0))
        for number, cells in chain(first, rows):
            filled = [value or "" for value in cells] + [""] * (width - len(cells))
            yield number, filled if cells else []

    def _rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Yield all rows up to the last that has a cell, also those that the file leaves out, but for long gaps."""
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
        """Return the number of a row; it says it itself, or follows the last."""
        number = int(float(stated)) if stated else last + 1
        if number > XLSX_MAX_ROWS:
            problem = f"a row has the number {number:,}, and Excel's last is {XLSX_MAX_ROWS:,}; save it as CSV"
            raise DataFileError(self._path, problem)
        if number <= last:
            raise DataFileError(self._path, f"row {number:,} comes after row {last:,}; open and save it in Excel")
        return number

    def _cells(self, row: Element, number: int) -> list[str | None]:
        """Return a row's values up to the last that is there."""
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
                return str(bool(int(value)))
            case "d":
                return str(from_ISO8601(value))
            case "n":
                return self._number(value, cell.get("s", "0"))
        return value

    def _number(self, value: str, style: str) -> str:
        number = float(value) if set(value) & set(".eE") else int(value)
        if style not in self._dates:
            return str(number)
        try:
            return str(from_excel(number, self._epoch, timedelta=self._dates[style]))
        except (OverflowError, ValueError):  # as Excel shows it
            return "#VALUE!"


def _sheets(archive: ZipFile, root: str) -> tuple[datetime, list[_Listed]]:
    """Return the day from which a workbook counts, and its sheets that are no charts."""
    parts = _targets(archive, root, "worksheet")
    epoch, listed = WINDOWS_EPOCH, []
    for name, element in _elements(archive, root, ("workbookPr", "sheet"), "sheets"):
        if name == "workbookPr":
            epoch = MAC_EPOCH if element.get("date1904") in ("1", "true") else epoch
            continue
        ids = (value for key, value in element.items() if key.endswith("}id"))
        if (part := parts.get(next(ids, ""))) in archive.NameToInfo:
            hidden = element.get("state", "visible") != "visible"
            listed.append(_Listed(element.get("name", ""), hidden, str(part)))
    if not listed:
        raise ValueError("there is no sheet")
    return epoch, listed


def _targets(archive: ZipFile, part: str, kind: str) -> dict[str, str]:
    """Return the parts of a kind that a part names, by their ids; '' stands for the workbook as a whole."""
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
    """Return the part of a kind that there is one of, also where it is named nowhere; None where there is none."""
    found = next(iter(_targets(archive, part, kind).values()), f"xl/{kind}.xml")
    return found if found in archive.NameToInfo else None


def _date_styles(archive: ZipFile, part: str) -> dict[str, bool]:
    """Return the numbers of the styles that show a date, and whether that is a span of time."""
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
    """Yield the elements of these names, whole, up to the end of the first one that is called like *until*."""
    with archive.open(part) as stream:
        path: list[Element] = []
        started = 0
        # expat bounds what entities come to, and opens none from outside
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
    """Return a text with all its pieces, which may differ in their font; how it is pronounced is left out."""
    runs = chain.from_iterable([child] if _name(child) == "t" else _runs(child) for child in element)
    return "".join(run.text or "" for run in runs)


def _runs(element: Element) -> Iterable[Element]:
    return (child for child in element if _name(child) == "t") if _name(element) == "r" else ()


def _stated_width(reference: str) -> int:
    """Return how many columns a sheet says that it has; 0 where it does not, or names more than a table may have."""
    found = _SIZE.fullmatch(reference)
    width = column_index_from_string(found.group(1)) if found else 0
    return width if width <= MOST_COLUMNS else 0


def _refuse_bombs(path: Path, archive: ZipFile) -> None:
    """Refuse a workbook that unpacks to an implausible size; zip guarantees that no part exceeds its declared size."""
    unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > most_unpacked(path.stat().st_size):
        raise DataFileError(path, _too_much(unpacked))


def _too_much(size: int) -> str:
    return f"it unpacks to {size / 2**30:.1f} GB, more than a workbook may; save it as CSV"


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    """Report any fault of a damaged file, whether of zip, zlib, XML or content, as a DataFileError."""
    try:
        yield
    except (DataFileError, MemoryError):
        raise
    except Exception as error:
        raise DataFileError(
            path, f"this is not an Excel workbook (.xlsx) with cells, or it is damaged ({error})"
        ) from error


def write_xlsx(path: Path, rows: Iterator[Record]) -> int:
    """Write rows with the columns of the first one; return the number of rows.

    The header stays in view, and every column has a filter.

    Raises:
        DataFileError: there are more rows than a sheet holds.
    """
    book = Workbook(write_only=True)
    first = next(rows, None)
    header = list(first) if first else []
    lines = ([xlsx_cell(row.get(name)) for name in header] for row in chain([first] if first else [], rows))
    with closing(book.create_sheet("jobmatch")) as sheet:
        count = _write_lines(path, sheet, [xlsx_cell(name) for name in header], lines)
    book.save(path)
    return count


def _write_lines(path: Path, sheet: WriteOnlyWorksheet, header: list[Cell], lines: Iterator[list[Cell]]) -> int:
    measured = list(islice(lines, _MEASURED))
    # a sheet that is streamed can be set up only before its first row
    sheet.freeze_panes = "A2"
    for number, cells in enumerate(zip(header, *measured, strict=True), 1):
        sheet.column_dimensions[get_column_letter(number)].width = _width(*cells)
    if header:
        sheet.append(header)
    count = 0
    for count, line in enumerate(chain(measured, lines), 1):
        if count >= XLSX_MAX_ROWS:
            raise DataFileError(path, f"an XLSX sheet holds {XLSX_MAX_ROWS:,} rows; write .csv or .parquet instead")
        sheet.append(line)
    if header:
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{count + 1}"
    return count


def _width(name: Cell, *cells: Cell) -> int:
    longest = max((len(str(cell)) for cell in cells if cell is not None), default=0)
    return min(max(len(str(name)) + _FILTER_BUTTON, longest + 1, _NARROWEST), _WIDEST)
