"""CSV and JSON lines: separators, encodings, and broken lines."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.errors import DataFileError, JobMatchError
from jobmatch_core.io import tables
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.io.tables import (
    table_columns,
    write_table,
)
from tests.core.io.made_tables import rows_of, workbook

ROOT = Path(__file__).parents[3]


def test_csv_has_a_byte_order_mark(tmp_path: Path) -> None:
    """Excel needs the mark to read UTF-8."""
    write_table(tmp_path / "t.csv", [{"title": "Köchin", "n": 1}])
    written = (tmp_path / "t.csv").read_bytes().replace(b"\r\n", b"\n")
    assert written == b'\xef\xbb\xbf"title","n"\n"K\xc3\xb6chin",1\n'


@pytest.mark.parametrize("text", ["Nurse\r=1+1", "\r=1+1"], ids=["inside", "in front"])
def test_carriage_return_begins_no_row_of_csv(tmp_path: Path, text: str) -> None:
    """A lone CR is quoted; otherwise the text after it would begin a row, perhaps with a formula."""
    write_table(tmp_path / "t.csv", [{"title": text, "n": "1"}])
    assert rows_of(tmp_path / "t.csv") == [{"title": neutralise(text), "n": "1"}]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
def test_delimiters(given_file: Callable[[str, str | bytes], Path], delimiter: str) -> None:
    """The separator is the most frequent one in the header."""
    path = given_file("t.csv", "title;n;place\nNurse;1;Bonn\n".replace(";", delimiter))
    assert rows_of(path) == [{"title": "Nurse", "n": "1", "place": "Bonn"}]
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
    """CSV of spreadsheets and databases is read."""
    assert rows_of(given_file("t.csv", content)) == expected


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param(b"", 1, "empty", id="empty"),
        pytest.param(b"\xef\xbb\xbf", 1, "empty", id="BOM only"),
        pytest.param(b"\na,b\n1,2\n", 1, "the file or its first line is empty", id="blank first line"),
        pytest.param(b",\n1,2\n", 1, "the file or its first line is empty", id="no name at all"),
        pytest.param(b"a,b,a\n1,2,3\n", 1, "'a' occurs twice", id="duplicate header"),
        pytest.param(b"a, a\n1,2\n", 1, "'a' occurs twice", id="duplicate but for blanks"),
        pytest.param(b"a,b\n1,2\n1,2,3\n", 3, "3 fields where the header has 2", id="long row"),
        pytest.param(b'a,b\n"x\ny",2\n1,2,3\n', 4, "3 fields", id="long row after a quoted line end"),
        pytest.param(b'a,b\n1,2\n"3,4\n', 3, "broken", id="quote never closed"),
        pytest.param(b'a,b\n"1"x,2\n', 2, "broken", id="text behind a quote"),
        pytest.param("a,b\nKöchin,2\n".encode("cp1252"), 2, "not UTF-8", id="cp1252"),
        pytest.param(b"a\n" + b"x\n" * 9000 + b"K\xf6chin\n", 9002, "not UTF-8", id="cp1252 far down"),
        pytest.param("a,b\n1,2\n".encode("utf-16"), None, "not UTF-8", id="UTF-16"),
        pytest.param("a,b\n1,2\n".encode("utf-16-le"), None, "not UTF-8", id="UTF-16 without BOM"),
        pytest.param(b"a,b\n1,2\n" + b"\0" * 512, None, "not UTF-8", id="NULs after a crash"),
        pytest.param(b'title\n"Nurse" x\n', 2, "broken", id="text behind a quote in the only column"),
        pytest.param(b"\x1f\x8b\x08\x00\xff\xff", None, "not UTF-8", id="gzip"),
        pytest.param(b"a,b\n" + b"x" * (17 << 20) + b",2\n", 2, "a row is over 16 MB", id="field of 17 MB"),
    ],
)
def test_broken_csv(
    given_file: Callable[[str, str | bytes], Path], content: bytes, line: int | None, problem: str
) -> None:
    """The error names file, line and problem."""
    with pytest.raises(DataFileError, match=problem) as caught:
        rows_of(given_file("jobs.csv", content))
    assert caught.value.line == line
    assert str(caught.value).startswith("jobs.csv")


@pytest.mark.parametrize("kind", ["zip", "xlsx"])
def test_archive_called_csv(tmp_path: Path, kind: str) -> None:
    """A renamed archive or workbook is refused."""
    path = tmp_path / "jobs.csv"
    if kind == "xlsx":
        workbook(tmp_path / "w.xlsx", ["title"], ["Nurse"]).rename(path)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("jobs.csv", "title\n" + "Nurse\n" * 50)
    with pytest.raises(DataFileError, match=r"^jobs\.csv"):
        rows_of(path)


@pytest.mark.parametrize(
    ("encoding", "name"), [("cp1252", "cp1252"), ("utf-16", "utf-16"), ("latin-1", "ISO-8859-1"), ("utf-8", "utf-8")]
)
def test_named_encoding(given_file: Callable[[str, str | bytes], Path], encoding: str, name: str) -> None:
    """A file in another encoding is read if the encoding is given."""
    path = given_file("t.csv", "title;n\nKöchin;1\n".encode(encoding))
    assert rows_of(path, encoding=name) == [{"title": "Köchin", "n": "1"}]


@pytest.mark.parametrize(("ending", "content"), [("csv", "a\n1\n"), ("jsonl", '{"a": "1"}\n')])
def test_byte_order_mark_is_no_text(given_file: Callable[[str, str | bytes], Path], ending: str, content: str) -> None:
    """With the encoding utf-8, too, the mark is not part of the first column's name."""
    assert rows_of(given_file(f"t.{ending}", "\ufeff" + content), encoding="UTF8") == [{"a": "1"}]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("encoding", ["klingon", "", "base64", "utf-8\0"])
