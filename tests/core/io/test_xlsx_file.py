"""Workbooks as they open in Excel: header, filter, widths, and codes that stay texts."""

from pathlib import Path

import pytest
from openpyxl import load_workbook

from jobmatch_core.io.tables import write_table


def test_a_workbook_is_ready_to_be_worked_with(tmp_path: Path) -> None:
    """The header stays in view, the filter covers all rows and columns, and widths are those of the texts."""
    rows = [{"n": 1, "title": "Krankenschwester", "text": "x" * 500, "isco": "0110"}, {"n": 2, "title": None}]
    assert write_table(tmp_path / "t.xlsx", rows) == 2
    sheet = load_workbook(tmp_path / "t.xlsx").active
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:D3")
    widths = [sheet.column_dimensions[letter].width for letter in "ABCD"]
    assert widths == [8, 17, 50, 8]
    assert (sheet["D2"].value, sheet["D2"].data_type) == ("0110", "s")
    assert (sheet["B3"].value, sheet["D3"].value) == (None, None)


@pytest.mark.parametrize("count", [1, 250])
def test_widths_are_measured_in_the_first_rows(tmp_path: Path, count: int) -> None:
    """Later long texts do not count; all rows are written."""
    rows = [{"title": f"title {n}"} for n in range(count)] + [{"title": "x" * 40}]
    assert write_table(tmp_path / "t.xlsx", rows) == count + 1
    sheet = load_workbook(tmp_path / "t.xlsx").active
    assert [cell.value for cell in sheet["A"]] == ["title", *(row["title"] for row in rows)]
    assert sheet.column_dimensions["A"].width == (41 if count == 1 else 9)
    assert sheet.auto_filter.ref == f"A1:A{count + 2}"


def test_a_workbook_without_rows(tmp_path: Path) -> None:
    """Excel can open it."""
    assert write_table(tmp_path / "t.xlsx", []) == 0
    assert load_workbook(tmp_path / "t.xlsx").active.max_row == 1
