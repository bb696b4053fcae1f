"""Tables as XLSX: cells, headers, damage, and the limits of Excel."""

import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from jobmatch_core.errors import DataFileError
from jobmatch_core.io import xlsx_file
from jobmatch_core.io.tables import (
    first_rows,
    read_table,
    write_table,
)
from tests.core.io.made_tables import round_trip, rows_of, tampered, workbook
from tests.hostile_files import XLSX

SHEET = "xl/worksheets/sheet1.xml"


def test_xlsx_numbers_are_numbers(tmp_path: Path) -> None:
    """Numbers stay numbers in the sheet, so that Excel can sort them."""
    write_table(tmp_path / "t.xlsx", [{"n": 3, "p": 0.25, "s": "007"}])
    book = load_workbook(tmp_path / "t.xlsx")
    assert [cell.value for cell in book.active[2]] == [3, 0.25, "007"]


def test_a_workbook_keeps_its_numbers_and_dates(tmp_path: Path) -> None:
    """They are read as texts, and written as what they were; a number that was a text stays one."""
    moment, day = datetime(2024, 1, 5, 13, 30), datetime(2024, 1, 5)
    values = [3, -2.5, True, day, moment, time(7, 5), "007", "12", "2024-01-05", "#N/A"]
    path = workbook(tmp_path / "t.xlsx", [f"c{number}" for number in range(len(values))], values)
    read = rows_of(path)
    assert list(read[0].values()) == [str(value) for value in values]
    write_table(tmp_path / "again.xlsx", read)
    cells = load_workbook(tmp_path / "again.xlsx").active[2]
    assert [cell.value for cell in cells] == values
    assert [cell.number_format for cell in cells[3:6]] == ["yyyy-mm-dd", "yyyy-mm-dd h:mm:ss", "h:mm:ss"]
    for ending in ("csv", "parquet", "jsonl"):
        assert [str(cell) for cell in round_trip(tmp_path / f"t.{ending}", read)[0].values()] == list(read[0].values())


@pytest.mark.parametrize(
    "value",
    [datetime(2024, 1, 5, tzinfo=UTC), date(1492, 10, 12), float("inf"), timedelta(hours=30)],
    ids=repr,
)
def test_what_excel_cannot_hold_is_a_text(tmp_path: Path, value: object) -> None:
    """Such a cell would make Excel repair the workbook, or show signs in place of a date."""
    write_table(tmp_path / "t.xlsx", [{"a": value}])
    assert load_workbook(tmp_path / "t.xlsx").active["A2"].value == str(value)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([["a", "b"], ["x", 1]], [{"a": "x", "b": "1"}], id="plain"),
        pytest.param(
            [["a", "b"], [None, None], ["x", None], ["", ""], ["y", 2.5]],
            [{"a": "x", "b": ""}, {"a": "y", "b": "2.5"}],
            id="empty rows",
        ),
        pytest.param([["a", "b"], ["x"]], [{"a": "x", "b": ""}], id="short row"),
        pytest.param([["a", None, "c"], [1, 2, 3]], [{"a": "1", "column 2": "2", "c": "3"}], id="column has no name"),
        pytest.param([["a"], [True], ["#N/A"], ["007"]], [{"a": "True"}, {"a": "#N/A"}, {"a": "007"}], id="kinds"),
        pytest.param([[2020, "b"], ["x", "y"]], [{"2020": "x", "b": "y"}], id="number as a name"),
        pytest.param([["a", "b"]], [], id="header only"),
    ],
)
def test_xlsx(tmp_path: Path, rows: list[list[Any]], expected: list[dict[str, str]]) -> None:
    """Cells of the first sheet are read as texts; empty rows are skipped."""
    assert rows_of(workbook(tmp_path / "t.xlsx", *rows)) == expected


@pytest.mark.parametrize("size", [b"", b'<dimension ref="A1"/>'], ids=["unsaid", "wrong"])
def test_xlsx_of_unknown_size(tmp_path: Path, size: bytes) -> None:
    """Some exporters state no size of a sheet, or A1."""

    def resized(data: bytes) -> bytes:
        assert b'<dimension ref="A1:B2" />' in data
        return data.replace(b'<dimension ref="A1:B2" />', size)

    assert rows_of(tampered(tmp_path / "t.xlsx", SHEET, resized)) == [{"title": "Nurse", "n": "1"}]


