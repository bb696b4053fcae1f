"""Reading and writing of tables, and the messages of refused ones."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.io.tables import (
    FORMATS,
    first_rows,
    listed,
    read_table,
    table_columns,
    table_format,
    write_table,
)
from tests.core.io.made_tables import round_trip, rows_of, workbook

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
)
def test_table_format(name: str, expected: str) -> None:
    """The ending decides, in upper or lower case."""
    assert table_format(Path(name)) == expected


@pytest.mark.parametrize("name", ["a", "a.xls", "a.jsonld", "a.zip.gz", ".csv", "csv"])
@pytest.mark.parametrize("verb", ["format", "read", "write"])
def test_unknown_ending_is_refused(tmp_path: Path, name: str, verb: str) -> None:
    """The error lists the supported endings, and no file is written."""
    path = tmp_path / name
    if verb == "read":
        path.write_text("title\nNurse\n")
    verbs: dict[str, Callable[[], object]] = {
        "format": lambda: table_format(path),
        "read": lambda: rows_of(path),
        "write": lambda: write_table(path, [{"title": "Nurse"}]),
    }
    with pytest.raises(DataFileError, match=r"\.csv, \.xlsx, \.parquet, \.jsonl"):
        verbs[verb]()
    assert verb == "read" or not path.exists()


@pytest.mark.parametrize("ending", FORMATS)
def test_missing_file(tmp_path: Path, ending: str) -> None:
    """The error names the file."""
    with pytest.raises(DataFileError, match=rf"^gone\.{ending}: there is no such file$"):
        rows_of(tmp_path / f"gone.{ending}")


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    """A folder with the ending of a table is refused."""
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataFileError, match="it is a folder, a pipe or a device"):
        rows_of(tmp_path / "folder.csv")


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("text", HARD_TEXTS.values(), ids=HARD_TEXTS.keys())
def test_hard_texts_come_back(tmp_path: Path, ending: str, text: str) -> None:
    """Written texts are read unchanged in every format."""
    rows = [{"id": "1", "title": text}, {"id": "2", "title": "plain"}]
    assert round_trip(tmp_path / f"t.{ending}", rows) == rows


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"), max_size=30)
_TABLE = st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=5)


def _any_round_trip(ending: str, cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        rows = [{"id": "x", "title": title, "place": place} for title, place in cells]
        back = round_trip(Path(folder) / f"t.{ending}", rows)
    assert all(list(row) == ["id", "title", "place"] and row["id"] == "x" for row in back)
    return [(row["title"], row["place"]) for row in back]


@settings(database=None, deadline=None, max_examples=60)
@given(_TABLE)
@example([("a\r\nb", "c\rd")])
@example([("=1+1", "\x00=1")])
def test_any_text_survives_csv(cells: list[tuple[str, str]]) -> None:
    """CSV returns every text, except for NUL and the quote in front of formulas."""

    def as_kept(text: str) -> str:
        return str(neutralise(text.replace("\0", "")))

    assert _any_round_trip("csv", cells) == [(as_kept(a), as_kept(b)) for a, b in cells]


@settings(database=None, deadline=None, max_examples=40)
@given(_TABLE)
@example([("a\r\nb", "c\rd")])
@example([("\x01=1+1", "")])
def test_any_text_survives_xlsx(cells: list[tuple[str, str]]) -> None:
    """XLSX returns every text, except for control characters and the type of line ends."""

    def as_kept(text: str) -> str:
        kept = str(ILLEGAL_CHARACTERS_RE.sub("", text))
        return kept.replace("\r\n", "\n").replace("\r", "\n")

    assert _any_round_trip("xlsx", cells) == [(as_kept(a), as_kept(b)) for a, b in cells]


@settings(database=None, deadline=None, max_examples=40)
@given(_TABLE)
@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_any_text_survives_typed_formats(ending: str, cells: list[tuple[str, str]]) -> None:
    """Parquet and JSON lines return every text."""
    assert _any_round_trip(ending, cells) == cells


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_types_are_kept(tmp_path: Path, ending: str) -> None:
    """Numbers, booleans, lists and null keep their types."""
    rows: list[dict[str, Any]] = [
        {"n": 1, "p": 0.25, "ok": True, "none": None, "names": ["a", "b"]},
        {"n": -2, "p": 1.5, "ok": False, "none": None, "names": []},
    ]
    assert round_trip(tmp_path / f"t.{ending}", rows) == rows


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_types_become_text(tmp_path: Path, ending: str) -> None:
    """Cells of CSV and XLSX are read as texts, missing ones as ''."""
    assert round_trip(tmp_path / f"t.{ending}", [{"n": 1, "p": 0.25, "ok": True, "none": None, "s": "x"}]) == [
        {"n": "1", "p": "0.25", "ok": "True", "none": "", "s": "x"}
    ]


@pytest.mark.parametrize("ending", FORMATS)
def test_columns_in_another_order_stay_theirs(tmp_path: Path, ending: str) -> None:
    """Values go to the columns of their names, whatever the order of the keys."""
    rows = [{"title": "Nurse", "place": "Bonn"}, {"place": "Graz", "title": "Cook"}]
    assert round_trip(tmp_path / f"t.{ending}", rows) == [
        {"title": "Nurse", "place": "Bonn"},
        {"title": "Cook", "place": "Graz"},
    ]


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet"])
def test_missing_value_leaves_its_cell_empty(tmp_path: Path, ending: str) -> None:
    """A row without one of the columns does not shift the others."""
    rows = [{"title": "Nurse", "place": "Bonn"}, {"place": "Graz"}]
    assert (round_trip(tmp_path / f"t.{ending}", rows)[1]["title"] or "") == ""
    assert rows_of(tmp_path / f"t.{ending}")[1]["place"] == "Graz"


@pytest.mark.parametrize("ending", FORMATS)
def test_writing_is_counted_and_lazy(tmp_path: Path, ending: str) -> None:
    """Rows may come from a generator."""
    path = tmp_path / f"t.{ending}"
    assert write_table(path, ({"n": number} for number in range(12))) == 12
    assert [int(row["n"]) for row in rows_of(path)] == list(range(12))


@pytest.mark.parametrize("ending", FORMATS)
def test_no_rows_replace_an_older_file(tmp_path: Path, ending: str) -> None:
    """Writing no rows removes an earlier result."""
    path = tmp_path / f"t.{ending}"
    write_table(path, [{"title": "Nurse"}])
    assert write_table(path, []) == 0
    assert path.exists()
    assert b"Nurse" not in path.read_bytes()


_HEADED = "Staff, 2024\n\nNr;Job title\n1;Nurse, night\n2;Cook\n"


def test_a_header_below_a_heading_of_csv(given_file: Callable[[str, str | bytes], Path]) -> None:
    """Lines above the header are left out, and do not affect the separator."""
    path = given_file("t.csv", _HEADED)
    assert rows_of(path, header_row=3) == [{"Nr": "1", "Job title": "Nurse, night"}, {"Nr": "2", "Job title": "Cook"}]
    assert table_columns(path, header_row=3) == ["Nr", "Job title"]
    assert first_rows(path, 3) == [["Staff, 2024"], [], ["Nr", "Job title"]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "1;Nurse\n2;Cook;late\n",
            [
                {"column 1": "1", "column 2": "Nurse", "column 3": ""},
                {"column 1": "2", "column 2": "Cook", "column 3": "late"},
            ],
        ),
        ("Nurse, night\nCook\nMaid\n", [{"column 1": "Nurse, night"}, {"column 1": "Cook"}, {"column 1": "Maid"}]),
        ("Nurse\n", [{"column 1": "Nurse"}]),
        ("", []),
    ],
)
def test_no_header(
    given_file: Callable[[str, str | bytes], Path], content: str, expected: list[dict[str, str]]
) -> None:
    """The first row is data, and the columns are numbered."""
    assert rows_of(given_file("t.csv", content), header_row=0) == expected


@pytest.mark.usefixtures("nothing_left_open")
@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
@pytest.mark.parametrize("row", [2, 9])
def test_a_header_that_is_not_there(tmp_path: Path, name: str, row: int) -> None:
    """An empty row, and a row after the last one, are refused as headers."""
    path = tmp_path / name
    workbook(path, ["Staff"], [], ["a", "b"]) if name.endswith("xlsx") else path.write_text("Staff\n\na,b\n")
    with pytest.raises(DataFileError, match="this row is empty or does not exist") as caught:
        rows_of(path, header_row=row)
    assert caught.value.line == row


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize(("size", "expected"), [(2, [2, 2, 1]), (5, [5]), (1, [1] * 5), (1000, [5])])
def test_batches_are_bounded(tmp_path: Path, ending: str, size: int, expected: list[int]) -> None:
    """No batch exceeds the limit, and no row is lost or repeated."""
    path = tmp_path / f"t.{ending}"
    write_table(path, [{"n": n} for n in range(5)])
    batches = list(read_table(path, batch_rows=size))
    assert [len(batch) for batch in batches] == expected
    assert [int(row["n"]) for batch in batches for row in batch] == list(range(5))


def test_reading_is_lazy(given_file: Callable[[str, str | bytes], Path]) -> None:
    """The first batch is yielded before an error further down is raised."""
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


def test_many_columns_are_named_in_part() -> None:
    """The message stays readable."""
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == "none"
    assert listed([str(n) for n in range(10_000)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 9,988 others"
