"""Tables of users: what is read, what is written, and what is refused with a clear word."""

import gc
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from jobmatch_core.errors import DataFileError, JobMatchError
from jobmatch_core.io import tables
from jobmatch_core.io.tables import (
    FORMATS,
    cell_text,
    first_rows,
    listed,
    neutralise,
    read_table,
    table_columns,
    table_format,
    write_table,
)
from tests.hostile_files import XLSX

ROOT = Path(__file__).parents[3]
SHEET = "xl/worksheets/sheet1.xml"

HARD_TEXTS = {
    "empty": "",
    "blanks around": "  Nurse  ",
    "quotes": 'He said "hi", twice: ""',
    "delimiters": "a,b;c\td|e",
    "newline": "Nurse\nNight shift",
    "emoji": "👩\u200d🍳 chef 🇩🇪",
    "right to left": "مهندس مدني / מהנדס",
    "cjk": "看護師 간호사 护士",
    "combining": "nin\u0303o ก็",
    "looks like a number": "007",
    "looks like a date": "2020-01-02",
    "looks like an error": "#N/A",
    "looks like a boolean": "TRUE",
    "looks like an escape": "_x000D_ &amp; \\n",
    "markup": "<b>&</b>",
    "quote first": "'quoted'",
}


def _rows(path: Path, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in read_table(path, **options) for row in batch]


def _round_trip(path: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert write_table(path, rows) == len(rows)
    return _rows(path)


def _workbook(path: Path, *rows: list[Any]) -> Path:
    book = Workbook()
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            book.active.cell(number, column, value)
    book.save(path)
    return path


def _tampered(path: Path, part: str, change: Callable[[bytes], bytes | None]) -> Path:
    """Write a workbook one of whose parts was changed, or left out where *change* gives None."""
    whole = _workbook(path.with_name("whole.xlsx"), ["title", "n"], ["Nurse", 1])
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data: bytes | None = source.read(name)
            if name == part:
                data = change(source.read(name))
            if data is not None:
                target.writestr(name, data)
    return path


@pytest.fixture
def nothing_left_open() -> Iterator[None]:
    """Make pytest see at once what a test's error left open; the warning would else fall on a later test."""
    yield
    gc.collect()


@pytest.fixture
def given_file(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file with this name and content."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- formats


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.csv", "csv"),
        ("a.CSV", "csv"),
        ("a.tsv", "csv"),
        ("a.txt", "csv"),
        ("a.xlsx", "xlsx"),
        ("a.parquet", "parquet"),
        ("a.pq", "parquet"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.b.csv", "csv"),
    ],
)  # fmt: skip
def test_table_format(name: str, expected: str) -> None:
    """The ending decides, in any case."""
    assert table_format(Path(name)) == expected


@pytest.mark.parametrize("name", ["a", "a.xls", "a.json", "a.csv.gz", ".csv", "csv"])
@pytest.mark.parametrize("verb", ["format", "read", "write"])
def test_unknown_ending_is_refused(tmp_path: Path, name: str, verb: str) -> None:
    """The error names the endings that can be used; nothing is written."""
    path = tmp_path / name
    if verb == "read":
        path.write_text("title\nNurse\n")
    verbs: dict[str, Callable[[], object]] = {
        "format": lambda: table_format(path),
        "read": lambda: _rows(path),
        "write": lambda: write_table(path, [{"title": "Nurse"}]),
    }
    with pytest.raises(DataFileError, match=r"\.csv, \.xlsx, \.parquet, \.jsonl"):
        verbs[verb]()
    assert verb == "read" or not path.exists()


@pytest.mark.parametrize("ending", FORMATS)
def test_missing_file(tmp_path: Path, ending: str) -> None:
    """A file that is not there is named."""
    with pytest.raises(DataFileError, match=rf"^gone\.{ending}: there is no such file$"):
        _rows(tmp_path / f"gone.{ending}")


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    """A folder called like a table is none."""
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataFileError, match="it is a folder, a pipe or a device"):
        _rows(tmp_path / "folder.csv")


# --- round trips


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("text", HARD_TEXTS.values(), ids=HARD_TEXTS.keys())
def test_hard_texts_come_back(tmp_path: Path, ending: str, text: str) -> None:
    """What is written is what is read, in every format."""
    rows = [{"id": "1", "title": text}, {"id": "2", "title": "plain"}]
    assert _round_trip(tmp_path / f"t.{ending}", rows) == rows


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"), max_size=30)
_TABLE = st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=5)


