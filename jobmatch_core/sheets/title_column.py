"""Detection of the column with job titles by its cells; its name is only a hint.

Cells are texts, or numbers, dates, codes, addresses and others without a job title. Words of occupation names, in the
languages of the bundled taxonomy, speak for a column; usual names of columns, of job titles and of other things, are in
`column_words.toml`, in many languages.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import islice
from statistics import mean

from jobmatch_core.taxonomy.bundled import bundled_files
from jobmatch_core.taxonomy.rows import read_rows
from jobmatch_core.text.folding import fold


class CellKind(StrEnum):
    """Kind of a cell's content."""

    EMPTY = "empty"
    NUMBER = "number"
    DATE = "date"
    ADDRESS = "address"
    CODE = "code"
    TEXT = "text"


_NUMBER = re.compile(
    r"[(+\-~<>≈]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*\d[\d\s.,'’/%:()\-–]*\s*(?:[%$€£¥₹kKhM]|[A-Z]{3}|h\.?|hrs?|years?)?\)?"
)
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}[./\-]\d{1,2}[./\-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}"
    r"|\d{1,2}\.?[\s\-]\w{3,10}\.?[\s\-]\d{2,4}|\w{3,10}\.?\s(\d{1,2},?\s)?(19|20)\d{2}|\d{4}年\d{1,2}月(\d{1,2}日)?"
)
_ADDRESS = re.compile(r"\S+@\S+\.\S+|(https?://|www\.)\S+|\S+\.(com|org|net|de|fr|uk|eu)(/\S*)?", re.IGNORECASE)
_CODE = re.compile(
    r"(?=\S*\d)[A-Za-z0-9_\-./#:|]{2,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{1,4}\s?[\-#/]?\s?\d[\d\-/.]*"
    r"|[A-Z]{1,2}[+\-]?|[-–—./?*]+",
)  # fmt: skip


def cell_kind(text: str) -> CellKind:
    """Return a cell's kind; text without any letter is no text."""
    text = text.strip()
    if not text:
        return CellKind.EMPTY
    for kind, pattern in (
        (CellKind.DATE, _DATE),
        (CellKind.NUMBER, _NUMBER),
        (CellKind.ADDRESS, _ADDRESS),
        (CellKind.CODE, _CODE),
    ):
        if pattern.fullmatch(text):
            return kind
    return CellKind.TEXT if any(letter.isalpha() for letter in text) else CellKind.CODE


def usual_kind(cells: Iterable[str]) -> CellKind:
    """Return the commonest kind of the non-empty cells; `EMPTY` if all are empty."""
    counts = Counter(cell_kind(cell) for cell in cells)
    del counts[CellKind.EMPTY]
    return counts.most_common(1)[0][0] if counts else CellKind.EMPTY


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


_SHORTEST = 4  # letters; shorter words join others


def names_occupation(text: str) -> bool:
    """Return whether a text has a word of a bundled name of an occupation."""
    return not _occupation_words().isdisjoint(fold(text).split())


@cache
def _occupation_words() -> frozenset[str]:
    names = (
        name
        for path in bundled_files()
        for row in read_rows(path, ("preferred", "alternatives"))
        for name in (row["preferred"], *row["alternatives"].split("|"))
    )
    words = {word for name in names for word in fold(name).split() if len(word) >= _SHORTEST}
    return frozenset(words - column_words(TITLE) - column_words(OTHER))


_CELLS_LOOKED_AT = 200
_LEAST_TEXT = 0.5  # share of texts below which a column holds no titles
_LONGEST_TITLE = 12  # words on average, above which a column holds descriptions
_FEW = 5  # different values of a column of many rows, such as 'full time' and 'part time'
_WIDE_SCRIPT = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{3}")  # about a word, where no spaces stand
_COMPANY = re.compile(
    r"\b(?:gmbh|ag|kg|ltd|limited|inc|llc|corp|plc|s\.?a\.?r?\.?l?|s\.?p\.?a|b\.?v|n\.?v|oy|ab|sp\. z o\.?o)\b\.?$",
    re.IGNORECASE,
)


def title_column(columns: Mapping[str, Sequence[str]]) -> str | None:
    """Return the column that most likely has the job titles, or None where no column has texts.

    Args:
        columns: the cells of each column, by its name, in the order of the table.
    """
    points = {name: _points(name, cells) for name, cells in columns.items() if holds_text(cells)}
    return max(points, key=points.__getitem__, default=None)


def holds_text(cells: Sequence[str]) -> bool:
    """Return whether a column holds texts, and not numbers, dates, codes or addresses."""
    kinds = [kind for kind in map(cell_kind, _looked_at(cells)) if kind is not CellKind.EMPTY]
    return kinds.count(CellKind.TEXT) > _LEAST_TEXT * len(kinds)


def _points(name: str, cells: Sequence[str]) -> float:
    """Return how much a column of texts looks like job titles."""
    texts = _looked_at(cells)
    occupations = mean(names_occupation(text) for text in texts)
    hint = 1.5 if is_title_name(name) else -1.0 if is_other_name(name) else 0.0
    long = mean(map(_n_words, texts)) > _LONGEST_TITLE
    repeated = len(texts) > 4 * _FEW and len(set(texts)) <= _FEW
    companies = mean(_COMPANY.search(text) is not None for text in texts)
    return 2 * occupations + hint - 3 * long - repeated - companies


def _looked_at(cells: Sequence[str]) -> list[str]:
    return list(islice((cell.strip() for cell in cells if cell.strip()), _CELLS_LOOKED_AT))


def _n_words(text: str) -> int:
    return len(_WIDE_SCRIPT.sub(" word ", text).split())
