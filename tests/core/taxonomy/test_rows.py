"""Strict reading: every fault has its file and line."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.rows import Row, read_rows, split_names


def _read(path: Path) -> list[tuple[int, dict[str, str]]]:
    return [(row.line, row.values) for row in read_rows(path, ("a", "b"))]


def _zip(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.csv", "a,b\n1,2\n")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("a,b\n1,2\n", [(2, {"a": "1", "b": "2"})], id="plain"),
        pytest.param("a,b\r\n1,2\r\n3,4\r\n", [(2, {"a": "1", "b": "2"}), (3, {"a": "3", "b": "4"})], id="CRLF"),
        pytest.param("\ufeffa,b\n1,2\n", [(2, {"a": "1", "b": "2"})], id="BOM"),
        pytest.param('\ufeff"a",b\n1,2\n', [(2, {"a": "1", "b": "2"})], id="BOM before a quote"),
        pytest.param("a,b\n1,2", [(2, {"a": "1", "b": "2"})], id="no last line end"),
        pytest.param(
            'a,b\n"1\n2\n3",4\n5,6\n',
            [(4, {"a": "1\n2\n3", "b": "4"}), (5, {"a": "5", "b": "6"})],
            id="quoted line ends",
        ),
        pytest.param('a,b\n"say ""hi""","x,y"\n', [(2, {"a": 'say "hi"', "b": "x,y"})], id="quotes and commas"),
        pytest.param("a,b\n\n1,2\n\n", [(3, {"a": "1", "b": "2"})], id="empty lines"),
        pytest.param(" a , b,c\n1,2,3\n", [(2, {"a": "1", "b": "2", "c": "3"})], id="blanks and more columns"),
        pytest.param("b,a\n1,2\n", [(2, {"b": "1", "a": "2"})], id="another order"),
        pytest.param("a,b,,\n1,2,,\n", [(2, {"a": "1", "b": "2", "": ""})], id="columns without a name"),
        pytest.param("a,b\n", [], id="header only"),
        pytest.param("a,b\nمهندس,看護師\n", [(2, {"a": "مهندس", "b": "看護師"})], id="other scripts"),
    ],
)
def test_rows(file_of: Callable[..., Path], content: str, expected: list[tuple[int, dict[str, str]]]) -> None:
    """Records come with the line on which they end."""
    assert _read(file_of(content)) == expected


@pytest.mark.parametrize("size", [200_000, 2_000_000])
def test_long_field(file_of: Callable[..., Path], size: int) -> None:
    """Scope notes may be longer than csv's own limit."""
    assert len(_read(file_of("a,b\n" + "x" * size + ",2\n"))[0][1]["a"]) == size


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param(b"", 1, "the file is empty; expected a header with a, b", id="empty"),
        pytest.param(b"\xef\xbb\xbf", 1, "the file is empty", id="BOM only"),
        pytest.param(b"a,c\n1,2\n", 1, "the column 'b' is missing; found a, c", id="column missing"),
        pytest.param(b"x\n", 1, "all columns are missing: 'a', 'b'; is this another file", id="two columns missing"),
        pytest.param(b"A,B\n1,2\n", 1, "missing", id="capital letters"),
        pytest.param(b"a;b\n1;2\n", 1, "missing", id="semicolons"),
        pytest.param(b"a,b,a\n1,2,3\n", 1, "twice", id="duplicate column"),
        pytest.param(b"a,b\n1,2\n3", 3, "1 fields where the header has 2", id="last line cut short"),
        pytest.param(b'a,b\n1,2\n3,"4', 3, "cut short", id="cut short inside a quote"),
        pytest.param(b"a,b\n1,2,3\n", 2, "3 fields where the header has 2", id="field too many"),
        pytest.param(b'a,b\n"1\n1",2\n3\n', 4, "1 fields", id="line counted after a quoted line end"),
        pytest.param(b'a,b\n"1"x,2\n', 2, "the CSV is broken here", id="text behind a quote"),
        pytest.param(b'a,"b"x\n', 1, "the CSV is broken here", id="broken header"),
        pytest.param("a,b\n1,2\nK\xf6chin,2\n5,6\n".encode("cp1252"), 3, "not UTF-8", id="cp1252"),
        pytest.param(
            b"a,b\n" + b"1,2\n" * 20_000 + b"\xf6,2\n" + b"5,6\n" * 20_000, 20_002, "not UTF-8", id="cp1252 far down"
        ),
        pytest.param("a,b\n1,2\n".encode("utf-16"), 1, "not UTF-8", id="UTF-16"),
        pytest.param("a,b\n1,2\n".encode("utf-16-le"), 1, "missing", id="UTF-16 without BOM"),
        pytest.param(b"\x1f\x8b\x08\x00abc", 1, "not UTF-8", id="gzip"),
        pytest.param(b"a,b\n1\x00,2\n", 2, "line 2", id="NUL in a field"),
        pytest.param(b"a,b\n1,2\n3," + b"\x00" * 40, 3, "line 3", id="NULs at the end of the disk"),
        pytest.param(b"a,b\n" + b"x" * (17 << 20) + b",2\n", 2, "a row is over 16 MB", id="field of 17 MB"),
    ],
)
def test_faults(file_of: Callable[..., Path], content: bytes, line: int, problem: str) -> None:
    """The error says which file, which line and what is wrong."""
    with pytest.raises(DataFileError, match=problem) as caught:
        _read(file_of(content))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"jobs.csv, line {line}: ")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED], ids=["deflated", "stored"])
def test_zip(file_of: Callable[..., Path], method: int) -> None:
    """ESCO's download as it comes is a zip; the error says to unpack it."""
    with pytest.raises(DataFileError, match=r"^occupations_en\.csv: this is a zip archive; unpack it"):
        _read(file_of(_zip(method), "occupations_en.csv"))


def test_row_gives_stripped_text_and_nothing_for_unknown_columns() -> None:
    """Versions of ESCO differ in their columns; what is not there is ''."""
    row = Row(2, {"a": "  x \n"})
    assert row["a"] == "x"
    assert row["b"] == ""


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("nurse", ["nurse"], id="one"),
        pytest.param("nurse\nsister", ["nurse", "sister"], id="one a line"),
        pytest.param("nurse\r\nsister\r\n", ["nurse", "sister"], id="CRLF"),
        pytest.param("nurse | sister", ["nurse", "sister"], id="bar with blanks"),
        pytest.param("nurse|sister\nmatron", ["nurse", "sister", "matron"], id="both"),
        pytest.param(" | \n |x||", ["x"], id="nothing between bars"),
        pytest.param("smith, black; forger", ["smith, black; forger"], id="commas and semicolons belong to the name"),
        pytest.param("nurse\nnurse", ["nurse", "nurse"], id="repeated"),
    ],
)
def test_split_names(cell: str, expected: list[str]) -> None:
    """Names stand one a line or with a bar between them."""
    assert split_names(cell) == expected


def test_records_that_end_early(tmp_path: Path) -> None:
    """Only where the caller knows such files; a record that is too long is always a fault."""
    path = tmp_path / "rows.csv"
    path.write_text("a,b,c\n1,2\n1,2,3\n", "utf-8")
    assert [row["c"] for row in read_rows(path, ("a", "b"), may_end_early=True)] == ["", "3"]
    with pytest.raises(DataFileError, match="2 fields where the header has 3"):
        list(read_rows(path, ("a", "b")))
    path.write_text("a,b,c\n1,2,3,4\n", "utf-8")
    with pytest.raises(DataFileError, match="4 fields where the header has 3"):
        list(read_rows(path, ("a", "b"), may_end_early=True))
