"""Dataclasses from tables: accepted values, and messages for the others."""

import json
import math
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest

from jobmatch_core.io.records import OtherFormatError, read_record, record_of


@dataclass(frozen=True, slots=True)
class Step:
    """A part of `Plan`."""

    size: int
    rate: float | None = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """A record with a field of each type."""

    name: str
    share: float = 1.0
    kind: Literal["short", "long"] = "short"
    checked: bool = False
    words: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 1)
    counts: dict[str, int] = field(default_factory=dict)
    first: Step | None = None
    steps: tuple[Step, ...] = ()
    on: date | None = None

    def __post_init__(self) -> None:
        """Refuse a name."""
        if self.name == "none":
            raise ValueError("it has no name")


def test_every_type_is_read() -> None:
    """JSON lists become tuples; float fields accept whole numbers, and null as NaN."""
    table = {
        "name": "a",
        "share": 3,
        "kind": "long",
        "checked": True,
        "words": ["b", "\ud800"],
        "span": [1, 2],
        "counts": {"c": 10**30},
        "first": {"size": 1, "rate": None},
        "steps": [{"size": 2}],
        "on": "2026-01-31",
    }
    assert record_of(Plan, table, "the plan") == Plan(
        "a", 3.0, "long", True, ("b", "\ud800"), (1, 2), {"c": 10**30}, Step(1, None), (Step(2),), date(2026, 1, 31)
    )
    assert math.isnan(record_of(Plan, {"name": "a", "share": None}, "the plan").share)
    assert record_of(tuple[Step, ...], [{"size": 1}, {"size": 2}], "steps") == (Step(1), Step(2))
    assert record_of(dict[str, str], {"title": "a"}, "a text") == {"title": "a"}


def test_a_lone_value_is_a_list_of_one_where_people_write() -> None:
    """Recipes may say `words = "a"`; in files of programs that is damage."""
    table = {"name": "a", "words": "b", "steps": {"size": 1}}
    assert record_of(Plan, table, "the plan", lone_values=True) == Plan("a", words=("b",), steps=(Step(1),))
    with pytest.raises(ValueError, match=r"^words is 'b'; expected a list$"):
        record_of(Plan, {"name": "a", "words": "b"}, "the plan")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "name is 3; expected a text"),
        ({"name": None}, "name is None; expected a text"),
        ({"name": "none"}, "it has no name"),
        ({"nmae": "a"}, "'nmae' is unknown in the plan; expected name, share, kind, checked"),
        ({"share": "1"}, "share is '1'; expected a number"),
        ({"share": True}, "share is True; expected a number"),
        ({"share": 10**400}, "share: Number out of range"),
        ({"kind": "wide"}, "kind is 'wide'; expected one of long, short"),
        ({"kind": []}, r"kind is \[\]; expected one of long, short"),
        ({"checked": 1}, "checked is 1; expected true or false"),
        ({"words": ["a", 5]}, "words is 5; expected a text"),
        ({"words": None}, "words is None; expected a list"),
        ({"span": [1]}, r"span is \[1\]; expected a list of length 2"),
        ({"counts": {"a": 1, "b": "two"}}, r"counts is \{'a': 1, 'b': 'two'\}; expected a whole number for each name"),
        ({"counts": [1]}, r"counts is \[1\]; expected a table of names and values"),
        ({"first": 1}, r"'first' must be a section \[first\]"),
        ({"first": {}}, r"'size' is missing in \[first\]"),
        ({"first": {"size": 1, "width": 2}}, r"'width' is unknown in \[first\]; expected size, rate"),
        ({"first": {"size": 1.5}}, "size is 1.5; expected a whole number"),
        ({"first": {"size": 1, "rate": "x" * 99}}, r"rate is 'x{59}…; expected a number"),
        ({"steps": [{"size": 1}, {"size": "2"}]}, "size is '2'; expected a whole number"),
        ({"steps": [{"size": 1}, 2]}, r"'steps' must be a section \[steps\]"),
        ({"on": 5}, "on is 5; expected a date, such as 2026-01-31"),
    ],
)
def test_faults_are_named(change: dict[str, Any], message: str) -> None:
    """The message has the key, its value, and the expected type."""
    with pytest.raises(ValueError, match=f"^{message}"):
        record_of(Plan, {"name": "a"} | change, "the plan")


@pytest.mark.parametrize("value", [[], None, "x", 5])
def test_what_is_no_table(value: object) -> None:
    """The message has the name of the table."""
    with pytest.raises(ValueError, match=r"^the plan is not a table$"):
        record_of(Plan, value, "the plan")


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with its format."""

    size: int
    format: int = 2


def test_formats(tmp_path: Path) -> None:
    """The format distinguishes a file of another release from a damaged one."""
    path = tmp_path / "stored.json"
    for number in (1, 2):
        path.write_text(json.dumps({"size": 3, "format": number}), "utf-8")
        assert read_record(path, Stored, formats=(1, 2)) == Stored(3, number)
    path.write_text('{"colour": 3, "format": 3}', "utf-8")
    with pytest.raises(OtherFormatError, match=r"^format 3 is another release's$"):
        read_record(path, Stored, formats=(1, 2))
    for damage in ("[]", "null", '{"size": 3}'):
        path.write_text(damage, "utf-8")
        with pytest.raises(ValueError, match=r"^'format' is missing in stored\.json$"):
            read_record(path, Stored, formats=(1, 2))
    path.write_text('{"size": 3, "format": true}', "utf-8")
    with pytest.raises(ValueError, match="format is True; expected a whole number"):
        read_record(path, Stored, formats=(1, 2))


@pytest.mark.parametrize(
    "content", ['{"words": ' + "[" * 100_000, '{"name": "a", "words": ' + "[" * 900 + "]" * 900 + "}"]
)
def test_deep_nesting_is_an_error_like_others(tmp_path: Path, content: str) -> None:
    """Nesting within and beyond the limit of Python's JSON reader."""
    path = tmp_path / "plan.json"
    path.write_text(content, "utf-8")
    with pytest.raises(ValueError, match=r"nested too deeply|words is \[\[\[.*…; expected a text"):
        read_record(path, Plan)