def _any_round_trip(ending: str, cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        rows = [{"id": "x", "title": title, "place": place} for title, place in cells]
        back = _round_trip(Path(folder) / f"t.{ending}", rows)
    assert all(list(row) == ["id", "title", "place"] and row["id"] == "x" for row in back)
    return [(row["title"], row["place"]) for row in back]


@settings(database=None, deadline=None, max_examples=60)
@given(_TABLE)
@example([("a\r\nb", "c\rd")])
@example([("=1+1", "\x00=1")])
def test_any_text_survives_csv(cells: list[tuple[str, str]]) -> None:
    """CSV gives back every text, but for NUL, which no text has, and the quote in front of formulas."""

    def as_kept(text: str) -> str:
        return str(neutralise(text.replace("\0", "")))

    assert _any_round_trip("csv", cells) == [(as_kept(a), as_kept(b)) for a, b in cells]


@settings(database=None, deadline=None, max_examples=40)
@given(_TABLE)
@example([("a\r\nb", "c\rd")])
@example([("\x01=1+1", "")])
def test_any_text_survives_xlsx(cells: list[tuple[str, str]]) -> None:
    """XLSX has no control characters and one kind of line end; all else comes back."""

    def as_kept(text: str) -> str:
        kept = str(neutralise(ILLEGAL_CHARACTERS_RE.sub("", text)))
        return kept.replace("\r\n", "\n").replace("\r", "\n")

    assert _any_round_trip("xlsx", cells) == [(as_kept(a), as_kept(b)) for a, b in cells]


@settings(database=None, deadline=None, max_examples=40)
@given(_TABLE)
@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_any_text_survives_typed_formats(ending: str, cells: list[tuple[str, str]]) -> None:
    """Parquet and JSON lines change nothing."""
    assert _any_round_trip(ending, cells) == cells


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_types_are_kept(tmp_path: Path, ending: str) -> None:
    """Numbers, booleans, lists and nothing are not turned into text."""
    rows: list[dict[str, Any]] = [
        {"n": 1, "p": 0.25, "ok": True, "none": None, "names": ["a", "b"]},
        {"n": -2, "p": 1.5, "ok": False, "none": None, "names": []},
    ]
    assert _round_trip(tmp_path / f"t.{ending}", rows) == rows


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_types_become_text(tmp_path: Path, ending: str) -> None:
    """Cells of CSV and XLSX are read as text, nothing as ''."""
    assert _round_trip(tmp_path / f"t.{ending}", [{"n": 1, "p": 0.25, "ok": True, "none": None, "s": "x"}]) == [
        {"n": "1", "p": "0.25", "ok": "True", "none": "", "s": "x"}
    ]


def test_xlsx_numbers_are_numbers(tmp_path: Path) -> None:
    """What is a number in a row is a number in the sheet, so that Excel can sort by it."""
    write_table(tmp_path / "t.xlsx", [{"n": 3, "p": 0.25, "s": "007"}])
    book = load_workbook(tmp_path / "t.xlsx")
    assert [cell.value for cell in book.active[2]] == [3, 0.25, "007"]


@pytest.mark.parametrize("ending", FORMATS)
def test_columns_in_another_order_stay_theirs(tmp_path: Path, ending: str) -> None:
    """A row's values go to the columns of their names, whatever the order of its keys."""
    rows = [{"title": "Nurse", "place": "Bonn"}, {"place": "Graz", "title": "Cook"}]
    assert _round_trip(tmp_path / f"t.{ending}", rows) == [
        {"title": "Nurse", "place": "Bonn"},
        {"title": "Cook", "place": "Graz"},
    ]


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_missing_value_leaves_its_cell_empty(tmp_path: Path, ending: str) -> None:
    """A row without one of the columns does not shift the others."""
    rows = [{"title": "Nurse", "place": "Bonn"}, {"place": "Graz"}]
    assert (_round_trip(tmp_path / f"t.{ending}", rows)[1]["title"] or "") == ""
    assert _rows(tmp_path / f"t.{ending}")[1]["place"] == "Graz"


@pytest.mark.parametrize("ending", FORMATS)
def test_writing_is_counted_and_lazy(tmp_path: Path, ending: str) -> None:
    """Rows may come from a generator."""
    path = tmp_path / f"t.{ending}"
    assert write_table(path, ({"n": number} for number in range(12))) == 12
    assert [int(row["n"]) for row in _rows(path)] == list(range(12))


@pytest.mark.parametrize("ending", FORMATS)
def test_no_rows_replace_an_older_file(tmp_path: Path, ending: str) -> None:
    """Where there is nothing to write, an earlier result does not stay as if it were this one's."""
    path = tmp_path / f"t.{ending}"
    write_table(path, [{"title": "Nurse"}])
    assert write_table(path, []) == 0
    assert path.exists()
    assert b"Nurse" not in path.read_bytes()


def test_csv_has_a_byte_order_mark(tmp_path: Path) -> None:
    """Excel needs the mark to read UTF-8."""
    write_table(tmp_path / "t.csv", [{"title": "Köchin", "n": 1}])
    written = (tmp_path / "t.csv").read_bytes().replace(b"\r\n", b"\n")
    assert written == b'\xef\xbb\xbf"title","n"\n"K\xc3\xb6chin",1\n'


# --- formulas


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "=", "-", "+", "-5+1", "+1-1", "-1e5", "=HYPERLINK(1)", "-5\n=1", "-2+A1",
     "\n=1", "\r\n=1", " =1", "\n\t =1", "\u00a0=1", "\ufeff=1", "\u200b+x", "\x01=1", "\x0b@x", " ＝1"],
)  # fmt: skip
def test_formulas_are_neutralised(text: str) -> None:
    """A text that a spreadsheet would calculate gets a quote in front."""
    assert neutralise(text) == "'" + text


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "1+1",
        "a=b",
        "'=1",
        " x=1",
        "-5",
        "+3.2",
        "-1,000",
        "-1 000",
        "+49 170 1234567",
        "-5%",
        "+0",
        5,
        -5,
        -0.5,
        None,
        True,
    ],
    ids=repr,
)  # fmt: skip
def test_harmless_cells_stay(value: object) -> None:
    """Texts, plain numbers and values that are no text are left alone."""
    assert neutralise(value) == value


