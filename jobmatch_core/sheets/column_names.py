"""Names of columns: of job titles, of other things, of either, and of variables in a survey's data.

`column_words.toml` lists usual names in many languages. Names that may be a person's or a job's, such as 'name', say
nothing about a column.
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
    """Return names of columns, folded.

    Args:
        kind: `TITLE` for columns of job titles, `OTHER` for columns beside them, `EITHER` for what both are called.
    """
    table = tomllib.loads((files("jobmatch_core.sheets") / "column_words.toml").read_text("utf-8"))
    return frozenset(fold(name) for names in table[kind].values() for name in names)


def is_title_name(name: str) -> bool:
    """Return whether a column name contains a usual name of job title columns."""
    if _is_of(TITLE, name):
        return True
    words = set(_split(name).split())
    return bool(words & _single(TITLE)) and not words & _single(OTHER)


def is_other_name(name: str) -> bool:
    """Return whether a column has a usual name of other columns."""
    if _is_of(TITLE, name) or _is_of(EITHER, name):
        return False
    return _is_of(OTHER, name) or bool(set(_split(name).split()) & _single(OTHER))


def is_column_name(cell: str) -> bool:
    """Return whether a cell is exactly a usual name of a column."""
    return any(_is_of(kind, cell) for kind in (TITLE, OTHER, EITHER))


def is_variable(cell: str) -> bool:
    """Return whether a cell looks like the name of a variable, such as `v12`, `soc2020` or `job_1`."""
    return _VARIABLE.fullmatch(cell.strip()) is not None


def _is_of(kind: str, name: str) -> bool:
    return fold(name) in column_words(kind) or _split(name) in column_words(kind)


def _split(name: str) -> str:
    """Return the folded words of a name; those of a variable's name stand without spaces."""
    return fold(_JOINED.sub(" ", name))


@cache
def _single(kind: str) -> frozenset[str]:
    return frozenset(name for name in column_words(kind) if " " not in name)
