"""Tables read in a process of its own: the same answers, the same errors, and a clear one where it falls."""

from datetime import date
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import write_table
from jobmatch_core.sheets import table_process
from jobmatch_core.sheets.table_layout import summarise_table
from jobmatch_core.sheets.table_process import columns_apart, encodings_apart, header_apart, sheets_apart, table_apart

ROWS = [{"job": f"Nurse {n}", "town": "Köln"} for n in range(500)]


@pytest.fixture(params=["csv", "xlsx", "parquet", "jsonl"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Write a table of each format."""
    path = tmp_path / f"t.{request.param}"
    write_table(path, ROWS)
    return path


def test_the_answers_are_the_same(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads."""
    monkeypatch.setattr(table_process, "_SMALL", 0)
    [encoding] = encodings_apart(table)
    first = 2 if table.suffix in (".csv", ".xlsx") else 1
    assert (columns_apart(table, encoding), header_apart(table, encoding)) == (["job", "town"], 1)
    assert sheets_apart(table).chosen == ("jobmatch" if table.suffix == ".xlsx" else None)
    assert table_apart(table, encoding=encoding, header_row=1, most_rows=300) == summarise_table(
        list(enumerate(ROWS[:300], first))
    )


def test_what_json_does_not_know_is_text(tmp_path: Path) -> None:
    """Dates of a Parquet file."""
    path = tmp_path / "t.parquet"
    write_table(path, [{"title": "Nurse", "since": date(2026, 1, 2)}])
    assert table_apart(path, encoding="", header_row=1, most_rows=9).rows == [{"title": "Nurse", "since": "2026-01-02"}]


def test_errors_come_through(tmp_path: Path) -> None:
    """With the file's name and the line."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"title": "Nurse"}\n' * 100_000 + "{\n", "utf-8")
    assert path.stat().st_size > table_process._SMALL
    with pytest.raises(DataFileError, match=r"^t\.jsonl, line 100001: this line is not JSON"):
        table_apart(path, encoding="utf-8", header_row=1, most_rows=200_000)


def test_a_process_that_falls(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that the system ends at its limits."""
    monkeypatch.setattr(table_process, "_SMALL", 0)
    monkeypatch.setattr(table_process, "_ONE_THREAD", {"PYTHONHOME": "/nowhere"})
    with pytest.raises(DataFileError, match="takes more time or memory than a page has; use the command line"):
        table_apart(table, encoding="utf-8", header_row=1, most_rows=9)


def test_more_than_a_server_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few bytes may be many cells."""
    monkeypatch.setattr(table_process, "MOST_CELLS", 1000)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + ",\n" * 501, "utf-8")
    assert len(table_apart(path, encoding="utf-8", header_row=1, most_rows=500).rows) == 500
    with pytest.raises(DataFileError, match=r"more than 1,000 cells .* leave out columns, or use the command line"):
        table_apart(path, encoding="utf-8", header_row=1, most_rows=501)