@settings(database=None, deadline=None)
@given(st.text())
@example("=1+1")
def test_neutralise_is_idempotent_and_reversible(text: str) -> None:
    """At most one quote is added, in front, and never a second one."""
    safe = str(neutralise(text))
    assert safe in (text, "'" + text)
    assert neutralise(safe) == safe


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "=cmd|'/c calc'!A1"])
def test_csv_file_has_no_formula(tmp_path: Path, text: str) -> None:
    """Cells and header are neutralised in the file itself."""
    write_table(tmp_path / "t.csv", [{text: text}])
    assert (tmp_path / "t.csv").read_text("utf-8-sig") == f'"\'{text}"\n"\'{text}"\n'


@pytest.mark.parametrize("text", ["Nurse\r=1+1", "\r=1+1"], ids=["inside", "in front"])
def test_carriage_return_begins_no_row_of_csv(tmp_path: Path, text: str) -> None:
    """A lone CR is quoted, or else what follows it would be a row of its own, with a formula in its first cell."""
    write_table(tmp_path / "t.csv", [{"title": text, "n": "1"}])
    assert _rows(tmp_path / "t.csv") == [{"title": neutralise(text), "n": "1"}]


@pytest.mark.parametrize("text", ["=1+1", "+x", "@x", "\x01=1+1"])
def test_xlsx_file_has_no_formula(tmp_path: Path, text: str) -> None:
    """Excel's own mark of a formula is on no cell, even where a control character hid the sign."""
    write_table(tmp_path / "t.xlsx", [{"=A1": text}])
    cells = [cell for row in load_workbook(tmp_path / "t.xlsx").active.iter_rows() for cell in row]
    assert [cell.data_type for cell in cells] == ["s", "s"]
    assert all(str(cell.value).startswith("'") for cell in cells)


