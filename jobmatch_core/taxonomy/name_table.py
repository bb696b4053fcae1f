"""Names of numbered items, such as skills, in many languages, and the search among names by letters."""

from collections.abc import Sequence
from functools import cached_property
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.taxonomy.tables import RowGroups
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.text.packed_texts import PackedTexts

if TYPE_CHECKING:
    import pandas as pd


class NameTable:
    """Names by item number; read-only."""

    def __init__(self, table: "pd.DataFrame", column: str, n_numbers: int) -> None:
        """Wrap a table with `language`, `text` and `preferred`, and the numbers of items in a further column."""
        self._table = table
        self._column = column
        self._n_numbers = n_numbers

    @cached_property
    def texts(self) -> list[str]:
        """Texts of the names, by row."""
        return self._table["text"].to_list()

    @cached_property
    def languages(self) -> list[str]:
        """Languages of the names, by row."""
        return list(map(intern, self._table["language"].to_list()))  # one string a language, not one a row

    @cached_property
    def numbers(self) -> list[int]:
        """Item numbers of the names, by row."""
        return self._table[self._column].to_list()

    def name(self, number: int, language: str) -> str:
        """Return the preferred name in a language, else in English, else in any, else ''."""
        names = self._preferred.get(number, {})
        return names.get(language) or names.get(ENGLISH) or next(iter(names.values()), "")

    def names(self, number: int) -> tuple[SurfaceForm, ...]:
        """Return all names of an item."""
        texts, languages, preferred = self.texts, self.languages, self._preferred_flags
        return tuple(SurfaceForm(languages[row], texts[row], preferred[row]) for row in self._rows[number])

    def closest(self, letters: str, show: str, limit: int) -> list[int]:
        """Return the row of the closest name of each item that has a name with these letters; see `closest_rows`."""
        preferred = self._table["preferred"].to_numpy()
        rows = closest_rows(self._casefolded, self.languages, preferred, letters, show)
        return first_of_each(self._table[self._column].to_numpy(), rows, limit)

    @cached_property
    def _casefolded(self) -> PackedTexts:
        return PackedTexts.of(map(str.casefold, self.texts))

    @cached_property
    def _preferred_flags(self) -> list[bool]:
        return self._table["preferred"].to_list()

    @cached_property
    def _rows(self) -> RowGroups:
        return RowGroups.of(self._table[self._column], self._n_numbers)

    @cached_property
    def _preferred(self) -> dict[int, dict[str, str]]:
        names: dict[int, dict[str, str]] = {}
        rows = zip(self.numbers, self.languages, self.texts, self._preferred_flags, strict=True)
        for number, language, text, preferred in rows:
            if preferred:
                names.setdefault(number, {})[language] = text
        return names


def closest_rows(
    casefolded: PackedTexts, languages: Sequence[str], preferred: NDArray[np.bool_], letters: str, show: str
) -> NDArray[np.intp]:
    """Return the rows of names that contain the letters, the closest first; none for no letters."""
    wanted = letters.strip().casefold()
    if not wanted:
        return np.empty(0, np.intp)
    rows = casefolded.containing(wanted)
    begins, lengths = casefolded.compared(rows, wanted)
    elsewhere = np.array([languages[row] != show for row in rows.tolist()], dtype=bool)
    # the last key counts most; ties stay in the table's order
    order = np.lexsort((lengths, ~preferred[rows], lengths != len(wanted), elsewhere, ~begins))
    return rows[order]


def first_of_each(numbers: NDArray[np.integer[Any]], rows: NDArray[np.intp], limit: int) -> list[int]:
    """Return the first row of each number, in the order of the rows, from the number of each row."""
    _, places = np.unique(numbers[rows], return_index=True)
    chosen: list[int] = rows[np.sort(places)[:limit]].tolist()
    return chosen
