"""Separators of CSV: detected where lines agree, or given."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.separators import checked_separator
from jobmatch_core.io.tables import first_rows, no_column, table_columns
from tests.core.io.made_tables import rows_of


@pytest.mark.parametrize("separator", ["^", "~", "¦", "§", "\x1f", "\x01"])
def test_rare_separator_is_detected(given_file: Callable[[str, str | bytes], Path], separator: str) -> None:
    """A rare separator is detected if all lines have equally many."""
    path = given_file("t.csv", "title^n\nNurse^1\nCook^2\n".replace("^", separator))
    assert rows_of(path) == [{"title": "Nurse", "n": "1"}, {"title": "Cook", "n": "2"}]
    assert first_rows(path, 1) == [["title", "n"]]


@pytest.mark.parametrize("content", ["title\nNurse ~ night\nCook\n", "title ~\nNurse\n", "title~n"])
def test_rare_sign_in_titles_separates_nothing(given_file: Callable[[str, str | bytes], Path], content: str) -> None:
    """A sign that only some lines have is part of the text."""
    assert len(table_columns_of(given_file("t.csv", content))) == 1


def table_columns_of(path: Path) -> list[str]:
    """Return the cells of the first row."""
    return first_rows(path, 1)[0]


@pytest.mark.parametrize("separator", [":", "#", " ", "x", ","])
def test_given_separator(given_file: Callable[[str, str | bytes], Path], separator: str) -> None:
    """Only the given sign separates."""
    path = given_file("t.csv", "title;y|n\nNurse;1|2\n".replace("|", separator))
    assert rows_of(path, separator=separator) == [{"title;y": "Nurse;1", "n": "2"}]
    assert table_columns(path, separator=separator) == ["title;y", "n"]


@pytest.mark.parametrize(
    ("given", "meant"), [("", ""), (";", ";"), ("\\t", "\t"), ("TAB", "\t"), ("\t", "\t"), ("pipe", "|"), (" ", " ")]
)
def test_names_of_separators(given: str, meant: str) -> None:
    """Names avoid typing a tab in a shell."""
    assert checked_separator(given) == meant


@pytest.mark.parametrize("given", ["||", '"', "\n", "a", "1", "\0"])
def test_what_separates_nothing(given: str) -> None:
    """Quotes, letters and several signs are refused."""
    with pytest.raises(SettingsError, match="cannot separate cells"):
        checked_separator(given)


def test_missing_column_by_the_separator() -> None:
    """The message suggests a wrong separator as the reason of a missing column."""
    error = no_column(Path("t.csv"), "title", ["id;title"], line=1)
    assert isinstance(error, DataFileError)
    assert str(error) == (
        "t.csv, line 1: there is no column 'title'; it has id;title; if ';' separates them, give it as the separator"
    )