# --- reading CSV


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
def test_delimiters(given_file: Callable[[str, str | bytes], Path], delimiter: str) -> None:
    """The delimiter is the one that the header has most of."""
    path = given_file("t.csv", "title;n;place\nNurse;1;Bonn\n".replace(";", delimiter))
    assert _rows(path) == [{"title": "Nurse", "n": "1", "place": "Bonn"}]
    assert table_columns(path) == ["title", "n", "place"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("a,b\r\n1,2\r\n", [{"a": "1", "b": "2"}], id="CRLF"),
        pytest.param("a,b\r1,2\r", [{"a": "1", "b": "2"}], id="CR"),
        pytest.param("\ufeffa,b\n1,2\n", [{"a": "1", "b": "2"}], id="BOM"),
        pytest.param('\ufeff"a",b\r\n"1\r\n2",3\r\n', [{"a": "1\r\n2", "b": "3"}], id="BOM, CRLF, quoted line end"),
        pytest.param("a,b\n1,2", [{"a": "1", "b": "2"}], id="no last line end"),
        pytest.param("a,b\n\n1,2\n\n", [{"a": "1", "b": "2"}], id="empty lines"),
        pytest.param("a,b\n1\n", [{"a": "1", "b": ""}], id="short row"),
        pytest.param("a;b\n1;2,5\n", [{"a": "1", "b": "2,5"}], id="decimal comma"),
        pytest.param(" a , b \n1, 2\n", [{"a": "1", "b": " 2"}], id="blanks in the header"),
        pytest.param("a,,c\n1,2,3\n", [{"a": "1", "column 2": "2", "c": "3"}], id="column without a name"),
        pytest.param("title\nNurse\nCook\n", [{"title": "Nurse"}, {"title": "Cook"}], id="one column"),
        pytest.param("a,b\n", [], id="header only"),
        pytest.param('"a,b,c";d\n1;2\n', [{"a,b,c": "1", "d": "2"}], id="another delimiter inside a quoted name"),
        pytest.param('"a ""b,c"" d,"\td\n1\t2\n', [{'a "b,c" d,': "1", "d": "2"}], id="doubled quotes in a name"),
        pytest.param('"a\n(b, c)";d\n1;2\n', [{"a\n(b, c)": "1", "d": "2"}], id="name of two lines"),
        pytest.param(
            'title\nNurse, night\n"Cook; ""day""\nBonn"\n\n',
            [{"title": "Nurse, night"}, {"title": 'Cook; "day"\nBonn'}],
            id="delimiters in the titles of the only column",
        ),
        pytest.param("a,b\n1,2,,\n", [{"a": "1", "b": "2"}], id="empty cells behind the last column"),
    ],
)
def test_csv(given_file: Callable[[str, str | bytes], Path], content: str, expected: list[dict[str, str]]) -> None:
    """What spreadsheets and databases write is read."""
    assert _rows(given_file("t.csv", content)) == expected


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param(b"", 1, "empty", id="empty"),
        pytest.param(b"\xef\xbb\xbf", 1, "empty", id="BOM only"),
        pytest.param(b"\na,b\n1,2\n", 1, "or its first line is", id="blank first line"),
        pytest.param(b",\n1,2\n", 1, "or its first line is", id="no name at all"),
        pytest.param(b"a,b,a\n1,2,3\n", 1, "'a' occurs twice", id="duplicate header"),
        pytest.param(b"a, a\n1,2\n", 1, "'a' occurs twice", id="duplicate but for blanks"),
        pytest.param(b"a,b\n1,2\n1,2,3\n", 3, "3 fields where the header has 2", id="long row"),
        pytest.param(b'a,b\n"x\ny",2\n1,2,3\n', 4, "3 fields", id="long row after a quoted line end"),
        pytest.param(b'a,b\n1,2\n"3,4\n', 3, "broken", id="quote never closed"),
        pytest.param(b'a,b\n"1"x,2\n', 2, "broken", id="text behind a quote"),
        pytest.param("a,b\nKöchin,2\n".encode("cp1252"), None, "not UTF-8", id="cp1252"),
        pytest.param(b"a\n" + b"x\n" * 9000 + b"K\xf6chin\n", None, "not UTF-8", id="cp1252 far down"),
        pytest.param("a,b\n1,2\n".encode("utf-16"), None, "not UTF-8", id="UTF-16"),
        pytest.param("a,b\n1,2\n".encode("utf-16-le"), None, "not UTF-8", id="UTF-16 without BOM"),
        pytest.param(b"a,b\n1,2\n" + b"\0" * 512, None, "not UTF-8", id="NULs after a crash"),
        pytest.param(b'title\n"Nurse" x\n', 2, "broken", id="text behind a quote in the only column"),
        pytest.param(b"\x1f\x8b\x08\x00\xff\xff", None, "not UTF-8", id="gzip"),
        pytest.param(b"a,b\n" + b"x" * (17 << 20) + b",2\n", 2, "a row is over 16 MB", id="field of 17 MB"),
    ],
)  # fmt: skip
def test_broken_csv(
    given_file: Callable[[str, str | bytes], Path], content: bytes, line: int | None, problem: str
) -> None:
    """The error names file, line and what is wrong."""
    with pytest.raises(DataFileError, match=problem) as caught:
        _rows(given_file("jobs.csv", content))
    assert caught.value.line == line
    assert str(caught.value).startswith("jobs.csv")


@pytest.mark.parametrize("kind", ["zip", "xlsx"])
def test_archive_called_csv(tmp_path: Path, kind: str) -> None:
    """An archive or a workbook that was merely renamed is refused."""
    path = tmp_path / "jobs.csv"
    if kind == "xlsx":
        _workbook(tmp_path / "w.xlsx", ["title"], ["Nurse"]).rename(path)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("jobs.csv", "title\n" + "Nurse\n" * 50)
    with pytest.raises(DataFileError, match=r"^jobs\.csv"):
        _rows(path)


@pytest.mark.parametrize(
    ("encoding", "name"), [("cp1252", "cp1252"), ("utf-16", "utf-16"), ("latin-1", "ISO-8859-1"), ("utf-8", "utf-8")]
)
def test_named_encoding(given_file: Callable[[str, str | bytes], Path], encoding: str, name: str) -> None:
    """A file in another encoding is read where that is named."""
    path = given_file("t.csv", "title;n\nKöchin;1\n".encode(encoding))
    assert _rows(path, encoding=name) == [{"title": "Köchin", "n": "1"}]


