"""Linking of Arrow record batches, the unit of work of every engine, and of tables that are larger than the memory.

`BatchLinker` has the signature of Spark's `mapInArrow`. Its answers do not depend on the engine: the same batches
give the same bytes, however many processes share the machine.

A job links a table part by part and can be resumed. Each part of the input becomes one Parquet file, which appears only
when it is complete, and says in its metadata by which index, model and options it was linked. A folder never has parts
of two.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from fsspec import AbstractFileSystem
from threadpoolctl import threadpool_limits

from jobmatch_core.engines import Engine, InProcess
from jobmatch_core.entities import LinkResult, Progress, no_progress
from jobmatch_core.errors import DataFileError, EngineError, LinkingError
from jobmatch_core.io.table_parts import (
    LEFT_OVER,
    UTF8_LAYOUT,
    CsvLayout,
    TablePart,
    count_parts,
    file_at,
    place_of,
    table_parts,
)
from jobmatch_core.io.tables import Record, cell_text, listed
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.link_rows import beside, link_columns
from jobmatch_core.linking.store import LinkerSpec

WINDOW = 20_000  # rows among which a title that recurs is linked once; more take memory and find few further ones
_LINKED = {"uri": pa.string(), "name": pa.string(), "isco": pa.string(), "probability": pa.float64()}
_NO_TEXTS = {
    "link_probability": pa.float64(),
    "link_alternatives": pa.list_(pa.struct(_LINKED)),
    "link_jobs": pa.list_(pa.struct({"title": pa.string(), "level": pa.string()} | _LINKED)),
}
LINK_SCHEMA = pa.schema(  # does not depend on the values: files of links fit beside each other
    [(name, _NO_TEXTS.get(name, pa.string())) for name in link_columns(LinkResult("", (), True, None, "", ()))]
)
MANIFEST = "jobmatch"  # key of the metadata of each part
_RESUME = "run the command again with --resume"


@dataclass(frozen=True, slots=True)
class BatchLinker:
    """Links the titles of record batches.

    Attributes:
        spec: the linker, opened where the batches are.
        column: column with the titles.
    """

    spec: LinkerSpec
    column: str

    def link_batches(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield each batch with the columns of its links (docs/cli.md) beside its own; row by row, in order.

        A title that recurs within a batch is linked once: batches of some 20,000 rows are best.

        Raises:
            DataFileError: there is no such column, or it holds no texts.
            JobMatchError: the linker cannot be opened here.
        """
        for batch in batches:
            yield self._linked(batch)

    def link_records(self, titles: Sequence[str]) -> list[Record]:
        """Return the columns of each title's link; raises JobMatchError where the linker cannot be opened here."""
        return linked_once(self.spec.link, titles)

    def provenance(self) -> dict[str, object]:
        """Return the identity of the links, see `LinkerSpec.provenance`."""
        return self.spec.provenance() | {"column": self.column, "format": str(LINK_SCHEMA)}

    def schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of linked batches, for engines that ask for it, from that of the batches."""
        return self._linked(pa.RecordBatch.from_pylist([], schema=source)).schema

    def _linked(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self.column not in batch.schema.names:
            have = listed(batch.schema.names)
            raise DataFileError(Path("this table"), f"there is no column {self.column!r}; it has {have}")
        titles = [cell_text(cell) for cell in batch.column(self.column).to_pylist()]
        numbers: dict[str, int] = {}
        of_row = [numbers.setdefault(title, len(numbers)) for title in titles]
        distinct = pa.RecordBatch.from_pylist(self.link_records(list(numbers)), schema=LINK_SCHEMA)
        links = distinct.take(pa.array(of_row, pa.int64()))
        return pa.RecordBatch.from_pydict(beside(_columns(batch), _columns(links)))


def linked_once(link: Callable[[Sequence[str]], list[LinkResult]], titles: Sequence[str]) -> list[Record]:
    """Return the columns of each title's link; each distinct title is linked once.

    One thread does the linear algebra: sums must not depend on the number of cores.
    """
    distinct = list(dict.fromkeys(titles))
    with threadpool_limits(limits=1):
        results = link(distinct)
    by_title = {title: link_columns(result) for title, result in zip(distinct, results, strict=True)}
    return [by_title[title] for title in titles]


def _columns(batch: pa.RecordBatch) -> Record:
    return dict(zip(batch.schema.names, batch.columns, strict=True))


Manifest = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JobReport:
    """Finished job: the parts in its folder, those that this run linked, and the rows of all of them."""

    parts: int
    linked: int
    rows: int


def link_parts(
    linker: BatchLinker,
    source: str,
    out: str,
    *,
    layout: CsvLayout = UTF8_LAYOUT,
    engine: Engine | None = None,
    resume: bool = False,
    progress: Progress = no_progress,
) -> JobReport:
    """Link the parts of a large table into a folder of Parquet files.

    Args:
        linker: links the titles, wherever a part is.
        source: a folder of Parquet and CSV files, or a large one; a local path or an address that fsspec opens.
        out: the folder, likewise; made if missing.
        layout: layout of CSV files.
        engine: what works the parts off; this process by default.
        resume: keep the parts that are finished; those whose source changed are linked again.
        progress: called with parts done and parts in total.

    Raises:
        DataFileError: the source cannot be read, or has no such column.
        LinkingError: the folder has parts already and *resume* is false, or parts of another index, model or options;
            a part cannot be written, or a worker was lost.
    """
    _check_apart(source, out)
    provenance = linker.provenance()
    finished = _finished(out, provenance, resume=resume)
    total = count_parts(source, layout)
    kept: list[int] = []  # rows of each part

    def missing() -> Iterator[TablePart]:
        for part in table_parts(source, layout):
            manifest = finished.get(part.name)
            if manifest and manifest["source"] == part.identity:
                kept.append(manifest["rows"])
            else:
                yield part

    linked: list[int] = []
    try:
        for rows in (engine or InProcess()).map(partial(_link_part, linker, out, layout, provenance), missing()):
            linked.append(rows)
            progress(len(kept) + len(linked), total)
    except EngineError as error:
        raise LinkingError(f"{error} {_RESUME.capitalize()}, which keeps what is done.") from error
    return JobReport(len(kept) + len(linked), len(linked), sum(kept) + sum(linked))


def _link_part(linker: BatchLinker, out: str, layout: CsvLayout, provenance: Manifest, part: TablePart) -> int:
    """Link a part in whatever process and write it; return its rows."""
    if differing := _differing(linker.provenance(), provenance):
        raise LinkingError(
            f"A worker has another {differing} than the process that started the job; give every worker the same "
            "release of jobmatch and the same JOBMATCH_HOME."
        )
    described = provenance | {"source": part.identity}
    finished = _manifest_at(out, part)  # by a worker that was lost before it could say so
    if finished and not _differing(finished, described):
        return int(finished["rows"])
    batches = linker.link_batches(part.batches(WINDOW, layout))
    first = next(batches)
    rows = 0
    try:
        with file_at(f"{out}/{part.name}") as file, pq.ParquetWriter(file, first.schema) as writer:
            for batch in chain([first], batches):
                writer.write_batch(batch)
                rows += batch.num_rows
            writer.add_key_value_metadata({MANIFEST: json_text(described | {"rows": rows})})
    except OSError as error:
        reason = error.strerror or error
        raise LinkingError(f"{part.name} could not be written ({reason}); fix the cause and {_RESUME}.") from error
    return rows


def _finished(out: str, provenance: Manifest, *, resume: bool) -> dict[str, Manifest]:
    """Return the manifests of the finished parts by name; remove what was left half written."""
    system, root = place_of(out)
    found: dict[str, Manifest] = {}
    left_over: list[str] = []
    for path in _files(system, root):
        name = str(PurePosixPath(path).relative_to(root))
        if re.fullmatch(LEFT_OVER, PurePosixPath(path).name):
            left_over.append(path)
            continue
        found[name] = _manifest(system, path, name)
    if found and not resume:
        raise LinkingError(f"{out} has {len(found):,} parts already; {_RESUME} to keep them, or give another --out.")
    for name, manifest in found.items():
        if manifest and (differing := _differing(manifest, provenance)):
            raise LinkingError(
                f"{name} in {out} was linked by another {differing}, and parts of two must not mix; give another --out."
            )
    for path in left_over:
        system.rm(path)
    return found


def _files(system: AbstractFileSystem, root: str) -> Iterator[str]:
    """Yield the files in a folder and its folders."""
    for folder, _, names in system.walk(root):
        yield from (f"{folder}/{name}" for name in sorted(names))


def _manifest_at(out: str, part: TablePart) -> Manifest:
    """Return what a part that is there says of itself; nothing where it is missing, damaged or cannot be read."""
    system, path = place_of(f"{out}/{part.name}")
    try:
        return _manifest(system, path, part.name) if system.exists(path) else {}
    except OSError:
        return {}


def _manifest(system: AbstractFileSystem, path: str, name: str) -> Manifest:
    """Return what a part says of itself; nothing where it is damaged, and will be linked again.

    Raises:
        LinkingError: it is another file, which must not be replaced.
    """
    try:
        with system.open(path, "rb") as file:
            metadata = pq.read_metadata(file).metadata or {}
    except (pa.ArrowException, OSError):
        metadata = {MANIFEST.encode(): b"{}"} if name.endswith(".parquet") else {}
    if MANIFEST.encode() not in metadata:
        raise LinkingError(f"{name} is there already, and is no part that jobmatch linked; give a folder of its own.")
    manifest: Manifest = json.loads(metadata[MANIFEST.encode()])
    return manifest


def _differing(manifest: Manifest, provenance: Manifest) -> str:
    """Name what two manifests differ in, '' where they agree; parts have more keys than their job."""
    return " and ".join(key for key, value in provenance.items() if manifest.get(key) != value)


def _check_apart(source: str, out: str) -> None:
    """Refuse an output inside the input, which would be read by the next run, and the other way round."""
    (system, read), (other, written) = place_of(source), place_of(out)
    if type(system) is type(other) and (
        PurePosixPath(written).is_relative_to(read) or PurePosixPath(read).is_relative_to(written)
    ):
        raise LinkingError(f"{out} is where {source} lies; give the output a folder of its own.")
