"""Tables packed by gzip are read like others, up to a size limit."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io import table_limits
from jobmatch_core.io.tables import read_table, table_columns, write_table
from tests.core.io.made_tables import rows_of


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv.gz", "title;n\nKöchin;1\n"),
        ("t.tsv.gz", "title\tn\nKöchin\t1\n"),
        ("t.TXT.GZ", "title,n\nKöchin,1\n"),
        ("t.jsonl.gz", '{"title": "Köchin", "n": "1"}\n'),
        ("t.json.gz", '[{"title": "Köchin", "n": "1"}]'),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252"])
def test_packed(given_file: Callable[[str, str | bytes], Path], name: str, content: str, encoding: str) -> None:
    """A packed text is read like an unpacked one."""
    path = given_file(name, gzip.compress(content.encode(encoding)))
    assert rows_of(path, encoding=encoding) == [{"title": "Köchin", "n": "1"}]
    assert table_columns(path, encoding=encoding) == ["title", "n"]


@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_other_packed_formats(tmp_path: Path, given_file: Callable[[str, str | bytes], Path], ending: str) -> None:
    """Binary formats are unpacked first."""
    write_table(tmp_path / f"t.{ending}", [{"title": "Cook"}])
    packed = given_file(f"t.{ending}.gz", gzip.compress((tmp_path / f"t.{ending}").read_bytes()))
    assert rows_of(packed) == [{"title": "Cook"}]


def test_packed_wrong_encoding(given_file: Callable[[str, str | bytes], Path]) -> None:
    """The error names the line in a packed file, too."""
    path = given_file("t.csv.gz", gzip.compress("title\nNurse\nKöchin\n".encode("cp1252")))
    with pytest.raises(DataFileError, match="not UTF-8") as caught:
        rows_of(path)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "content", [b"title\nNurse\n", gzip.compress(b"title\nNurse\n" * 99, mtime=0)[:-12]], ids=["no gzip", "cut"]
)
def test_damaged(given_file: Callable[[str, str | bytes], Path], content: bytes) -> None:
    """Files that gzip has not packed, and truncated ones, are refused."""
    with pytest.raises(DataFileError, match=r"t\.csv\.gz: this is not a gzip file, or it is damaged"):
        rows_of(given_file("t.csv.gz", content))


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("name", "row"), [("t.csv.gz", b"Nurse\n"), ("t.jsonl.gz", b'{"a": 1}\n'), ("t.json.gz", b'{"a": 1},')]
)
def test_bomb(
    given_file: Callable[[str, str | bytes], Path], monkeypatch: pytest.MonkeyPatch, name: str, row: bytes
) -> None:
    """Unpacking stops at the size limit."""
    monkeypatch.setattr(table_limits, "_LEAST_UNPACKED", 1 << 20)
    path = given_file(name, gzip.compress((b"[" if name == "t.json.gz" else b"") + row * 2_000_000))
    with pytest.raises(DataFileError, match="unpacks to more than the limit for tables"):
        for _ in read_table(path):
            pass


@pytest.mark.parametrize("name", ["t.csv.gz", "t.json"])
def test_not_written(tmp_path: Path, name: str) -> None:
    """Read-only formats are refused for writing, and no file stays."""
    with pytest.raises(DataFileError, match=r"expected a file that ends in \.csv, \.xlsx"):
        write_table(tmp_path / name, [{"a": 1}])
    assert not list(tmp_path.iterdir())