@pytest.mark.parametrize(("ending", "content"), [("csv", "a\n1\n"), ("jsonl", '{"a": "1"}\n')])
def test_byte_order_mark_is_no_text(given_file: Callable[[str, str | bytes], Path], ending: str, content: str) -> None:
    """Who says utf-8 does not mean the mark to be a part of the first name."""
    assert _rows(given_file(f"t.{ending}", "\ufeff" + content), encoding="UTF8") == [{"a": "1"}]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("encoding", ["klingon", "", "base64", "utf-8\0"])
def test_unknown_encoding(given_file: Callable[[str, str | bytes], Path], ending: str, encoding: str) -> None:
    """An encoding that does not exist is the user's slip, told in the project's own words."""
    path = given_file(f"t.{ending}", '{"a": 1}\n')
    with pytest.raises(JobMatchError, match="encoding"):
        _rows(path, encoding=encoding)


def test_long_fields_need_no_other_module(given_file: Callable[[str, str | bytes], Path]) -> None:
    """A field of 200,000 letters is read even where `taxonomy.rows`, which raises csv's limit, is not imported."""
    path = given_file("t.csv", "title,text\nNurse," + "x" * 200_000 + "\n")
    code = "import sys, pathlib\nfrom jobmatch_core.io.tables import read_table\n"
    code += "print(sum(len(row['text']) for batch in read_table(pathlib.Path(sys.argv[1])) for row in batch))"
    result = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "200000", result.stderr


# --- reading XLSX


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
)  # fmt: skip
def test_xlsx(tmp_path: Path, rows: list[list[Any]], expected: list[dict[str, str]]) -> None:
    """The first sheet's cells are read as text; empty rows do not count."""
    assert _rows(_workbook(tmp_path / "t.xlsx", *rows)) == expected


@pytest.mark.parametrize("size", [b"", b'<dimension ref="A1"/>'], ids=["unsaid", "wrong"])
def test_xlsx_of_unknown_size(tmp_path: Path, size: bytes) -> None:
    """Some exporters do not say how large a sheet is, or say A1."""

    def resized(data: bytes) -> bytes:
        assert b'<dimension ref="A1:B2" />' in data
        return data.replace(b'<dimension ref="A1:B2" />', size)

    assert _rows(_tampered(tmp_path / "t.xlsx", SHEET, resized)) == [{"title": "Nurse", "n": "1"}]


def test_xlsx_first_sheet_only(tmp_path: Path) -> None:
    """Other sheets are not looked at."""
    book = Workbook()
    book.active.append(["title"])
    book.active.append(["Nurse"])
    book.create_sheet("more").append(["other"])
    book.save(tmp_path / "t.xlsx")
    assert _rows(tmp_path / "t.xlsx") == [{"title": "Nurse"}]


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("rows", [[], [[None, None], ["a", "b"]], [["a", "b", "a"], [1, 2, 3]]],
                         ids=["empty sheet", "blank first line", "duplicate header"])  # fmt: skip
def test_xlsx_without_a_usable_header(tmp_path: Path, rows: list[list[Any]]) -> None:
    """The error is at line 1."""
    with pytest.raises(DataFileError, match=r"empty|occurs twice") as caught:
        _rows(_workbook(tmp_path / "t.xlsx", *rows))
    assert caught.value.line == 1


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    "content",
    [b"", b"title\nNurse\n", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"\xd0\xcf\x11\xe0" * 9],
    ids=["empty", "csv", "cut archive", "empty archive", "old .xls"],
)
def test_not_a_workbook(given_file: Callable[[str, str | bytes], Path], content: bytes) -> None:
    """A file that is only called .xlsx is refused."""
    with pytest.raises(DataFileError, match=r"^t\.xlsx: this is not an Excel workbook"):
        _rows(given_file("t.xlsx", content))


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
    """A damaged part is the file's fault, not a bug."""
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        _rows(_tampered(tmp_path / "t.xlsx", part, change))


@pytest.mark.usefixtures("nothing_left_open")
def test_workbook_with_flipped_bytes(tmp_path: Path) -> None:
    """Compressed data that cannot be unpacked is the file's fault."""
    path = _workbook(tmp_path / "t.xlsx", ["title"], ["Nurse"])
    with zipfile.ZipFile(path) as archive:
        sheet = archive.getinfo(SHEET)
    data = bytearray(path.read_bytes())
    start = sheet.header_offset + 30 + len(sheet.filename)
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        _rows(path)


@pytest.mark.usefixtures("nothing_left_open")
def test_workbook_of_charts_only(tmp_path: Path) -> None:
    """A workbook need not have a sheet with cells."""
    book = Workbook()
    book.remove(book.active)
    book.create_chartsheet()
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(DataFileError, match=r"^t\.xlsx"):
        _rows(tmp_path / "t.xlsx")


# --- reading Parquet and JSON lines


