"""Rows of a Parquet file, read and written in bounded memory."""

import os
from collections.abc import Generator, Iterator
from itertools import accumulate, chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import flush
from jobmatch_core.io.table_limits import (
    LARGEST_BATCH,
    LARGEST_ROW,
    check_names,
    check_width,
    most_unpacked,
    too_large_row,
)
from jobmatch_core.io.text_source import translated_damage

_PIECE = 5000  # rows in memory and in a row group when writing
_READ = 1000  # rows that are read at once
_MOST_ROWS = 10_000_000  # limit for files with less than a byte per row
_MOST_ITEMS = 1_000_000  # limit of list items for row groups with less than a byte per item

_KIND = "a Parquet file"
Record = dict[str, Any]


def read_parquet(path: Path) -> Generator[tuple[int, Record]]:
    """Yield the size of each row in bytes, and the row; raises as `parquet_batches`."""
    with path.open("rb") as file, translated_damage(path, _KIND):
        for batch in parquet_batches(file, path, rows=_READ):
            size = sum(_size(column) for column in batch.columns)
            yield from ((size // batch.num_rows, row) for row in batch.to_pylist())


def parquet_row_count(source: BinaryIO, path: Path) -> int:
    """Return the number of rows in the metadata of an opened Parquet file; raises DataFileError for another file."""
    with translated_damage(path, _KIND), pq.ParquetFile(source) as file:
        return int(file.metadata.num_rows)


def parquet_batches(
    source: BinaryIO, path: Path, *, rows: int, start: int = 0, stop: int | None = None
) -> Generator[pa.RecordBatch]:
    """Yield the rows from *start* to *stop* (exclusive, None for all) of an opened file in batches of at most *rows*.

    Batches of large rows are smaller; without rows there is one empty batch. *path* is for messages.

    Raises DataFileError if it is not a Parquet file, damaged, or beyond `table_limits`.
    """
    with translated_damage(path, _KIND):
        size = source.seek(0, os.SEEK_END)
        with pq.ParquetFile(source) as file:
            _check(path, size, file.metadata, file.schema_arrow)
            texts = [
                column.path
                for column in map(file.schema.column, range(len(file.schema)))
                if column.physical_type == "BYTE_ARRAY" and column.logical_type.type in ("STRING", "NONE")
            ]
            groups, number = _groups(file.metadata, start, stop)
        # Texts are read as dictionaries, so that the size of rows is known before they are made: a file of some
        # kilobytes may have one long text in a million rows.
        with pq.ParquetFile(source, read_dictionary=texts) as file:
            for batch in file.iter_batches(batch_size=rows, row_groups=groups):
                first = min(max(start - number, 0), batch.num_rows)
                last = batch.num_rows if stop is None else max(stop - number, first)
                number += batch.num_rows
                if (wanted := batch.slice(first, last - first)).num_rows:
                    yield from map(_written_out, _pieces(path, wanted))
            if not groups:
                yield _written_out(pa.RecordBatch.from_pylist([], schema=file.schema_arrow))


def _groups(metadata: pq.FileMetaData, start: int, stop: int | None) -> tuple[list[int], int]:
    # the row groups with rows from start to stop, and the number of their first row
    sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    ends = list(accumulate(sizes))
    groups = [
        group
        for group, (size, end) in enumerate(zip(sizes, ends, strict=True))
        if end > start and (stop is None or end - size < stop)
    ]
    return groups, ends[groups[0]] - sizes[groups[0]] if groups else 0


def _check(path: Path, size: int, metadata: pq.FileMetaData, schema: pa.Schema) -> None:
    check_width(path, metadata.num_columns)
    check_names(path, schema.names)
    if metadata.num_rows > max(_MOST_ROWS, size):
        raise DataFileError(
            path, f"it has {metadata.num_rows:,} rows, more than its size allows; save the table as CSV"
        )
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            packed = column.total_compressed_size
            if column.total_uncompressed_size > most_unpacked(packed):
                unpacked = f"{column.total_uncompressed_size / 2**30:.1f} GB"
                raise DataFileError(path, f"a column unpacks to {unpacked}, more than the limit; save the table as CSV")
            if column.num_values > max(group.num_rows, _MOST_ITEMS, packed):
                raise DataFileError(path, f"a column has lists of {column.num_values:,} items; save the table as CSV")


def _pieces(path: Path, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    # pieces that fit into memory as rows
    size = sum(_size(column) for column in batch.columns)
    if batch.num_rows == 1 and size > LARGEST_ROW:
        raise too_large_row(path)
    if batch.num_rows <= 1 or size <= LARGEST_BATCH:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces(path, batch.slice(0, half))
    yield from _pieces(path, batch.slice(half))


def _written_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    # iterating over texts is faster than over dictionaries
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _size(values: pa.Array) -> int:
    # bytes of values with all texts written out
    kind = values.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(values.dictionary)
        return pc.sum(lengths.take(values.indices.drop_null())).as_py() or 0
    if pa.types.is_struct(kind):
        return sum(_size(field) for field in values.flatten())
    if pa.types.is_nested(kind):  # lists of all types, and maps
        return _size(values.flatten())
    return int(values.nbytes)


def write_parquet(path: Path, rows: Iterator[Record], given: pa.Schema | None = None) -> int:
    """Write rows of any types and columns into one Parquet file; return the number of rows.

    Columns have the types of *given*, or types that fit all rows; a column without values becomes one of texts.

    Raises DataFileError if the rows do not fit one schema.
    """
    # Pieces are written first, because the last row may have another type or column than all before.
    with TemporaryDirectory(prefix=f".{path.name}.tmp-", dir=path.parent) as folder:
        pieces: list[Path] = []
        schema = pa.schema([])
        count = 0
        try:
            for batch in batches(rows, _PIECE):
                pieces.append(Path(folder, f"{len(pieces)}.parquet"))
                pq.write_table(_arrow_table(batch, given), pieces[-1])
                schema = pa.unify_schemas([schema, pq.read_schema(pieces[-1])], promote_options="permissive")
                count += len(batch)
            _join_pieces(Path(folder, path.name), _typed(schema), pieces)
        except (pa.ArrowException, OverflowError) as error:
            raise DataFileError(
                path, f"the rows do not fit one Parquet schema ({error}); write .csv or .jsonl"
            ) from error
        flush(Path(folder, path.name))
        Path(folder, path.name).replace(path)
        flush(path.parent)
    return count


def _arrow_table(batch: list[Record], given: pa.Schema | None) -> pa.Table:
    types = {field.name: field.type for field in given or ()}
    names = dict.fromkeys(chain.from_iterable(batch))
    return pa.table({name: pa.array([row.get(name) for row in batch], types.get(name)) for name in names})


def _typed(schema: pa.Schema) -> pa.Schema:
    # readers refuse a column of type null beside texts of another file
    types = {field.name: pa.string() if pa.types.is_null(field.type) else field.type for field in schema}
    return pa.schema(types)


def _join_pieces(path: Path, schema: pa.Schema, pieces: list[Path]) -> None:
    with pq.ParquetWriter(path, schema) as writer:
        for piece in pieces:
            tables = [schema.empty_table(), pq.read_table(piece)]
            writer.write_table(pa.concat_tables(tables, promote_options="permissive"))


def batches(rows: Iterator[Record], size: int) -> Iterator[list[Record]]:
    """Yield rows in lists of *size*; the last list may be shorter."""
    while batch := list(islice(rows, size)):
        yield batch
