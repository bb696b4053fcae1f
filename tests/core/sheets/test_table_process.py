"""Tables read in a separate process: the same answers and errors, and a clear error if the process fails."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import write_table
from jobmatch_core.sheets import table_process
from jobmatch_core.sheets.table_layout import TableLayout, summarise_table
from jobmatch_core.sheets.table_process import (
    FIRST_ROWS,
    encodings_apart,
    guess_apart,
    header_apart,
    list_apart,
    table_apart,
)

ROWS = [{"job": f"Nurse {n}", "town": "Köln"} for n in range(500)]
LAYOUT = TableLayout("utf-8", 1, None)


@pytest.fixture(params=["csv", "xlsx", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("parquet", "jsonl"))])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Write a table of each format."""
    path = tmp_path / f"t.{request.param}"
    write_table(path, ROWS)
    return path


@pytest.mark.first_case
def test_the_answers_are_the_same(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both processes give the same answers."""
    monkeypatch.setattr(table_process, "_SMALL", 0)
    [encoding] = encodings_apart(table)
    first = 2 if table.suffix in (".csv", ".xlsx") else 1
    sheet = "jobmatch" if table.suffix == ".xlsx" else None
    guess = guess_apart(table, encoding)
    assert (header_apart(table, encoding), guess.layout) == (1, TableLayout(encoding, 1, None, sheet))
    assert guess.is_whole
    assert guess.table == summarise_table(list(enumerate(ROWS, first)))
    assert list_apart(table, None, "") == TableLayout(encoding, 1, "", sheet)
    assert table_apart(table, TableLayout(encoding, 1, None), most_rows=300) == summarise_table(
        list(enumerate(ROWS[:300], first))
    )


def test_a_guess_reads_the_first_rows(tmp_path: Path) -> None:
    """Of a longer table, so that its layout can be shown at once."""
    path = tmp_path / "t.csv"
    path.write_text("job\n" + "nurse\n" * (FIRST_ROWS + 1), "utf-8")
    guess = guess_apart(path, "utf-8")
    assert (len(guess.table.rows), guess.is_whole) == (FIRST_ROWS, False)


def test_what_json_does_not_know_is_text(tmp_path: Path) -> None:
    """Dates of a Parquet file become texts."""
    path = tmp_path / "t.parquet"
    write_table(path, [{"title": "Nurse", "since": date(2026, 1, 2)}])
    assert table_apart(path, LAYOUT, most_rows=9).rows == [{"title": "Nurse", "since": "2026-01-02"}]


def test_the_separator_comes_through(tmp_path: Path) -> None:
    """Without it, another separator would be detected."""
    path = tmp_path / "t.csv"
    path.write_text("a;b,c\n1;2,3\n", "utf-8")
    assert table_apart(path, replace(LAYOUT, separator=";"), most_rows=9).rows == [{"a": "1", "b,c": "2,3"}]
    assert list_apart(path, None, ";").separator == ";"


def test_errors_come_through(tmp_path: Path) -> None:
    """The error has the file name and the line."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"title": "Nurse"}\n' * 100_000 + "{\n", "utf-8")
    assert path.stat().st_size > table_process._SMALL
    with pytest.raises(DataFileError, match=r"^t\.jsonl, line 100001: this line is not JSON"):
        table_apart(path, LAYOUT, most_rows=200_000)


def test_a_process_that_falls(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For example when the system ends it at its limits."""
    monkeypatch.setattr(table_process, "_SMALL", 0)
    monkeypatch.setattr(table_process, "_ONE_THREAD", {"PYTHONHOME": "/nowhere"})
    with pytest.raises(DataFileError, match="takes more time or memory than a page allows; use the command line"):
        table_apart(table, LAYOUT, most_rows=9)


def test_more_than_a_server_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may have many cells."""
    monkeypatch.setattr(table_process, "MOST_CELLS", 1000)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + ",\n" * 501, "utf-8")
    assert len(table_apart(path, LAYOUT, most_rows=500).rows) == 500
    with pytest.raises(DataFileError, match=r"more than 1,000 cells .* leave out columns, or use the command line"):
        table_apart(path, LAYOUT, most_rows=501)
