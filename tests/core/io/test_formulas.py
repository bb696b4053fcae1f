"""Cells that spreadsheets would read as formulas are neutralised; all others stay."""

import zipfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.io.tables import (
    cell_text,
    write_table,
)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+x",
        "-x",
        "@x",
        "\tx",
        "\rx",
        "=",
        "+",
        "-5+1",
        "+1-1",
        "-1e5",
        "=HYPERLINK(1)",
        "-5\n=1",
        "-2+A1",
        "\n=1",
        "\r\n=1",
        " =1",
        "\n\t =1",
        "\u00a0=1",
        "\ufeff=1",
        "\u200b+x",
        "\x01=1",
        "\x0b@x",
        " ＝1",
    ],
)
def test_formulas_are_neutralised(text: str) -> None:
    """A text that a spreadsheet would calculate gets a leading quote."""
    assert neutralise(text) == "'" + text


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "1+1",
        "a=b",
        "'=1",
        " x=1",
        "-",
        "-5",
        "+3.2",
        "-1,000",
        "-1 000",
        "+49 170 1234567",
        "-5%",
        "+0",
        5,
        -5,
        -0.5,
        None,
        True,
    ],
    ids=repr,
)
def test_harmless_cells_stay(value: object) -> None:
    """Texts, plain numbers and other values do not change."""
    assert neutralise(value) == value


@settings(database=None, deadline=None)
@given(st.text())
@example("=1+1")
def test_neutralise_is_idempotent_and_reversible(text: str) -> None:
    """At most one leading quote is added."""
    safe = str(neutralise(text))
    assert safe in (text, "'" + text)
    assert neutralise(safe) == safe


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "=cmd|'/c calc'!A1"])
def test_csv_file_has_no_formula(tmp_path: Path, text: str) -> None:
    """Cells and header are neutralised in the file itself."""
    write_table(tmp_path / "t.csv", [{text: text}])
    assert (tmp_path / "t.csv").read_text("utf-8-sig") == f'"\'{text}"\n"\'{text}"\n'


@pytest.mark.parametrize("text", ["=1+1", "=", "+x", "@x", "\x01=1+1", "=cmd|'/c calc'!A1", "\t=1"])
def test_xlsx_file_has_no_formula(tmp_path: Path, text: str) -> None:
    """No cell has Excel's formula type, even if a control character hid the sign, and none shows an apostrophe.

    Excel keeps such a cell as a text when it is edited, because it is marked as one.
    """
    write_table(tmp_path / "t.xlsx", [{"=A1": text}])
    cells = [cell for row in load_workbook(tmp_path / "t.xlsx").active.iter_rows() for cell in row]
    assert [(cell.data_type, cell.quotePrefix) for cell in cells] == [("s", True)] * 2
    assert [cell.value for cell in cells] == ["=A1", text.replace("\x01", "")]
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        assert b"<f" not in archive.read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("text", ["-", "-5", "+49 170 1234567", "007", "a=b"])
def test_harmless_texts_of_xlsx_are_not_marked(tmp_path: Path, text: str) -> None:
    """They stay texts, as they are."""
    write_table(tmp_path / "t.xlsx", [{"a": text}])
    cell = load_workbook(tmp_path / "t.xlsx").active["A2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (text, "s", False)


@pytest.mark.parametrize("value", [["cook"], {"a": "cook"}, b"cook"])
def test_cells_that_are_no_text(value: object) -> None:
    """Lists, records and bytes of Parquet and JSON lines are refused as titles."""
    with pytest.raises(DataFileError, match=r"titles\.parquet: a cell holds .* where a text is expected"):
        cell_text(value, Path("titles.parquet"))
    assert [cell_text(each) for each in (None, "cook", 17)] == ["", "cook", "17"]
