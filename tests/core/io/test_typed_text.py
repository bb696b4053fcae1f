"""Texts of cells that hold numbers, truth values, dates and times."""

import json
import pickle
from datetime import date, datetime, time

import pytest

from jobmatch_core.io.typed_text import TypedText, ValueKind, from_json, json_cell, typed

VALUES = [3, -0.5, 1e-7, 10**20, True, False, datetime(2024, 1, 5, 3, 4), date(2024, 1, 5), time(3, 4)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_typed_text_gives_its_value_back(value: object) -> None:
    """Also from JSON and from a pickle; it equals its text."""
    text = typed(value)
    assert isinstance(text, TypedText)
    assert (text, text.value, type(text.value)) == (str(value), value, type(value))
    for again in (json.loads(json.dumps(json_cell(text)), object_hook=from_json), pickle.loads(pickle.dumps(text))):
        assert (again, again.kind, type(str(again))) == (text, text.kind, str)


def test_midnight_is_a_date() -> None:
    """Workbooks hold a date as its midnight."""
    assert TypedText("2024-01-05 00:00:00", ValueKind.DATE).value == date(2024, 1, 5)


@pytest.mark.parametrize("kind", ValueKind)
def test_a_text_that_is_not_of_its_kind_stays_one(kind: ValueKind) -> None:
    """Such records may come from a file of a user."""
    for text in ("x", "", "inf", "nan"):
        assert TypedText(text, kind).value == (text if kind != ValueKind.TRUTH else False)


@pytest.mark.parametrize("record", [{}, {"jobmatch:number": 1}, {"jobmatch:other": "1"}, {"number": "1"}])
def test_other_records_stay(record: dict[str, object]) -> None:
    """As do plain texts and numbers."""
    assert from_json(record) is record
    assert [json_cell(cell) for cell in ("1", 1, None, record)] == ["1", 1, None, record]
