"""Linking of Arrow record batches and of tables larger than memory, part by part, by any engine.

The same batches give the same bytes on every engine. Each part of the input becomes one Parquet file, which appears
when it is complete; its metadata names the index, model and options. A folder never mixes parts of different jobs.
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
from jobmatch_core.errors import EngineError, LinkingError
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
from jobmatch_core.io.tables import Record, cell_text, no_column
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.coding import CodeForm
from jobmatch_core.linking.context import Titled
from jobmatch_core.linking.link_rows import beside, link_columns
from jobmatch_core.linking.store import LinkerSpec

Manifest = dict[str, Any]

WINDOW = 20_000  # rows per batch; repeated titles in a batch are linked once, larger batches save little more
_LINKED = {"uri": pa.string(), "name": pa.string(), "isco": pa.string(), "probability": pa.float64()}
_NO_TEXTS = {
    "link_probability": pa.float64(),
    "link_code_probability": pa.float64(),
    "link_alternatives": pa.list_(pa.struct(_LINKED)),
    "link_jobs": pa.list_(pa.struct({"title": pa.string(), "level": pa.string()} | _LINKED)),
}
LINK_SCHEMA = pa.schema(  # independent of the values, so that all files of links have the same
    [(name, _NO_TEXTS.get(name, pa.string())) for name in link_columns(LinkResult("", (), True, None, "", ()))]
)
_TABLE = Path("this table")  # a batch has no name
MANIFEST = "jobmatch"  # key of the metadata of each part
_RESUME = "run the command again with --resume"


@dataclass(frozen=True, slots=True)
class BatchLinker:
    """Links the titles of record batches; `link_batches` has the signature of Spark's `mapInArrow`."""

    spec: LinkerSpec  # opened in the process that links
    column: str

    def link_batches(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield each batch with the columns of its links (docs/cli.md) added.

        Repeated titles in a batch are linked once: batches of about 20,000 rows are best.

        Raises:
            DataFileError: the column is missing, or it holds no texts.
            JobMatchError: the linker cannot be opened.
        """
        for batch in batches:
            yield self._linked(batch)

    def link_records(self, titles: Sequence[Titled]) -> list[Record]:
        """Return the columns of each title's link; raises JobMatchError if the linker cannot be opened."""
        return linked_once(self.spec.link, titles, self.spec.code_form)

    def provenance(self) -> dict[str, object]:
        """Return the provenance of the links, see `LinkerSpec.provenance`."""
        return self.spec.provenance() | {"column": self.column, "format": str(LINK_SCHEMA)}

    def schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of linked batches, from that of the input."""
        return self._linked(pa.RecordBatch.from_pylist([], schema=source)).schema

    def _linked(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self.column not in batch.schema.names:
            raise no_column(_TABLE, self.column, batch.schema.names)
        context = self.spec.context
        context.check(_TABLE, batch.schema.names)
        cells = batch.select(list(dict.fromkeys([self.column, *context.names]))).to_pylist()
        titles = [context.titled(cell_text(row[self.column]), row) for row in cells]
        numbers: dict[Titled, int] = {}
        of_row = [numbers.setdefault(title, len(numbers)) for title in titles]
        distinct = pa.RecordBatch.from_pylist(self.link_records(list(numbers)), schema=LINK_SCHEMA)
        links = distinct.take(pa.array(of_row, pa.int64()))
        return pa.RecordBatch.from_pydict(beside(_columns(batch), _columns(links)))


def linked_once(
    link: Callable[[Sequence[Titled]], list[LinkResult]],
    titles: Sequence[Titled],
    code_form: CodeForm = CodeForm.SHORT,
) -> list[Record]:
    """Return the columns of each title's link; each distinct title, or title in its context, is linked once."""
    distinct = list(dict.fromkeys(titles))
    with threadpool_limits(limits=1):  # sums must not depend on the number of cores
        results = link(distinct)
    by_title = {title: link_columns(result, code_form) for title, result in zip(distinct, results, strict=True)}
    return [by_title[title] for title in titles]


def _columns(batch: pa.RecordBatch) -> Record:
    return dict(zip(batch.schema.names, batch.columns, strict=True))


@dataclass(frozen=True, slots=True)
class JobReport:
    """Finished job: all parts in its folder, the parts that this run linked, and the rows of all parts."""

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
        linker: links the titles.
        source: a folder of Parquet and CSV files, or one large file; a local path or an fsspec URL.
        out: output folder, a path or URL likewise; created if missing.
        engine: engine that runs the parts; this process by default.
        resume: keep finished parts, unless their source changed.
        progress: called with parts done and parts in total.

    Raises:
        DataFileError: the source cannot be read, or has no such column.
        LinkingError: the folder has parts and *resume* is false, or parts of another index, model or options; a part
            cannot be written, or a worker was lost.
    """
    _check_apart(source, out)
    provenance = linker.provenance()
    finished = _finished(out, provenance, resume=resume)
    total = count_parts(source, layout)
    reused: list[int] = []  # rows of each finished part

    def missing() -> Iterator[TablePart]:
        for part in table_parts(source, layout):
            manifest = finished.get(part.name)
            if manifest and manifest["source"] == part.identity:
                reused.append(manifest["rows"])
            else:
                yield part

    linked: list[int] = []
    try:
        for rows in (engine or InProcess()).map(partial(_link_part, linker, out, layout, provenance), missing()):
            linked.append(rows)
            progress(len(reused) + len(linked), total)
    except EngineError as error:
        raise LinkingError(f"{error} {_RESUME.capitalize()}, which keeps what is done.") from error
    return JobReport(len(reused) + len(linked), len(linked), sum(reused) + sum(linked))


def _link_part(linker: BatchLinker, out: str, layout: CsvLayout, provenance: Manifest, part: TablePart) -> int:
    """Link and write a part, in any process; return its number of rows."""
    if differing := _differing(linker.provenance(), provenance):
        raise LinkingError(
            f"A worker's {differing} differs from that of the process that started the job; give every worker the same "
            "release of jobmatch and the same JOBMATCH_HOME."
        )
    described = provenance | {"source": part.identity}
    finished = _manifest_at(out, part)  # by a worker that was lost before it reported
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
    """Return the manifests of the finished parts by name; remove incomplete files."""
    system, root = place_of(out)
    manifests: dict[str, Manifest] = {}
    left_over: list[str] = []
    for path in (f"{folder}/{name}" for folder, _, names in system.walk(root) for name in sorted(names)):
        name = str(PurePosixPath(path).relative_to(root))
        if re.fullmatch(LEFT_OVER, PurePosixPath(path).name):
            left_over.append(path)
            continue
        manifests[name] = _manifest(system, path, name)
    if manifests and not resume:
        raise LinkingError(
            f"{out} has {len(manifests):,} parts already; {_RESUME} to keep them, or give another --out."
        )
    for name, manifest in manifests.items():
        if manifest and (differing := _differing(manifest, provenance)):
            raise LinkingError(
                f"{name} in {out} was linked with another {differing}; parts of two jobs must not mix. Give "
                "another --out."
            )
    for path in left_over:
        system.rm(path)
    return manifests


def _manifest_at(out: str, part: TablePart) -> Manifest:
    """Return the manifest of an existing part; empty if it is missing, damaged or unreadable."""
    system, path = place_of(f"{out}/{part.name}")
    try:
        return _manifest(system, path, part.name) if system.exists(path) else {}
    except OSError:
        return {}


def _manifest(system: AbstractFileSystem, path: str, name: str) -> Manifest:
    """Return a part's manifest; empty if the part is damaged, so that it is linked again.

    Raises LinkingError if it is some other file, which must not be replaced.
    """
    try:
        with system.open(path, "rb") as file:
            metadata = pq.read_metadata(file).metadata or {}
    except (pa.ArrowException, OSError):
        metadata = {MANIFEST.encode(): b"{}"} if name.endswith(".parquet") else {}
    if MANIFEST.encode() not in metadata:
        raise LinkingError(f"{name} is in the output folder, but was not written by jobmatch; give another --out.")
    manifest: Manifest = json.loads(metadata[MANIFEST.encode()])
    return manifest


def _differing(manifest: Manifest, provenance: Manifest) -> str:
    """Name the keys in which a part's manifest differs from a job's; '' if none does."""
    return " and ".join(key for key, value in provenance.items() if manifest.get(key) != value)


def _check_apart(source: str, out: str) -> None:
    """Refuse an output inside the input, which the next run would read, and an input inside the output."""
    (system, read), (other, written) = place_of(source), place_of(out)
    if type(system) is type(other) and (
        PurePosixPath(written).is_relative_to(read) or PurePosixPath(read).is_relative_to(written)
    ):
        raise LinkingError(f"{out} and {source} overlap; give another --out.")
