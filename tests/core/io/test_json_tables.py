"""Tables as lists of JSON objects, in any layout; errors name the line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.io import json_rows
from jobmatch_core.io.tables import table_columns
from tests.core.io.made_tables import rows_of

_ROWS = [{"title": "Köchin", "skills": ["a", "b"]}, {"title": "Nurse [night], {x}", "skills": None}]


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "indented"])
@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_list_of_objects(
    given_file: Callable[[str, str | bytes], Path], monkeypatch: pytest.MonkeyPatch, indent: int | None, chunk: int
) -> None:
    """A list is read wherever the chunks end."""
    monkeypatch.setattr(json_rows, "_CHUNK", chunk)
    path = given_file("t.json", json.dumps(_ROWS, indent=indent, ensure_ascii=False))
    assert rows_of(path) == _ROWS
    assert table_columns(path) == ["title", "skills"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param('\ufeff[{"a": 1},\r\n {"a": 2}]\r\n', id="byte order mark and CRLF"),
        pytest.param('\n\n [{"a": 1}, {"a": 2}]', id="blanks in front"),
        pytest.param('{"a": 1}\n{"a": 2}\n', id="JSON lines called .json"),
    ],
)
def test_other_layouts(given_file: Callable[[str, str | bytes], Path], content: str) -> None:
    """Byte order marks, white space and JSON lines are accepted, too."""
    assert rows_of(given_file("t.json", content)) == [{"a": 1}, {"a": 2}]


def test_encoding_of_a_list(given_file: Callable[[str, str | bytes], Path]) -> None:
    """JSON in another encoding is read if the encoding is given."""
    path = given_file("t.json", '[{"a": "Köchin"}]'.encode("utf-16"))
    assert rows_of(path, encoding="utf-16") == [{"a": "Köchin"}]


def test_half_a_character_is_replaced(given_file: Callable[[str, str | bytes], Path]) -> None:
    """UTF-8 cannot encode half of a cut emoji."""
    assert rows_of(given_file("t.json", r'[{"a": "x\ud83d"}]')) == [{"a": "x\ufffd"}]


def test_empty_list(given_file: Callable[[str, str | bytes], Path]) -> None:
    """An empty list has no rows, and no columns."""
    assert rows_of(given_file("t.json", "[]")) == []
    with pytest.raises(DataFileError, match="no rows"):
        table_columns(given_file("t.json", " "))


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        pytest.param('[{"a": 1},\n{"a": 2}', 2, "this is not JSON", id="not closed"),
        pytest.param('[{"a": 1},\n{"a": 2', 2, "this is not JSON", id="cut in an object"),
        pytest.param('[{"a": 1},\n{"a": "x', 2, "Unterminated string", id="cut in a text"),
        pytest.param('[{"a": 1},\n{"a": 2,\n b: 3}]' + " " * 300, 3, "property name", id="no quotes"),
        pytest.param('["Nurse"]', 1, "expected a list of JSON objects", id="texts"),
        pytest.param('[{"a": 1},\n[1, 2]]', 2, "expected a list of JSON objects", id="a list in the list"),
        pytest.param("[" * 100_000, 1, "nested too deeply", id="nested"),
        pytest.param("title,n\nNurse,1\n", 1, "this is not JSON", id="a CSV"),
        pytest.param('[{"a": "' + "x" * (17 << 20) + '"}]', 1, "a row is over 16 MB", id="object of 17 MB"),
    ],
)
def test_broken_list(
    given_file: Callable[[str, str | bytes], Path], content: str, line: int | None, problem: str
) -> None:
    """The error names the line and the problem."""
    with pytest.raises(DataFileError, match=problem) as caught:
        rows_of(given_file("t.json", content))
    assert caught.value.line == line


def test_list_called_jsonl(given_file: Callable[[str, str | bytes], Path]) -> None:
    """The error for a list in a .jsonl file names the right ending."""
    with pytest.raises(DataFileError, match=r"ends in \.json"):
        rows_of(given_file("t.jsonl", '[{"a": 1}]'))
