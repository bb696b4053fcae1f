"""Parquet tables: late types, given types, and damage."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import (
    write_table,
)
from tests.core.io.made_tables import rows_of


@pytest.mark.parametrize(
    "content",
    [b"", b"PAR1", b"title\nNurse\n", b"PAR1" + b"junk" * 9 + b"PAR1"],
    ids=["empty", "magic only", "csv", "junk between the magics"],
)
def test_not_parquet(given_file: Callable[[str, str | bytes], Path], content: bytes) -> None:
    """Another file with the ending .parquet is refused."""
    with pytest.raises(DataFileError, match=r"^t\.parquet: this is not a Parquet file"):
        rows_of(given_file("t.parquet", content))


def test_truncated_parquet(tmp_path: Path) -> None:
    """An incomplete download is refused, wherever it ends."""
    write_table(tmp_path / "whole.parquet", [{"title": "Nurse", "n": n} for n in range(50)])
    whole = (tmp_path / "whole.parquet").read_bytes()
    for length in range(0, len(whole), 100):
        (tmp_path / "t.parquet").write_bytes(whole[:length])
        with pytest.raises(DataFileError, match=r"^t\.parquet"):
            rows_of(tmp_path / "t.parquet")


def test_parquet_text_that_is_not_utf_8(tmp_path: Path) -> None:
    """Other writers may put any bytes into text columns."""
    offsets = pa.array([0, 1], pa.int32()).buffers()[1]
    column = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff")])
    pq.write_table(pa.table({"title": column}), tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match=r"^t\.parquet"):
        rows_of(tmp_path / "t.parquet")


def test_parquet_with_two_columns_of_a_name(tmp_path: Path) -> None:
    """One of the columns would be lost."""
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match=r"^t\.parquet: the column 'a' occurs twice"):
        rows_of(tmp_path / "t.parquet")


def test_parquet_is_written_in_pieces(tmp_path: Path) -> None:
    """12,001 rows become three row groups, so that memory is bounded."""

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
    """A value in row 5,001 is kept or refused, never changed; a column without values has no type yet."""
    path = tmp_path / "t.parquet"
    write_table(path, [{"x": early}] * 5000 + [{"x": late}])
    assert rows_of(path)[-1]["x"] == late
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]


def test_parquet_column_that_shows_late(tmp_path: Path) -> None:
    """Rows without the column have null."""
    write_table(tmp_path / "t.parquet", [{"x": 1}] * 5000 + [{"y": "late", "x": 2}])
    assert rows_of(tmp_path / "t.parquet")[-2:] == [{"x": 1, "y": None}, {"x": 2, "y": "late"}]


@pytest.mark.parametrize("n_before", [1, 5000], ids=["in the first piece", "in the second piece"])
@pytest.mark.parametrize(
    ("early", "late"),
    [(1, "Nurse"), (2**53 + 1, 0.5), (1, 2**70)],
    ids=["text", "fraction that would round the others", "number too large"],
)
def test_parquet_refuses_mixed_types(tmp_path: Path, n_before: int, early: object, late: object) -> None:
    """The error suggests other formats, and no file stays."""
    with pytest.raises(DataFileError, match=r"write \.csv or \.jsonl"):
        write_table(tmp_path / "t.parquet", [{"x": early}] * n_before + [{"x": late}])
    assert not list(tmp_path.iterdir())


def test_parquet_column_without_a_value(tmp_path: Path) -> None:
    """It becomes a text column; a null column would not fit beside a file with texts."""
    write_table(tmp_path / "t.parquet", [{"x": None, "n": 1}, {"x": None, "n": 2}])
    assert pq.read_schema(tmp_path / "t.parquet") == pa.schema({"x": pa.string(), "n": pa.int64()})


def test_parquet_columns_of_given_types(tmp_path: Path) -> None:
    """Given types apply even if all values are missing or whole numbers; others are inferred."""
    items = pa.list_(pa.struct({"uri": pa.string(), "probability": pa.float64()}))
    given = pa.schema({"p": pa.float64(), "items": items})
    write_table(tmp_path / "t.parquet", [{"id": 1, "items": [], "p": None}], given)
    assert pq.read_schema(tmp_path / "t.parquet") == pa.schema({"id": pa.int64(), "items": items, "p": pa.float64()})
    rows = [{"p": 1, "items": [{"uri": "u", "probability": 0.5}]}]
    write_table(tmp_path / "t.parquet", rows, given)
    assert rows_of(tmp_path / "t.parquet") == rows
