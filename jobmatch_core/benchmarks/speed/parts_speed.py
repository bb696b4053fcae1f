"""Speed and memory of linking a large table part by part, over made-up titles."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from jobmatch_core.benchmarks.speed.made_titles import COLUMN, MadeTitles, write_titles
from jobmatch_core.engines import Engine
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.io.table_parts import PART_ROWS
from jobmatch_core.linking.batches import BatchLinker
from jobmatch_core.linking.link_job import link_parts
from jobmatch_core.linking.linker_spec import LinkerSpec
from jobmatch_core.metrics.family_gauges import PeakWatch
from jobmatch_core.metrics.stopwatch import timed
from jobmatch_core.taxonomy import TaxonomyStore

_MB = 2**20
_EARLY = 10  # the first tenth of the parts; memory that grows with the rows is higher later


@dataclass(frozen=True, slots=True)
class PartsSpeed:
    """Seconds and megabytes of one run.

    Attributes:
        titles: different titles of the whole table.
        part_titles: different titles of each part, added up: as many were linked.
        make_s: making the table; its time is in no other figure.
        link_s: linking and writing all parts.
        parent_mb: highest resident memory of the process that gives out the parts.
        parent_early_mb: the same during the first tenth of the parts.
        workers_mb: highest memory of all worker processes together, shared pages counted in parts; 0 with one process.
        workers_early_mb: the same during the first tenth of the parts.
        input_mb: size of the table on disk.
        output_mb: size of the linked parts.
    """

    taxonomy: str
    rows: int
    parts: int
    titles: int
    part_titles: int
    make_s: float
    link_s: float
    rows_per_s: float
    titles_per_s: float
    parent_mb: float
    parent_early_mb: float
    workers_mb: float
    workers_early_mb: float
    input_mb: float
    output_mb: float


def measure_parts_speed(
    spec: LinkerSpec, engine: Engine, rows: int, titles: int, *, progress: Progress = no_progress
) -> PartsSpeed:
    """Make a table in a temporary folder and link it.

    Args:
        spec: the linker, opened before the engine's processes began; titles are made of its taxonomy's names.
        engine: what links the parts.
        rows: rows of the table.
        titles: titles to draw from.
        progress: called with parts done and parts in all.

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
            spec.taxonomy, report.rows, report.parts, table.titles, table.part_titles, make_s, link_s,
            report.rows / link_s, table.part_titles / link_s, parent_mb, early[0][0], workers_mb, early[0][1],
            source.stat().st_size / _MB, sum(path.stat().st_size for path in out.iterdir()) / _MB,
        )  # fmt: skip
