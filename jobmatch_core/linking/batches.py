"""Linking of Arrow record batches: the unit of work that every engine runs, from one process to a cluster.

`link_batches` has the signature of Spark's `mapInArrow`. Its answers do not depend on the engine: the same batches
give the same bytes, however many processes share the machine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from threadpoolctl import threadpool_limits

from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import Record, cell_text, listed
from jobmatch_core.linking.linker_spec import LinkerSpec
from jobmatch_core.linking.records import beside, link_columns

WINDOW = 20_000  # rows among which a title that recurs is linked once; more take memory and find few further ones
LINK_SCHEMA = pa.RecordBatch.from_pylist([link_columns(LinkResult("", (), True, None, "", ()))]).schema


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
        return self.spec.provenance() | {"column": self.column}

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
