"""What a table that was read holds: its rows, five values of each column, and which column has the titles."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from jobmatch_core.io.tables import Record
from jobmatch_core.sheets.table_layout import columns_of
from jobmatch_core.sheets.title_column import holds_text, title_column

_N_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """One column of a table.

    Attributes:
        name: of the column.
        examples: its first five different values.
        n_filled: how many of its cells are not empty.
        has_text: whether it holds texts, and not numbers, dates, codes or addresses.
    """

    name: str
    examples: tuple[str, ...]
    n_filled: int
    has_text: bool


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table that was read.

    Attributes:
        rows: all of it.
        columns: in the order of the table.
        title_column: the name of the one that looks like job titles; None where none does.
    """

    rows: Sequence[Record]
    columns: tuple[ColumnSummary, ...]
    title_column: str | None


def summarise_table(rows: Sequence[Record]) -> TableSummary:
    """Sum up a table."""
    columns = columns_of(rows)
    return TableSummary(rows, tuple(_summary(name, cells) for name, cells in columns.items()), title_column(columns))


def _summary(name: str, cells: Sequence[str]) -> ColumnSummary:
    filled = [cell for cell in cells if cell.strip()]
    return ColumnSummary(name, tuple(islice(dict.fromkeys(filled), _N_EXAMPLES)), len(filled), holds_text(filled))