def test_unknown_encoding(given_file: Callable[[str, str | bytes], Path], ending: str, encoding: str) -> None:
    """An unknown encoding raises the project's own error."""
    path = given_file(f"t.{ending}", '{"a": 1}\n')
    with pytest.raises(JobMatchError, match="encoding"):
        rows_of(path, encoding=encoding)


def test_long_fields_need_no_other_module(given_file: Callable[[str, str | bytes], Path]) -> None:
    """A field of 200,000 letters is read without importing other modules that raise csv's limit."""
    path = given_file("t.csv", "title,text\nNurse," + "x" * 200_000 + "\n")
    code = "import sys, pathlib\nfrom jobmatch_core.io.tables import read_table\n"
    code += "print(sum(len(row['text']) for batch in read_table(pathlib.Path(sys.argv[1])) for row in batch))"
    result = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "200000", result.stderr


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
    """One object per line."""
    assert rows_of(given_file("t.jsonl", content)) == expected


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
        rows_of(given_file("t.jsonl", content))
    assert caught.value.line == line


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_jsonl_in_another_encoding(given_file: Callable[[str, str | bytes], Path], encoding: str) -> None:
    """JSON lines that are not UTF-8 are refused as CSV is."""
    with pytest.raises(DataFileError, match="not UTF-8"):
        rows_of(given_file("t.jsonl", '{"a": "Köchin"}\n'.encode(encoding)))


def test_half_a_character_in_json_does_not_break_the_export(
    given_file: Callable[[str, str | bytes], Path], tmp_path: Path
) -> None:
    r"""JSON may have half of a surrogate pair (`\ud800`); it is replaced, so that it can be written."""
    path = given_file("t.jsonl", '{"title": "\\ud83d\\ude00 Nurse \\uD800"}\n')
    rows = rows_of(path)
    assert rows == [{"title": "😀 Nurse �"}]
    assert write_table(tmp_path / "out.csv", rows) == 1


def test_csv_rows_to_any_stream() -> None:
    """Rows can be written to standard output."""
    stream = io.StringIO()
    assert tables.write_csv_rows(stream, [{"a": "=1", "b": "x,y"}]) == 1
    assert stream.getvalue().splitlines() == ['"a","b"', '"\'=1","x,y"']


def test_jsonl_is_readable_by_people(tmp_path: Path) -> None:
    """Letters are not escaped, and each line is a row."""
    write_table(tmp_path / "t.jsonl", [{"title": "Köchin\n看護師"}, {"title": "x"}])
    assert (tmp_path / "t.jsonl").read_text("utf-8") == '{"title": "Köchin\\n看護師"}\n{"title": "x"}\n'
