"""Detection of the row with the columns' names: the first, one below a heading, or none."""

from collections.abc import Sequence
from statistics import median

from jobmatch_core.sheets.cell_kinds import CellKind, cell_kind, usual_kind
from jobmatch_core.sheets.column_words import TITLE, column_words, is_column_name
from jobmatch_core.sheets.occupation_words import names_occupation
from jobmatch_core.text.folding import fold

NO_HEADER = 0
ROWS_LOOKED_AT = 60
_FULL = 0.6  # share of a usual row's cells from which a row is no heading
_KNOWN = 0.5  # share of a row's cells that are names of columns, from which it is a header

Rows = Sequence[Sequence[str]]


def guess_header_row(rows: Rows) -> int:
    """Return the number of the row with the columns' names, from 1, or `NO_HEADER`.

    Args:
        rows: the first rows of a table, cells as text, empty rows included. A heading above the header may be there:
            a title, a date, empty rows.
    """
    filled = [[cell for cell in row if cell.strip()] for row in rows[:ROWS_LOOKED_AT]]
    usual = median([len(cells) for cells in filled if cells] or [0])
    full = [number for number, cells in enumerate(filled, 1) if cells and len(cells) >= _FULL * usual]
    for number, cells in enumerate(filled, 1):
        if number in full and sum(map(is_column_name, cells)) >= _KNOWN * len(cells):
            return number
        if len(cells) == 1 and fold(cells[0]) in column_words(TITLE):
            return number  # above titles with commas, say, which look like several columns
    if not full or usual < 2:
        return NO_HEADER  # of one column without a known name, the first cell is a title like all others
    return full[0] if _names_columns(rows[full[0] - 1], rows[full[0] : ROWS_LOOKED_AT]) else NO_HEADER


def _names_columns(row: Sequence[str], below: Rows) -> bool:
    """Return whether a row contains the names of the columns below it."""
    cells = [cell for cell in row if cell.strip()]
    texts = [cell for cell in cells if cell_kind(cell) is CellKind.TEXT]
    if len(texts) < _FULL * len(cells) or len({fold(cell) for cell in cells}) < len(cells):
        return False
    columns = [[other[place] for other in below if place < len(other)] for place in range(len(row))]
    pairs = [(cell, column) for cell, column in zip(row, columns, strict=True) if cell.strip()]
    kinds = sum(_differs(cell, column) for cell, column in pairs)
    repeated = sum(cell in column for cell, column in pairs)
    return kinds > repeated or (kinds == repeated == 0 and not any(map(names_occupation, texts)))


def _differs(cell: str, column: Sequence[str]) -> bool:
    """Return whether a text differs in kind from the cells below it."""
    below = usual_kind(column)
    return cell_kind(cell) is CellKind.TEXT and below not in (CellKind.TEXT, CellKind.EMPTY)
