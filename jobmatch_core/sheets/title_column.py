"""Detection of the column with job titles by its cells; its name is only a hint."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import mean

from jobmatch_core.sheets.cell_kinds import CellKind, cell_kind
from jobmatch_core.sheets.column_words import is_other_name, is_title_name
from jobmatch_core.sheets.occupation_words import names_occupation

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
