"""Speed and memory of linking a large table part by part, over made-up titles.

Made-up titles for tables of any length are garbled names of a taxonomy, some of them frequent and most of them rare.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.engines import Engine
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.io.table_parts import PART_ROWS
from jobmatch_core.linking.examples import garbled
from jobmatch_core.linking.link_job import BatchLinker, link_parts
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.taxonomy import TaxonomyStore
from lab.speed.process_gauges import PeakWatch

COLUMN = "title"
_SEED = 7
_ZIPF = 1.2  # exponent: rank k is as frequent as k ** -1.2
_MB = 2**20
_EARLY = 10  # the first tenth of the parts; memory that grows with the rows is higher later


@dataclass(frozen=True, slots=True)
class MadeTitles:
    """Titles by number; the same number is the same title, and the memory is that of the names.

    Titles are drawn by Zipf's law, so that some three quarters of the rows of a part repeat others of it.
    """

    names: Sequence[str]  # names of a taxonomy
    count: int  # number of titles; a few have equal texts
    _words: list[str] = field(init=False)

    def __post_init__(self) -> None:
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


@dataclass(frozen=True, slots=True)
class PartsSpeed:
    """Seconds and megabytes of one run."""

    taxonomy: str
    rows: int
    parts: int
    titles: int  # different titles of the whole table
    part_titles: int  # different titles of each part, added up: as many were linked
    make_s: float  # making the table; not part of the other times
    link_s: float  # linking and writing all parts
    rows_per_s: float
    titles_per_s: float
    parent_mb: float  # highest resident memory of the process that gives out the parts
    parent_early_mb: float  # the same during the first tenth of the parts
    # highest memory of all worker processes together, shared pages counted in parts; 0 with one process
    workers_mb: float
    workers_early_mb: float  # the same during the first tenth of the parts
    input_mb: float  # size of the table on disk
    output_mb: float  # size of the linked parts


def measure_parts_speed(
    spec: LinkerSpec, engine: Engine, rows: int, titles: int, *, progress: Progress = no_progress
) -> PartsSpeed:
    """Make a table in a temporary folder and link it.

    Args:
        spec: the linker, opened before the engine's processes began; titles are made of its taxonomy's names.
        engine: what links the parts.
        titles: titles to draw from.

    Raises:
        LinkingError: a part cannot be written, or a worker was lost.
    """
    made = MadeTitles(TaxonomyStore.open().load(spec.taxonomy).tables.names["text"].unique().tolist(), titles)
    early: list[tuple[float, float]] = []

    def follow(done: int, total: int) -> None:
        if not early and done * _EARLY >= total:
            early.append(watch.so_far())
        progress(done, total)

    with TemporaryDirectory() as folder:
        source, out = Path(folder, "titles.parquet"), Path(folder, "linked")
        make_s, table = timed(lambda: write_titles(made, source, rows, PART_ROWS))
        job = BatchLinker(spec, COLUMN)
        with PeakWatch() as watch:
            link_s, report = timed(lambda: link_parts(job, str(source), str(out), engine=engine, progress=follow))
        parent_mb, workers_mb = watch.so_far()
        return PartsSpeed(
            spec.taxonomy,
            report.rows,
            report.parts,
            table.titles,
            table.part_titles,
            make_s,
            link_s,
            report.rows / link_s,
            table.part_titles / link_s,
            parent_mb,
            early[0][0],
            workers_mb,
            early[0][1],
            source.stat().st_size / _MB,
            sum(path.stat().st_size for path in out.iterdir()) / _MB,
        )