@pytest.mark.parametrize("content", [b"", b"PAR1", b"title\nNurse\n", b"PAR1" + b"junk" * 9 + b"PAR1"],
                         ids=["empty", "magic only", "csv", "junk between the magics"])  # fmt: skip
def test_not_parquet(given_file: Callable[[str, str | bytes], Path], content: bytes) -> None:
    """A file that is only called .parquet is refused."""
    with pytest.raises(DataFileError, match=r"^t\.parquet: this is not a Parquet file"):
        _rows(given_file("t.parquet", content))


def test_truncated_parquet(tmp_path: Path) -> None:
    """A download that stopped is refused wherever it stopped."""
    write_table(tmp_path / "whole.parquet", [{"title": "Nurse", "n": n} for n in range(50)])
    whole = (tmp_path / "whole.parquet").read_bytes()
    for length in range(0, len(whole), 100):
        (tmp_path / "t.parquet").write_bytes(whole[:length])
        with pytest.raises(DataFileError, match=r"^t\.parquet"):
            _rows(tmp_path / "t.parquet")


def test_parquet_text_that_is_not_utf_8(tmp_path: Path) -> None:
    """Other writers put any bytes into text columns."""
    offsets = pa.array([0, 1], pa.int32()).buffers()[1]
    column = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff")])
    pq.write_table(pa.table({"title": column}), tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match=r"^t\.parquet"):
        _rows(tmp_path / "t.parquet")


def test_parquet_with_two_columns_of_a_name(tmp_path: Path) -> None:
    """One of them would be lost."""
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match=r"^t\.parquet: the column 'a' occurs twice"):
        _rows(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param('{"a": 1}\n{"b": null}\n', [{"a": 1}, {"b": None}], id="two rows"),
        pytest.param('\ufeff{"a": "ö"}\r\n\r\n  \r\n{"a": "x"}', [{"a": "ö"}, {"a": "x"}], id="BOM, CRLF, empty lines"),
        pytest.param('{"a": "x\u2028y\x85z"}\n', [{"a": "x\u2028y\x85z"}], id="line separators inside a text"),
        pytest.param("", [], id="empty"),
    ],
)
def test_jsonl(given_file: Callable[[str, str | bytes], Path], content: str, expected: list[dict[str, Any]]) -> None:
    """One object a line."""
    assert _rows(given_file("t.jsonl", content)) == expected


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(b'{"a": 1}\n\n{"a":\n', 3, id="cut short"),
        pytest.param(b'{"a": 1}\n[1]\n', 2, id="a list"),
        pytest.param(b"null\n", 1, id="null"),
        pytest.param(b'{"a": 1} {"a": 2}\n', 1, id="two on a line"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}\n", 1, id="number of 5,000 digits"),
        pytest.param(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", 1, id="nested too deep"),
    ],
)
def test_broken_jsonl(given_file: Callable[[str, str | bytes], Path], content: bytes, line: int) -> None:
    """The error names the line."""
    with pytest.raises(DataFileError, match=rf"^t\.jsonl, line {line}: ") as caught:
        _rows(given_file("t.jsonl", content))
    assert caught.value.line == line


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_jsonl_in_another_encoding(given_file: Callable[[str, str | bytes], Path], encoding: str) -> None:
    """JSON lines that are not UTF-8 are refused as CSV is."""
    with pytest.raises(DataFileError, match="not UTF-8"):
        _rows(given_file("t.jsonl", '{"a": "Köchin"}\n'.encode(encoding)))


def test_half_a_character_in_json_does_not_break_the_export(
    given_file: Callable[[str, str | bytes], Path], tmp_path: Path
) -> None:
    r"""JSON can name half of a surrogate pair (`\ud800`); it is mended, so that what is read can be written."""
    path = given_file("t.jsonl", '{"title": "\\ud83d\\ude00 Nurse \\uD800"}\n')
    rows = _rows(path)
    assert rows == [{"title": "😀 Nurse �"}]
    assert write_table(tmp_path / "out.csv", rows) == 1


# --- where the header stands

_HEADED = "Staff, 2024\n\nNr;Job title\n1;Nurse, night\n2;Cook\n"


def test_a_header_below_a_heading_of_csv(given_file: Callable[[str, str | bytes], Path]) -> None:
    """What stands above it is left out, and its own delimiter counts."""
    path = given_file("t.csv", _HEADED)
    assert _rows(path, header_row=3) == [{"Nr": "1", "Job title": "Nurse, night"}, {"Nr": "2", "Job title": "Cook"}]
    assert table_columns(path, header_row=3) == ["Nr", "Job title"]
    assert first_rows(path, 3) == [["Staff, 2024"], [], ["Nr", "Job title"]]


