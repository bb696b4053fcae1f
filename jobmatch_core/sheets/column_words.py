"""Usual names of columns, of job titles and of other things, in many languages."""

import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.text.folding import fold

TITLE, OTHER = "title", "other"


@cache
def column_words(kind: str) -> frozenset[str]:
    """Return names of columns, folded.

    Args:
        kind: `TITLE` for columns of job titles, `OTHER` for columns beside them.
    """
    table = tomllib.loads((files("jobmatch_core.sheets") / "column_words.toml").read_text("utf-8"))
    return frozenset(fold(name) for names in table[kind].values() for name in names)


def is_title_name(name: str) -> bool:
    """Return whether a column name contains a usual name of job title columns."""
    folded = _folded(name)
    if folded in column_words(TITLE):
        return True
    words = set(folded.split())
    return bool(words & _single(TITLE)) and not words & _single(OTHER)


def is_other_name(name: str) -> bool:
    """Return whether a column has a usual name of other columns."""
    folded = _folded(name)
    if folded in column_words(TITLE):
        return False
    return folded in column_words(OTHER) or bool(set(folded.split()) & _single(OTHER))


def is_column_name(cell: str) -> bool:
    """Return whether a cell is exactly a usual name of a column."""
    return _folded(cell) in column_words(TITLE) | column_words(OTHER)


def _folded(name: str) -> str:
    return fold(name.replace("_", " ").replace("-", " "))


@cache
def _single(kind: str) -> frozenset[str]:
    return frozenset(name for name in column_words(kind) if " " not in name)
