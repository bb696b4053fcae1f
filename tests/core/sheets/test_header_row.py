"""Detection of the header row in realistic tables."""

import pytest

from jobmatch_core.sheets.header_row import guess_header_row

BODY = [["1", "nurse", "Bonn"], ["2", "truck driver", "Graz"], ["3", "head chef", "Lyon"]]

TABLES: list[tuple[str, list[list[str]], int]] = [
    ("first row", [["No", "Job title", "Place"], *BODY], 1),
    ("unknown names above numbers", [["Ref", "Denominazione X", "Sede"], *BODY], 1),
    ("no header", BODY, 0),
    ("heading and an empty row", [["Staff 2024", "", ""], [], ["No", "Position", "Place"], *BODY], 3),
    ("heading with a date", [["Staff, as of", "2024-01-05", ""], ["", "", ""], ["Nr", "Beruf", "Ort"], *BODY], 3),
    ("empty rows first", [[], ["", ""], ["Lp.", "Stanowisko", "Miasto"], *BODY], 3),
    ("three lines of heading", [["Acme Ltd"], ["Staff"], ["2024"], [], ["№", "Должность", "Город"], *BODY], 5),
    ("heading without a header", [["Staff 2024"], [], *BODY], 0),
    ("units below the header", [["No", "Job title", "Pay"], ["", "", "EUR"], ["1", "nurse", "10"]], 1),
    ("one column with a name", [["title"], ["nurse"], ["cook"]], 1),
    ("one column without", [["nurse"], ["cook"], ["plumber"]], 0),
    ("one column below a heading", [["List of Anna"], [], ["Job title"], ["nurse"], ["cook"]], 3),
    ("one name above titles with commas", [["title"], ["nurse", " night"], ["cook", " day"]], 1),
    ("one title", [["nurse"]], 0),
    ("header only", [["No", "Job title"]], 1),
    ("texts only, names unknown", [["Bezeichnung X", "Standort Y"], ["Koch", "Bonn"], ["Maurer", "Graz"]], 1),
    ("texts only, no header", [["nurse", "Bonn"], ["cook", "Graz"], ["plumber", "Lyon"]], 0),
    ("a place that comes again", [["Vibemaster", "Bonn"], ["Grand Vizier", "Bonn"], ["Jester", "Graz"]], 0),
    ("right to left", [["الرقم", "المسمى الوظيفي"], ["1", "ممرضة"], ["2", "طباخ"]], 1),
    ("Chinese", [["编号", "职位名称"], ["1", "护士"], ["2", "厨师"]], 1),
    ("Japanese without", [["看護師"], ["教師"]], 0),
    ("doubled cells are no names", [["x", "x", "nurse"], ["a", "b", "cook"], ["c", "d", "plumber"]], 0),
    ("nothing", [], 0),
    ("empty rows only", [[], ["", ""]], 0),
]


@pytest.mark.parametrize(("rows", "expected"), [each[1:] for each in TABLES], ids=[each[0] for each in TABLES])
def test_the_header_is_found(rows: list[list[str]], expected: int) -> None:
    """0 for no header; the first row is 1."""
    assert guess_header_row(rows) == expected


def test_ragged_rows_are_no_fault() -> None:
    """Spreadsheets have notes beside the table."""
    rows = [["Staff"], ["No", "Job title"], ["1", "nurse", "", "ask Bob"], ["2"], ["3", "cook"]]
    assert guess_header_row(rows) == 2
