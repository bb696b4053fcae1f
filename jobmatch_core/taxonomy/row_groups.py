"""The rows of a table by the number in one of its columns, found without reading the whole table each time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Rows by number.

    Attributes:
        rows: (n_rows,) the rows in the order of their numbers; rows of one number stay in the table's order.
        starts: (n_numbers + 1,) where each number's rows begin in `rows`.
    """

    rows: NDArray[np.intp]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, column: "pd.Series[int]", n_numbers: int) -> "RowGroups":
        """Group the rows of a table by a column with numbers from 0 to `n_numbers - 1`."""
        numbers = column.to_numpy()
        rows = np.argsort(numbers, kind="stable")
        return cls(rows, np.searchsorted(numbers[rows], np.arange(n_numbers + 1)))

    def __getitem__(self, number: int) -> list[int]:
        """Return the rows of a number."""
        rows: list[int] = self.rows[self.starts[number] : self.starts[number + 1]].tolist()
        return rows