def test_xlsx_first_sheet_only(tmp_path: Path) -> None:
    """Other sheets are not read."""
    book = Workbook()
    book.active.append(["title"])
    book.active.append(["Nurse"])
    book.create_sheet("more").append(["other"])
    book.save(tmp_path / "t.xlsx")
    assert rows_of(tmp_path / "t.xlsx") == [{"title": "Nurse"}]


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    "rows",
    [[], [[None, None], ["a", "b"]], [["a", "b", "a"], [1, 2, 3]]],
    ids=["empty sheet", "blank first line", "duplicate header"],
)
def test_xlsx_without_a_usable_header(tmp_path: Path, rows: list[list[Any]]) -> None:
    """The error names line 1."""
    with pytest.raises(DataFileError, match=r"empty|occurs twice") as caught:
        rows_of(workbook(tmp_path / "t.xlsx", *rows))
    assert caught.value.line == 1


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    "content",
    [b"", b"title\nNurse\n", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"\xd0\xcf\x11\xe0" * 9],
    ids=["empty", "csv", "cut archive", "empty archive", "old .xls"],
)
def test_not_a_workbook(given_file: Callable[[str, str | bytes], Path], content: bytes) -> None:
    """Another file with the ending .xlsx is refused."""
    with pytest.raises(DataFileError, match=r"^t\.xlsx: this is not an Excel workbook"):
        rows_of(given_file("t.xlsx", content))


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    ("part", "change"),
    [
        pytest.param("_rels/.rels", lambda data: b"junk", id="list of parts is no XML"),
        pytest.param("xl/workbook.xml", lambda data: None, id="no workbook"),
        pytest.param("xl/workbook.xml", lambda data: data[: len(data) // 2], id="workbook cut short"),
        pytest.param("xl/styles.xml", lambda data: b"", id="styles empty"),
        pytest.param(SHEET, lambda data: None, id="no sheet"),
        pytest.param(SHEET, lambda data: b"junk", id="sheet is no XML"),
        pytest.param(SHEET, lambda data: data[: len(data) // 2], id="sheet cut short"),
        pytest.param(SHEET, lambda data: data.replace(b"<v>1</v>", b"<v>one</v>"), id="number that is none"),
        pytest.param(SHEET, lambda data: data.replace(b'r="A2"', b'r="??"'), id="cell address that is none"),
    ],
)
def test_damaged_workbook(tmp_path: Path, part: str, change: Callable[[bytes], bytes | None]) -> None:
    """A damaged part raises a DataFileError."""
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        rows_of(tampered(tmp_path / "t.xlsx", part, change))


@pytest.mark.usefixtures("nothing_left_open")
def test_workbook_with_flipped_bytes(tmp_path: Path) -> None:
    """Damaged compressed data raises a DataFileError."""
    path = workbook(tmp_path / "t.xlsx", ["title"], ["Nurse"])
    with zipfile.ZipFile(path) as archive:
        sheet = archive.getinfo(SHEET)
    data = bytearray(path.read_bytes())
    start = sheet.header_offset + 30 + len(sheet.filename)
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        rows_of(path)


@pytest.mark.usefixtures("nothing_left_open")
def test_workbook_of_charts_only(tmp_path: Path) -> None:
    """A workbook without a sheet of cells is refused."""
    book = Workbook()
    book.remove(book.active)
    book.create_chartsheet()
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        rows_of(tmp_path / "t.xlsx")


@pytest.mark.usefixtures("nothing_left_open")
def test_a_header_below_a_heading_of_xlsx(tmp_path: Path) -> None:
    """The same as in CSV."""
    path = workbook(tmp_path / "t.xlsx", ["Staff"], [], ["Nr", "Job title"], [1, "Nurse"], [], [2, "Cook"])
    assert rows_of(path, header_row=3) == [{"Nr": "1", "Job title": "Nurse"}, {"Nr": "2", "Job title": "Cook"}]
    assert first_rows(path, 3) == [["Staff", ""], [], ["Nr", "Job title"]]


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(("n_rows", "fits"), [(2, True), (3, False)])
def test_xlsx_has_a_last_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_rows: int, fits: bool) -> None:
    """A sheet of three rows holds the header and two; one more is refused, and no file is left."""
    monkeypatch.setattr(xlsx_file, "XLSX_MAX_ROWS", 3)
    path = tmp_path / "t.xlsx"
    rows = [{"n": str(n)} for n in range(n_rows)]
    if fits:
        assert round_trip(path, rows) == rows
    else:
        with pytest.raises(DataFileError, match=r"holds 3 rows; write \.csv or \.parquet instead"):
            write_table(path, rows)
        assert not path.exists()


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("text", ["Nurse \ufffe", "Nurse \uffff"], ids=["U+FFFE", "U+FFFF"])
def test_xlsx_with_characters_that_xml_forbids(tmp_path: Path, text: str) -> None:
    """They are removed, so that the workbook stays readable."""
    assert round_trip(tmp_path / "t.xlsx", [{"title": text}]) == [{"title": "Nurse "}]


@pytest.mark.usefixtures("nothing_left_open")
def test_xlsx_with_a_control_character_in_a_column_name(tmp_path: Path) -> None:
    """Column names are cleaned like cells."""
    assert round_trip(tmp_path / "t.xlsx", [{"ti\x01tle": "Nurse"}]) == [{"title": "Nurse"}]


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("x" * 32_767, "x" * 32_767), ("x" * 32_768, "x" * 32_766 + "…"), ("👩" * 16_384, "👩" * 16_383 + "…")],
    ids=["fits", "letters", "emoji"],
)
def test_xlsx_cuts_what_excel_does_not_open(tmp_path: Path, text: str, expected: str) -> None:
    """A cell holds 32,767 UTF-16 units; an ellipsis marks the cut."""
    assert round_trip(tmp_path / "t.xlsx", [{"text": text}]) == [{"text": expected}]


def test_a_part_of_a_workbook_that_fills_the_memory_is_refused(tmp_path: Path) -> None:
    """The stated unpacked size decides; a large sheet with a usual compression ratio is accepted."""
    for name in ("a sheet that is a bomb", "texts that are a bomb"):
        with pytest.raises(
            DataFileError, match=r"it unpacks to 4\.0 GB, more than the limit for workbooks; save it as CSV"
        ):
            list(read_table(XLSX[name](tmp_path / f"{name}.xlsx")))
