"""Cells of lists, records and missing values."""

import csv
import datetime
import decimal
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from openpyxl import load_workbook

from jobmatch_core.io.table_cells import is_missing
from jobmatch_core.io.tables import cell_text, write_table


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), decimal.Decimal("NaN")],
    ids=repr,
)
def test_what_stands_for_nothing(value: object) -> None:
    """Missing values of every library become empty cells, not texts such as `nan`."""
    assert is_missing(value)
    assert cell_text(value) == ""


@pytest.mark.parametrize("value", ["", "nan", "None", "NaN", 0, 0.0, False, float("inf")], ids=repr)
def test_what_is_a_value(value: object) -> None:
    """Texts such as 'nan' stay: they may be names."""
    assert not is_missing(value)
    assert cell_text(value) == str(value)


NESTED: dict[str, Any] = {
    "list": [{"name": "Köchin; =1", "p": 0.5, "on": datetime.date(2026, 1, 2)}, {"name": '"', "p": float("nan")}],
    "record": {"a": None},
    "empty": [],
    "nothing": float("nan"),
}
AS_READ = {
    "list": [{"name": "Köchin; =1", "p": 0.5, "on": "2026-01-02"}, {"name": '"', "p": None}],
    "record": {"a": None},
    "empty": [],
}


def test_lists_and_records_are_json_in_csv(tmp_path: Path) -> None:
    """They are not written in Python's syntax; NaN becomes an empty cell."""
    write_table(tmp_path / "t.csv", [NESTED])
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        [row] = csv.DictReader(file)
    assert row.pop("nothing") == ""
    assert {name: json.loads(cell) for name, cell in row.items()} == AS_READ


def test_nothing_is_null_in_csv_and_an_empty_text_is_not(tmp_path: Path) -> None:
    """Missing values are not quoted: a database would refuse a quoted text in place of a number."""
    write_table(tmp_path / "t.csv", [{"title": "", "link": None, "p": 0.5}, {"title": "a", "link": "b", "p": None}])
    assert (tmp_path / "t.csv").read_text("utf-8-sig").splitlines() == ['"title","link","p"', '"",,0.5', '"a","b",']


def test_lists_and_records_are_json_in_xlsx(tmp_path: Path) -> None:
    """The same as in CSV."""
    write_table(tmp_path / "t.xlsx", [NESTED])
    header, cells = load_workbook(tmp_path / "t.xlsx").active.iter_rows(values_only=True)
    row = dict(zip(header, cells, strict=True))
    assert row.pop("nothing") is None
    assert {name: json.loads(cell) for name, cell in row.items()} == AS_READ


def test_json_lines_have_no_nan(tmp_path: Path) -> None:
    """NaN is not JSON, and other readers refuse it."""
    write_table(tmp_path / "t.jsonl", [NESTED])

    def refused(word: str) -> None:
        raise AssertionError(word)

    assert json.loads((tmp_path / "t.jsonl").read_text("utf-8"), parse_constant=refused) == AS_READ | {"nothing": None}
