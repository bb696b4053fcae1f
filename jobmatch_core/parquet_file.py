"""Rows written as one Parquet file, in bounded memory."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobmatch_core.errors import DataFileError
from jobmatch_core.folders import flush

_PIECE = 5000  # rows in memory, and in a row group

Record = dict[str, Any]


def write_parquet(path: Path, rows: Iterator[Record]) -> int:
    """Write rows of any types and columns into one Parquet file; return how many there were.

    Pieces are written first, because the last row may have another type or column than all before; then they are
    fitted together.

    Raises:
        DataFileError: the rows do not fit one schema.
    """
    with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        pieces: list[Path] = []
        schema = pa.schema([])
        count = 0
        try:
            for batch in batches(rows, _PIECE):
                pieces.append(Path(folder, f"{len(pieces)}.parquet"))
                pq.write_table(_arrow_table(batch), pieces[-1])
                schema = pa.unify_schemas([schema, pq.read_schema(pieces[-1])], promote_options="permissive")
                count += len(batch)
            _join_pieces(Path(folder, path.name), schema, pieces)
        except (pa.ArrowException, OverflowError) as error:
            raise DataFileError(
                path, f"the rows do not fit one Parquet schema ({error}); write .csv or .jsonl"
            ) from error
        flush(Path(folder, path.name))
        Path(folder, path.name).replace(path)
        flush(path.parent)
    return count


def _arrow_table(batch: list[Record]) -> pa.Table:
    names = dict.fromkeys(chain.from_iterable(batch))
    return pa.table({name: [row.get(name) for row in batch] for name in names})


def _join_pieces(path: Path, schema: pa.Schema, pieces: list[Path]) -> None:
    with pq.ParquetWriter(path, schema) as writer:
        for piece in pieces:
            tables = [schema.empty_table(), pq.read_table(piece)]
            writer.write_table(pa.concat_tables(tables, promote_options="permissive"))


def batches(rows: Iterator[Record], size: int) -> Iterator[list[Record]]:
    """Yield rows in lists of a size; the last list may be shorter."""
    while batch := list(islice(rows, size)):
        yield batch