@pytest.mark.usefixtures("nothing_left_open")
def test_a_header_below_a_heading_of_xlsx(tmp_path: Path) -> None:
    """As in CSV."""
    path = _workbook(tmp_path / "t.xlsx", ["Staff"], [], ["Nr", "Job title"], [1, "Nurse"], [], [2, "Cook"])
    assert _rows(path, header_row=3) == [{"Nr": "1", "Job title": "Nurse"}, {"Nr": "2", "Job title": "Cook"}]
    assert first_rows(path, 3) == [["Staff", ""], [], ["Nr", "Job title"]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("1;Nurse\n2;Cook;late\n", [{"column 1": "1", "column 2": "Nurse", "column 3": ""},
                                    {"column 1": "2", "column 2": "Cook", "column 3": "late"}]),
        ("Nurse, night\nCook\nMaid\n", [{"column 1": "Nurse, night"}, {"column 1": "Cook"}, {"column 1": "Maid"}]),
        ("Nurse\n", [{"column 1": "Nurse"}]),
        ("", []),
    ],
)  # fmt: skip
def test_no_header(
    given_file: Callable[[str, str | bytes], Path], content: str, expected: list[dict[str, str]]
) -> None:
    """The first row is a row like all others, and the columns are numbered."""
    assert _rows(given_file("t.csv", content), header_row=0) == expected


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
@pytest.mark.parametrize("row", [2, 9])
def test_a_header_that_is_not_there(tmp_path: Path, name: str, row: int) -> None:
    """An empty row has no names, nor has one below the end."""
    path = tmp_path / name
    _workbook(path, ["Staff"], [], ["a", "b"]) if name.endswith("xlsx") else path.write_text("Staff\n\na,b\n")
    with pytest.raises(DataFileError, match="this row is empty, or not there") as caught:
        _rows(path, header_row=row)
    assert caught.value.line == row


# --- batches


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize(("size", "expected"), [(2, [2, 2, 1]), (5, [5]), (1, [1] * 5), (1000, [5])])
def test_batches_are_bounded(tmp_path: Path, ending: str, size: int, expected: list[int]) -> None:
    """No batch is larger than asked for, and no row is lost or doubled."""
    path = tmp_path / f"t.{ending}"
    write_table(path, [{"n": n} for n in range(5)])
    batches = list(read_table(path, batch_rows=size))
    assert [len(batch) for batch in batches] == expected
    assert [int(row["n"]) for batch in batches for row in batch] == list(range(5))


def test_reading_is_lazy(given_file: Callable[[str, str | bytes], Path]) -> None:
    """The first batch is there before the fault further down is met."""
    path = given_file("t.jsonl", '{"n": 1}\n{"n": 2}\n{"n": 3}\nbroken\n')
    batches = read_table(path, batch_rows=2)
    assert next(batches) == [{"n": 1}, {"n": 2}]
    with pytest.raises(DataFileError, match="line 4"):
        next(batches)


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("ending", FORMATS)
def test_table_columns(tmp_path: Path, ending: str) -> None:
    """The columns are in the order of the table."""
    path = tmp_path / f"t.{ending}"
    write_table(path, [{"title": "Nurse", "a": "1"}, {"title": "Cook", "a": "2"}])
    assert table_columns(path) == ["title", "a"]


def test_table_columns_of_an_empty_table(given_file: Callable[[str, str | bytes], Path]) -> None:
    """A table without rows is refused."""
    with pytest.raises(DataFileError, match="no rows"):
        table_columns(given_file("t.csv", "title,n\n"))


# --- writing


def test_csv_rows_to_any_stream() -> None:
    """The same rows can go to standard output."""
    stream = io.StringIO()
    assert tables.write_csv_rows(stream, [{"a": "=1", "b": "x,y"}]) == 1
    assert stream.getvalue().splitlines() == ['"a","b"', '"\'=1","x,y"']


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(("n_rows", "fits"), [(2, True), (3, False)])
def test_xlsx_has_a_last_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_rows: int, fits: bool) -> None:
    """A sheet of three rows holds the header and two; one more is refused, and no file is left."""
    monkeypatch.setattr(tables, "XLSX_MAX_ROWS", 3)
    path = tmp_path / "t.xlsx"
    rows = [{"n": str(n)} for n in range(n_rows)]
    if fits:
        assert _round_trip(path, rows) == rows
    else:
        with pytest.raises(DataFileError, match=r"holds 3 rows; write \.csv or \.parquet instead"):
            write_table(path, rows)
        assert not path.exists()


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("text", ["Nurse \ufffe", "Nurse \uffff"], ids=["U+FFFE", "U+FFFF"])
def test_xlsx_with_characters_that_xml_forbids(tmp_path: Path, text: str) -> None:
    """They are left out, as control characters are; the workbook stays readable."""
    assert _round_trip(tmp_path / "t.xlsx", [{"title": text}]) == [{"title": "Nurse "}]


