"""Detection of the row with the column names, which may be below a heading, or missing."""

from collections.abc import Sequence
from itertools import takewhile
from statistics import median

from jobmatch_core.sheets.column_names import TITLE, column_words, is_column_name, is_variable
from jobmatch_core.sheets.title_column import CellKind, cell_kind, usual_kind
from jobmatch_core.sheets.title_words import TitleWords, title_words
from jobmatch_core.text.folding import fold

NO_HEADER = 0
ROWS_LOOKED_AT = 60
_FULL = 0.6  # least share of the usual number of cells in a header, and of cells in it that look like names
_NAMED = 0.5  # least share of usual column names that makes a row a header, and of variables that makes a column one
Rows = Sequence[Sequence[str]]


def guess_header_row(rows: Rows, words: TitleWords | None = None) -> int:
    """Return the number of the row with the column names, from 1, or `NO_HEADER`.

    Args:
        rows: the first rows of a table as texts, including empty rows. A heading may stand above the header: a title, a
            date, empty rows, merged cells.
        words: words of occupation names, which headers do not contain; those of the bundled taxonomy by default.
    """
    rows = rows[:ROWS_LOOKED_AT]
    filled = [[cell for cell in row if cell.strip()] for row in rows]
    usual = median([len(cells) for cells in filled if cells] or [0])
    full = [number for number, cells in enumerate(filled, 1) if cells and len(cells) >= _FULL * usual]
    shares = {number: _share_of_usual_names(filled[number - 1]) for number in full}
    if (best := max(shares.values(), default=0.0)) >= _NAMED:
        return next(number for number in full if shares[number] == best)
    for number, cells in enumerate(filled[:-1], 1):
        if len(cells) == 1 and fold(cells[0]) in column_words(TITLE) and filled[number]:
            return number  # for example above titles with commas, whose parts look like several columns
    if not full:
        return NO_HEADER
    if usual < 2:
        return _above_titles(filled, full)
    below = list(takewhile(lambda number: _differs_in_kind(rows, number), full))
    if below:
        return below[-1]
    return full[0] if _names_other_things(rows, full[0], words or title_words()) else NO_HEADER


def _share_of_usual_names(cells: Sequence[str]) -> float:
    # a row with dates or addresses is a row of values
    if any(cell_kind(cell) in (CellKind.DATE, CellKind.ADDRESS) for cell in cells):
        return 0.0
    return sum(map(is_column_name, cells)) / len(cells)


def _above_titles(filled: Rows, full: Sequence[int]) -> int:
    # one column without a usual name: the first cell is the name of a variable, or a title
    first = filled[full[0] - 1][0]
    others = [filled[number - 1][0] for number in full[1:]]
    named = is_variable(first) and bool(others) and not any(map(is_variable, others))
    return full[0] if named else NO_HEADER


def _differs_in_kind(rows: Rows, number: int) -> bool:
    row, columns = _with_columns(rows, number)
    if not _has_names(row):
        return False
    kinds = sum(map(_differs, row, columns))
    return kinds > sum(cell in column for cell, column in zip(row, columns, strict=True))


def _names_other_things(rows: Rows, number: int, words: TitleWords) -> bool:
    row, columns = _with_columns(rows, number)
    repeated = any(cell in column for cell, column in zip(row, columns, strict=True))
    return _has_names(row) and not repeated and not any(map(words.has_word, row))


def _with_columns(rows: Rows, number: int) -> tuple[list[str], list[list[str]]]:
    # the filled cells of a row, and the cells below each
    row = rows[number - 1]
    places = [place for place, cell in enumerate(row) if cell.strip()]
    return [row[place] for place in places], [
        [other[place] for other in rows[number:] if place < len(other)] for place in places
    ]


def _has_names(row: Sequence[str]) -> bool:
    n_names = sum(cell_kind(cell) is CellKind.TEXT or is_variable(cell) or is_column_name(cell) for cell in row)
    return n_names >= _FULL * len(row) and len({fold(cell) for cell in row}) == len(row)


def _differs(cell: str, column: Sequence[str]) -> bool:
    below = usual_kind(column)
    if is_variable(cell) and below is not CellKind.EMPTY:
        return sum(map(is_variable, column)) < _NAMED * len(column)
    return cell_kind(cell) is CellKind.TEXT and below not in (CellKind.TEXT, CellKind.EMPTY)
