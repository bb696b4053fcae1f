"""Sheets of workbooks that commands read."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from jobmatch.cli.sheets import chosen_sheet
from jobmatch_core.errors import DataFileError


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    """Write a workbook of two sheets."""
    book = Workbook()
    book.active.title = "Notes"
    book.active.append(["Made by the office"])
    for cells in (["id", "title"], [1, "nurse"], [2, "cook"]):
        (book["Jobs"] if "Jobs" in book.sheetnames else book.create_sheet("Jobs")).append(cells)
    book.save(tmp_path / "t.xlsx")
    return tmp_path / "t.xlsx"


def test_the_sheet_is_named(workbook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, with the others."""
    assert chosen_sheet(workbook, None) == "Jobs"
    told = "Read the sheet 'Jobs' of t.xlsx. Other sheets (--sheet NAME): 'Notes'.\n"
    assert capsys.readouterr().err == told
    assert chosen_sheet(workbook, "notes") == "Notes"


def test_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They have no sheets and are not opened."""
    assert chosen_sheet(tmp_path / "gone.csv", None) is None
    assert capsys.readouterr().err == ""
    with pytest.raises(DataFileError, match="only a workbook"):
        chosen_sheet(tmp_path / "gone.csv", "Jobs")
