"""Made-up titles for tables of any length: garbled names of a taxonomy, some of them frequent and most of them rare."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.linking.heldout import garbled

COLUMN = "title"
_SEED = 7
_ZIPF = 1.2  # exponent: rank k is as frequent as k ** -1.2


@dataclass(frozen=True, slots=True)
class MadeTitles:
    """Titles by number; the same number is the same title, and the memory is that of the names.

    Titles are drawn by Zipf's law, so that some three quarters of the rows of a part repeat others of it.

    Attributes:
        names: names of a taxonomy.
        count: how many titles there are; a few of them are the same text.
    """

    names: Sequence[str]
    count: int
    _words: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Gather the words that a title may gain."""
        object.__setattr__(self, "_words", [word for name in self.names for word in name.split()])

    def title(self, number: int) -> str:
        """Return a title."""
        random = np.random.default_rng((_SEED, number))
        return garbled(self.names[int(random.integers(len(self.names)))], self._words, random)

    def drawn(self, part: int, rows: int) -> tuple[np.ndarray, list[str]]:
        """Return the numbers and the titles of the rows of a part, the same each time."""
        random = np.random.default_rng((_SEED, part, rows))
        least = float(self.count + 1) ** (1 - _ZIPF)
        ranks = (1 - random.random(rows) * (1 - least)) ** (1 / (1 - _ZIPF))  # a continuous power law, by its inverse
        numbers = np.minimum(ranks.astype(np.int64), self.count) - 1
        distinct, of_row = np.unique(numbers, return_inverse=True)
        titles = [self.title(number) for number in distinct.tolist()]
        return distinct, [titles[place] for place in of_row.tolist()]


@dataclass(frozen=True, slots=True)
class MadeTable:
    """Counts of a written table: different titles in the table, and the sum of those in each part."""

    titles: int
    part_titles: int


def write_titles(made: MadeTitles, path: Path, rows: int, part_rows: int) -> MadeTable:
    """Write a Parquet file of titles, part by part; each part is a row group."""
    seen = np.zeros(made.count, dtype=bool)
    part_titles = 0
    schema = pa.schema([(COLUMN, pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for part, start in enumerate(range(0, rows, part_rows)):
            numbers, titles = made.drawn(part, min(part_rows, rows - start))
            writer.write_table(pa.table([titles], schema=schema))
            seen[numbers] = True
            part_titles += len(set(titles))
    return MadeTable(int(seen.sum()), part_titles)
