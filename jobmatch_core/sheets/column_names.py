"""Usual names of columns, listed in `column_words.toml`, and names of variables in survey data.

Names that may be a person's or a job's, such as 'name', say nothing about a column.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.text.folding import fold

TITLE, OTHER, EITHER = "title", "other", "either"
_VARIABLE = re.compile(r"[^\W\d_]+_?\d+\w*|[^\W\d_]+(?:_\w+)+")  # occ1, v12, soc2020, q7a, job_1, v13_txt
_JOINED = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=[a-z])(?=[A-Z])|[_\-.]")  # occ1, jobTitle, job_title


@cache
def column_words(kind: str) -> frozenset[str]:
    """Return folded column names of a kind: `TITLE` for job titles, `OTHER` for other columns, `EITHER` for both."""
    table = tomllib.loads((files("jobmatch_core.sheets") / "column_words.toml").read_text("utf-8"))
    return frozenset(fold(name) for names in table[kind].values() for name in names)


def is_title_name(name: str) -> bool:
    """Return whether a column name contains a usual name for job titles."""
    if _is_usual(TITLE, name):
        return True
    words = set(_split(name).split())
    return bool(words & _single(TITLE)) and not words & _single(OTHER)


def is_other_name(name: str) -> bool:
    """Return whether a column name contains a usual name for something else than job titles."""
    if _is_usual(TITLE, name) or _is_usual(EITHER, name):
        return False
    return _is_usual(OTHER, name) or bool(set(_split(name).split()) & _single(OTHER))


def is_column_name(cell: str) -> bool:
    """Return whether a cell is a usual column name."""
    return any(_is_usual(kind, cell) for kind in (TITLE, OTHER, EITHER))


def is_variable(cell: str) -> bool:
    """Return whether a cell looks like the name of a survey variable: `v12`, `soc2020`, `job_1`."""
    return _VARIABLE.fullmatch(cell.strip()) is not None


def _is_usual(kind: str, name: str) -> bool:
    return fold(name) in column_words(kind) or _split(name) in column_words(kind)


def _split(name: str) -> str:
    # words of a variable's name have no spaces between them
    return fold(_JOINED.sub(" ", name))


@cache
def _single(kind: str) -> frozenset[str]:
    return frozenset(name for name in column_words(kind) if " " not in name)
