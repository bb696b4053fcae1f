"""How a file is to be read, guessed from the file itself.

What is shown of a table before it is linked.
"""

from pathlib import Path

import pytest
from openpyxl import Workbook

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import read_table, write_table
from jobmatch_core.sheets import table_layout
from jobmatch_core.sheets.garbled_titles import GarbledTitles
from jobmatch_core.sheets.table_layout import ColumnSummary, TableLayout, guess_layout, summarise_table, table_encodings

HEADED = "Personal 2024\n\nLfd. Nr.;Vorname;Tätigkeit;Eintritt\n1;Anna;Köchin;01.02.2020\n2;Jörg;Maurer;03.04.2021\n"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "cp850"])
def test_a_csv_with_a_heading(tmp_path: Path, encoding: str) -> None:
    """Encoding, header and column are detected together."""
    path = tmp_path / "t.csv"
    path.write_bytes(HEADED.encode(encoding))
    layout = guess_layout(path)
    [rows] = read_table(path, encoding=layout.encoding, header_row=layout.header_row)
    assert (layout.header_row, layout.column) == (3, "Tätigkeit")
    assert [row["Tätigkeit"] for row in rows] == ["Köchin", "Maurer"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("most", range(20, 28))
def test_the_encoding_of_a_large_file_is_told_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, most: int
) -> None:
    """Neither a line nor a letter is cut, wherever the sample ends."""
    monkeypatch.setattr(table_layout, "_BYTES_OF_TEXT", most)
    path = tmp_path / "t.csv"
    path.write_bytes("Köchin\nBäcker\nTänzer\nGärtner\nFärber\n".encode(encoding))
    whole = table_encodings(path)[0]
    assert whole == {"utf-8": "utf-8-sig"}.get(encoding, encoding)


def test_a_workbook_with_a_heading(tmp_path: Path) -> None:
    """Dates and numbers are not titles."""
    book = Workbook()
    for cells in (["Staff"], [], ["No", "Since", "Position"], [1, "2020-01-01", "nurse"], [2, "2021-01-01", "看護師"]):
        book.active.append(cells)
    book.save(tmp_path / "t.xlsx")
    assert guess_layout(tmp_path / "t.xlsx") == TableLayout("utf-8-sig", 3, "Position", "Sheet")


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_tables_that_name_their_columns(tmp_path: Path, ending: str) -> None:
    """Their first row is data."""
    write_table(tmp_path / f"t.{ending}", [{"n": 1, "what": "nurse"}, {"n": 2, "what": None}])
    assert guess_layout(tmp_path / f"t.{ending}") == TableLayout("utf-8-sig", 1, "what")


def test_what_is_given_is_kept(tmp_path: Path) -> None:
    """Detection fills in the rest."""
    path = tmp_path / "t.csv"
    path.write_bytes(HEADED.encode("cp1252"))
    assert guess_layout(path, encoding="cp1250", column="Vorname") == TableLayout("cp1250", 3, "Vorname")
    assert guess_layout(path, header_row=0).header_row == 0


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("Anna;Ada\nSmith;Jones\n", "Anna", 1),  # people, whom no header is told from
        ("Jobs\n\nNr;Jobs\n1;Köchin\n2;Maurer\n", "Jobs", 3),
        ("1;Köchin\n2;Maurer\n", "column 2", 0),
        ("1;Köchin\n2;Maurer\n", "gone", 0),
    ],
)
def test_a_column_that_is_named_has_its_name_in_the_header(
    tmp_path: Path, text: str, column: str, expected: int
) -> None:
    """The given column decides; of two rows with its name, the more likely header counts."""
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    assert guess_layout(path, column=column).header_row == expected


def test_numbers_alone_are_no_titles(tmp_path: Path) -> None:
    """No column is better than a wrong one."""
    (tmp_path / "t.csv").write_text("id,pay\n1,20\n2,30\n")
    assert guess_layout(tmp_path / "t.csv").column is None


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(DataFileError, match=r"^gone\.csv"):
        guess_layout(tmp_path / "gone.csv")


def test_what_is_no_text(tmp_path: Path) -> None:
    """Truncated UTF-16 has no encoding; the error says what to do."""
    (tmp_path / "t.csv").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(DataFileError, match="save it as UTF-8"):
        table_encodings(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("beginning", "message"),
    [(b"%PDF-1.7\n", "a PDF document"), (b"PK\x03\x04\x14", "ending .xlsx"), (b"\xd0\xcf\x11\xe0", "save it as XLSX")],
)
def test_another_format_with_the_ending_of_a_table(tmp_path: Path, beginning: bytes, message: str) -> None:
    """It is named, also where its bytes could be read as text."""
    (tmp_path / "t.csv").write_bytes(beginning)
    with pytest.raises(DataFileError, match=message):
        guess_layout(tmp_path / "t.csv", column="title")


def test_each_column_is_summed_up() -> None:
    """Examples are different values; empty cells do not count."""
    rows = [{"n": n, "title": title} for n, title in enumerate(["nurse", "", "nurse", None, "cook", " "], 1)]
    summary = summarise_table(list(enumerate(rows, 5)))
    assert (summary.rows, summary.numbers) == (rows, [5, 6, 7, 8, 9, 10])
    assert summary.columns == (
        ColumnSummary("n", ("1", "2", "3", "4", "5"), 6, has_text=False, garbled=GarbledTitles(0, 6)),
        ColumnSummary("title", ("nurse", "cook"), 3, has_text=True, garbled=GarbledTitles(0, 3)),
    )
    assert summary.title_column == "title"


def test_an_empty_table() -> None:
    """It has no columns."""
    assert (summarise_table([]).columns, summarise_table([]).title_column) == ((), None)


def test_a_layout_reads_its_table(tmp_path: Path) -> None:
    """With its encoding, header row and separator, or its sheet."""
    text = tmp_path / "t.csv"
    text.write_text("Staff of 2024\n\nNr#Stelle\n1#Köchin\n2#Maurer\n", "cp1252")
    book = Workbook()
    book.create_sheet("Jobs").append(["Nr", "Stelle"])
    book["Jobs"].append(["1", "Köchin"])
    book["Jobs"].append(["2", "Maurer"])
    book.save(tmp_path / "t.xlsx")
    first, second = {"Nr": "1", "Stelle": "Köchin"}, {"Nr": "2", "Stelle": "Maurer"}
    for layout, path, row in (
        (TableLayout("cp1252", 3, None, separator="#"), text, 4),
        (TableLayout("utf-8-sig", 1, None, "Jobs"), tmp_path / "t.xlsx", 2),
    ):
        assert list(layout.read(path)) == [[first, second]]
        assert list(layout.read_numbered(path, batch_rows=1)) == [[(row, first)], [(row + 1, second)]]
        assert layout.column_names(path) == ["Nr", "Stelle"]
