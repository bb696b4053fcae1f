"""Summary of a table: its rows, five values of each column, and the column with the titles."""

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
        name: name of the column.
        examples: its first five different values.
        n_filled: number of its cells that are not empty.
        has_text: true if it holds texts, and not numbers, dates, codes or addresses.
    """

    name: str
    examples: tuple[str, ...]
    n_filled: int
    has_text: bool


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table that was read.

    Attributes:
        rows: all rows.
        columns: summaries in the order of the table.
        title_column: name of the column that looks like job titles; None without one.
    """

    rows: Sequence[Record]
    columns: tuple[ColumnSummary, ...]
    title_column: str | None


def summarise_table(rows: Sequence[Record]) -> TableSummary:
    """Return the summary of a table."""
    columns = columns_of(rows)
    return TableSummary(rows, tuple(_summary(name, cells) for name, cells in columns.items()), title_column(columns))


def _summary(name: str, cells: Sequence[str]) -> ColumnSummary:
    filled = [cell for cell in cells if cell.strip()]
    return ColumnSummary(name, tuple(islice(dict.fromkeys(filled), _N_EXAMPLES)), len(filled), holds_text(filled))
