"""Linking of Arrow record batches: the unit of work that every engine runs, from one process to a cluster.

`link_batches` has the signature of Spark's `mapInArrow`. Its answers do not depend on the engine: the same batches
give the same bytes, however many processes share the machine.
"""

from collections.abc import Iterator, Sequence
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
        """Return the columns of each title's link; each distinct title is linked once."""
        distinct = list(dict.fromkeys(titles))
        by_title = dict(zip(distinct, self._distinct_records(distinct), strict=True))
        return [by_title[title] for title in titles]

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
        numbers: dict[str, int] = {}
        of_row = [numbers.setdefault(cell_text(cell), len(numbers)) for cell in batch.column(self.column).to_pylist()]
        distinct = pa.RecordBatch.from_pylist(self._distinct_records(list(numbers)), schema=LINK_SCHEMA)
        links = distinct.take(pa.array(of_row, pa.int64()))
        return pa.RecordBatch.from_pydict(beside(_columns(batch), _columns(links)))

    def _distinct_records(self, titles: list[str]) -> list[Record]:
        # one thread of linear algebra: sums must not depend on how many cores there are
        with threadpool_limits(limits=1):
            return [link_columns(result) for result in self.spec.link(titles)]


def _columns(batch: pa.RecordBatch) -> Record:
    return dict(zip(batch.schema.names, batch.columns, strict=True))