@pytest.mark.usefixtures("nothing_left_open")
def test_xlsx_with_a_control_character_in_a_column_name(tmp_path: Path) -> None:
    """Column names come from the user's file too; they are cleaned as cells are."""
    assert _round_trip(tmp_path / "t.xlsx", [{"ti\x01tle": "Nurse"}]) == [{"title": "Nurse"}]


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("x" * 32_767, "x" * 32_767), ("x" * 32_768, "x" * 32_766 + "…"), ("👩" * 16_384, "👩" * 16_383 + "…")],
    ids=["fits", "letters", "emoji"],
)
def test_xlsx_cuts_what_excel_does_not_open(tmp_path: Path, text: str, expected: str) -> None:
    """A cell holds 32,767 UTF-16 units; an ellipsis tells that there was more."""
    assert _round_trip(tmp_path / "t.xlsx", [{"text": text}]) == [{"text": expected}]


def test_parquet_is_written_in_pieces(tmp_path: Path) -> None:
    """12,001 rows are three row groups, so that memory is bounded."""

    def rows() -> Iterator[dict[str, int]]:
        yield from ({"n": n} for n in range(12_001))

    assert write_table(tmp_path / "t.parquet", rows()) == 12_001
    with pq.ParquetFile(tmp_path / "t.parquet") as file:
        assert file.num_row_groups == 3
        assert file.metadata.num_rows == 12_001


@pytest.mark.parametrize(
    ("early", "late"),
    [
        pytest.param(None, "Nurse", id="nothing, then a text"),
        pytest.param(1, 1.5, id="whole numbers, then a fraction"),
        pytest.param([], ["a"], id="empty lists, then a text in one"),
        pytest.param({"a": 1}, {"a": None, "b": "c"}, id="another field"),
    ],
)
def test_parquet_types_that_show_late(tmp_path: Path, early: object, late: object) -> None:
    """A value of the 5,001st row is kept or refused, but never changed; what is only empty so far has no type yet."""
    path = tmp_path / "t.parquet"
    write_table(path, [{"x": early}] * 5000 + [{"x": late}])
    assert _rows(path)[-1]["x"] == late
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]


def test_parquet_column_that_shows_late(tmp_path: Path) -> None:
    """Rows that lack it have nothing there."""
    write_table(tmp_path / "t.parquet", [{"x": 1}] * 5000 + [{"y": "late", "x": 2}])
    assert _rows(tmp_path / "t.parquet")[-2:] == [{"x": 1, "y": None}, {"x": 2, "y": "late"}]


@pytest.mark.parametrize("n_before", [1, 5000], ids=["in the first piece", "in the second piece"])
@pytest.mark.parametrize(("early", "late"), [(1, "Nurse"), (2**53 + 1, 0.5), (1, 2**70)],
                         ids=["text", "fraction that would round the others", "number too large"])  # fmt: skip
def test_parquet_refuses_mixed_types(tmp_path: Path, n_before: int, early: object, late: object) -> None:
    """What fits no schema unchanged is refused; the error says what to write instead, and nothing is left."""
    with pytest.raises(DataFileError, match=r"write \.csv or \.jsonl"):
        write_table(tmp_path / "t.parquet", [{"x": early}] * n_before + [{"x": late}])
    assert not list(tmp_path.iterdir())


def test_jsonl_is_readable_by_people(tmp_path: Path) -> None:
    """Letters are not escaped, and one line is one row."""
    write_table(tmp_path / "t.jsonl", [{"title": "Köchin\n看護師"}, {"title": "x"}])
    assert (tmp_path / "t.jsonl").read_text("utf-8") == '{"title": "Köchin\\n看護師"}\n{"title": "x"}\n'


def test_a_part_of_a_workbook_that_fills_the_memory_is_refused(tmp_path: Path) -> None:
    """By what it says that it unpacks to; a sheet may be large where it is not packed beyond measure."""
    for name in ("a sheet that is a bomb", "texts that are a bomb"):
        with pytest.raises(DataFileError, match=r"it unpacks to 4\.0 GB, more than a workbook may; save it as CSV"):
            list(read_table(XLSX[name](tmp_path / f"{name}.xlsx")))


def test_many_columns_are_named_in_part() -> None:
    """A message is one line that can be read."""
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == "none"
    assert listed([str(n) for n in range(10_000)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 9,988 others"


@pytest.mark.parametrize("value", [["cook"], {"a": "cook"}, b"cook"])
def test_cells_that_are_no_text(value: object) -> None:
    """What Parquet and JSON lines hold besides texts and numbers is not linked as if it were a title."""
    with pytest.raises(DataFileError, match=r"titles\.parquet: a cell holds .* where a text is expected"):
        cell_text(value, Path("titles.parquet"))
    assert [cell_text(each) for each in (None, "cook", 17)] == ["", "cook", "17"]
