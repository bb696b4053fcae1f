"""Detection of the column with job titles by its cells; its name is only a hint.

Words of occupation names (`title_words`), different cells and few empty ones speak for a column.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from statistics import mean

from jobmatch_core.sheets.column_names import is_other_name, is_title_name
from jobmatch_core.sheets.title_words import WIDE_SCRIPT, TitleWords, title_words

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
    r"|[A-Z]{1,2}[+\-]?|[-–—./?*]+"
)
_CELLS_LOOKED_AT = 200
_LEAST_TEXT = 0.5  # share of texts up to which a column holds no titles
_LONG_TITLE = 6  # mean number of words, above which a column probably holds descriptions
_FEW = 5  # different values in many rows, such as 'full time' and 'part time'
_WIDE_SCRIPT = re.compile(f"[{WIDE_SCRIPT}]{{3}}")  # about one word
# prefixes of the columns that linking adds to a table; these hold occupation names, too
_ADDED = ("link_", "decided_", "esco_", "isco_group")
_COMPANY = re.compile(
    r"\b(?:gmbh|ag|kg|ltd|limited|inc|llc|corp|plc|s\.?a\.?r?\.?l?|s\.?p\.?a|b\.?v|n\.?v|oy|ab|sp\. z o\.?o)\b\.?$",
    re.IGNORECASE,
)


class CellKind(StrEnum):
    """Kind of a cell's content."""

    EMPTY = "empty"
    NUMBER = "number"
    DATE = "date"
    ADDRESS = "address"
    CODE = "code"
    TEXT = "text"


def cell_kind(text: str) -> CellKind:
    """Return a cell's kind; signs without letters are a code."""
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


def title_column(columns: Mapping[str, Sequence[str]], words: TitleWords | None = None) -> str | None:
    """Return the column, of column -> cells in order, that most likely has the job titles; None without texts.

    *words* are those of occupation names; by default those of the bundled taxonomy.
    """
    points = title_points(columns, words or title_words())
    return max(points, key=points.__getitem__, default=None)


def title_points(columns: Mapping[str, Sequence[str]], words: TitleWords) -> dict[str, float]:
    """Return column name -> points of likeness to job titles, for columns of texts; see `title_column`."""
    own = ((name, cells) for name, cells in columns.items() if not name.startswith(_ADDED))
    return {name: _points(name, cells, words) for name, cells in own if holds_text(cells)}


def holds_text(cells: Sequence[str]) -> bool:
    """Return whether a column holds texts rather than numbers, dates, codes or addresses."""
    kinds = [kind for kind in map(cell_kind, _looked_at(cells)) if kind is not CellKind.EMPTY]
    return kinds.count(CellKind.TEXT) > _LEAST_TEXT * len(kinds)


def _points(name: str, cells: Sequence[str], words: TitleWords) -> float:
    texts = _looked_at(cells)
    occupations = mean(map(words.likeness, texts))
    hint = 1.5 if is_title_name(name) else -1.0 if is_other_name(name) else 0.0
    n_words = mean(len(_WIDE_SCRIPT.sub(" word ", text).split()) for text in texts)
    long = min(max(n_words - _LONG_TITLE, 0) / 2, 3)
    different = len(set(texts)) / len(texts)
    repeated = len(texts) > 4 * _FEW and len(set(texts)) <= _FEW
    companies = mean(_COMPANY.search(text) is not None for text in texts)
    filled = min(len(texts) / len(cells[:_CELLS_LOOKED_AT]), 1.0)
    return occupations + hint + different / 2 + filled - long - repeated - companies


def _looked_at(cells: Sequence[str]) -> list[str]:
    return list(islice((cell.strip() for cell in cells if cell.strip()), _CELLS_LOOKED_AT))
