"""The sheet with the job titles is chosen, and the others are offered."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import read_table
from jobmatch_core.sheets.table_layout import guess_layout

Rows = Sequence[Sequence[object]]

TITLES: Rows = [["Nr", "Beruf"], [1, "Altenpfleger/in"], [2, "Bäcker/in"], [3, "Tischler/in"], [4, "Kraftfahrer/in"]]
IMPRINT: Rows = [
    [],
    [],
    [],
    [None, "Imprint"],
    [],
    [None, "Published by the office"],
    [None, "As of: January"],
    [],
    [None, "Title:"],
    [None, "List of all jobs"],
]
README: Rows = [
    [f"Line {number}: this workbook lists the jobs of the office and was made by the staff department for all teams."]
    for number in range(40)
]
NOTES: Rows = [["Notes on the list"]]
COUNTS: Rows = [["Department", "Staff"], ["Sales", 12], ["Finance", 7], ["Logistics", 31], ["Total", 50]]
COUNTRIES: Rows = [
    ["Code", "Country"],
    *([code, f"Land {code}"] for code in ("AT", "BE", "CH", "DE", "FR", "IT", "NL")),
]
STAFF: Rows = [["Name", "City"], *(["Ann Smith", "Leeds"], ["Bob Jones", "Bonn"], ["Eva Berg", "Graz"]) * 20]
FEW_TITLES: Rows = [["Job title"], ["nurse"]]
MANY_TITLES: Rows = [["Job title"], *(["nurse"], ["cook"], ["truck driver"]) * 30]

WORKBOOKS: list[tuple[str, list[tuple[str, Rows]], str, set[str]]] = [
    ("imprint first", [("Imprint", IMPRINT), ("Jobs", TITLES), ("Notes", NOTES)], "Jobs", set()),
    ("titles first", [("Jobs", TITLES), ("Imprint", IMPRINT)], "Jobs", set()),
    ("a long readme", [("Read me", README), ("Jobs", TITLES)], "Jobs", set()),
    ("counts before", [("Overview", COUNTS), ("Jobs", TITLES)], "Jobs", set()),
    ("a longer lookup", [("Countries", COUNTRIES), ("Jobs", TITLES)], "Jobs", set()),
    ("more people than titles", [("People", STAFF), ("Jobs", TITLES)], "Jobs", set()),
    ("an empty first sheet", [("Sheet1", []), ("Jobs", TITLES)], "Jobs", set()),
    ("a hidden sheet of more titles", [("Old", MANY_TITLES), ("Jobs", TITLES)], "Jobs", {"Old"}),
    ("a hidden sheet of titles alone", [("Old", TITLES), ("Jobs", [])], "Old", {"Old"}),
    ("two sheets of titles", [("Example", FEW_TITLES), ("All", MANY_TITLES)], "All", set()),
    ("departments alike", [("Berlin", TITLES), ("Bonn", TITLES)], "Berlin", set()),
    ("titles last of six", [(f"S{n}", NOTES) for n in range(5)] + [("Liste", TITLES)], "Liste", set()),
]


def workbook(path: Path, sheets: list[tuple[str, Rows]], hidden: set[str] = frozenset()) -> Path:  # type: ignore[assignment]
    """Write a workbook with several sheets; if one is hidden, another is active."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for cells in rows:
            sheet.append(list(cells))
        sheet.sheet_state = "hidden" if name in hidden else "visible"
    book.active = next(place for place, (name, _) in enumerate(sheets) if name not in hidden)
    book.create_chartsheet("Chart")
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("sheets", "expected", "hidden"), [each[1:] for each in WORKBOOKS], ids=[each[0] for each in WORKBOOKS]
)
def test_the_sheet_with_the_titles_is_chosen(
    tmp_path: Path, sheets: list[tuple[str, Rows]], expected: str, hidden: set[str]
) -> None:
    """Other sheets with cells are offered, hidden ones last, but not charts and empty sheets."""
    layout = guess_layout(workbook(tmp_path / "t.xlsx", sheets, hidden))
    others = [name for name, rows in sheets if rows and name != expected]
    assert layout.sheet == expected
    assert layout.other_sheets == tuple(sorted(others, key=hidden.__contains__))


def test_all_rows_of_the_sheet_are_read(tmp_path: Path) -> None:
    """A list of a statistical office with the header in row 2 and four rows."""
    names = ("Altenpfleger", "Bäcker", "Tischler", "Maler")
    body = ([number, f"B {number}-100", "T", f"{name}/in", name] for number, name in enumerate(names, 1))
    rows: Rows = [[], ["No", "Code", "State", "Short neutral name", "Male form"], *body]
    path = workbook(tmp_path / "t.xlsx", [("Imprint", IMPRINT), ("List of jobs", rows), ("Notes", NOTES)])
    layout = guess_layout(path)
    assert (layout.sheet, layout.header_row, layout.column) == ("List of jobs", 2, "Short neutral name")
    assert layout.other_sheets == ("Imprint", "Notes")
    [read] = read_table(path, header_row=layout.header_row, sheet=layout.sheet)
    assert len(read) == 4


def test_a_sheet_that_is_asked_for(tmp_path: Path) -> None:
    """Upper or lower case; the error for a missing one lists all sheets."""
    path = workbook(tmp_path / "t.xlsx", [("Jobs", TITLES), ("Old", MANY_TITLES)], {"Old"})
    assert guess_layout(path, sheet="old").sheet == "Old"
    for wanted in ("Gone", "Chart"):
        with pytest.raises(DataFileError, match=rf"no sheet '{wanted}' with cells; it has 'Jobs', 'Old'"):
            guess_layout(path, sheet=wanted)


def test_other_files_have_no_sheets(tmp_path: Path) -> None:
    """A sheet of another format is refused, so that users do not expect it to be read."""
    (tmp_path / "t.csv").write_text("title\nnurse\n")
    assert guess_layout(tmp_path / "t.csv").sheet is None
    with pytest.raises(DataFileError, match="only a workbook"):
        guess_layout(tmp_path / "t.csv", sheet="Jobs")


def test_a_workbook_without_cells(tmp_path: Path) -> None:
    """The error says that it is empty."""
    with pytest.raises(DataFileError, match="empty"):
        guess_layout(workbook(tmp_path / "t.xlsx", [("A", []), ("B", [])]))


def test_a_table_is_preferred_where_nobody_looks_for_titles(tmp_path: Path) -> None:
    """For example for the projects of a marketplace."""
    path = workbook(tmp_path / "t.xlsx", [("Imprint", IMPRINT), ("Counts", COUNTS), ("Jobs", TITLES)])
    [read] = read_table(path)
    assert list(read[0]) == ["Department", "Staff"]
    with pytest.raises(DataFileError, match="there is no sheet 'x'"):
        list(read_table(path, sheet="x"))
