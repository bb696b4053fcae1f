"""Parts of large tables, on a local path or any address that fsspec opens: read in batches, written atomically.

A folder of Parquet and CSV files has one part per file; a large file has one for every `PART_ROWS` rows.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from uuid import uuid4

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import atomic_file
from jobmatch_core.io.parquet_file import parquet_batches, parquet_row_count
from jobmatch_core.io.tables import first_rows, read_table, table_format
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.io.text_source import unpacked_name

PART_ROWS = 20_000  # of a large file: half a minute of linking, which is the work that an interruption may lose
LEFT_OVER = r"\..*\.tmp-[0-9a-f]{8}\.parquet"  # names of unfinished parts that a killed process leaves
_PARQUET, _CSV = "parquet", "csv"
_ENDINGS = (".parquet", ".pq", ".csv", ".tsv")
_SAMPLED = 1000  # rows for detecting the column of titles
_HIDDEN = (".", "_")  # prefixes of names that Spark and Arrow do not read either


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """Text encoding, header row and separator of CSV parts, as for `read_table`."""

    encoding: str = "utf-8-sig"
    header_row: int = 1
    separator: str = ""


UTF8_LAYOUT = CsvLayout()


@dataclass(frozen=True, slots=True)
class TablePart:
    """Part of a table."""

    name: str  # file name of its output, relative to the output folder
    address: str  # the file that contains it
    identity: str  # changes with the content
    start: int = 0  # number of its first row in the file, from 0
    stop: int | None = None  # number of the row after its last one; None for all
    rows: pa.Table | None = None  # its rows if already read; None to read them from the file

    def batches(self, rows: int, layout: CsvLayout) -> Iterator[pa.RecordBatch]:
        """Yield its rows in batches of at most *rows*; raises DataFileError as `read_table` and `parquet_batches`."""
        if self.rows is not None:
            return iter(self.rows.to_batches(max_chunksize=rows))
        if table_format(Path(self.address)) == _PARQUET:
            return self._parquet(rows)
        return _csv_batches(self.address, rows, layout)

    def _parquet(self, rows: int) -> Generator[pa.RecordBatch]:
        with _opened(self.address) as file:
            yield from parquet_batches(file, Path(self.address), rows=rows, start=self.start, stop=self.stop)


def place_of(address: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """Return the file system of an address and its path there; raises DataFileError for an unknown file system."""
    with _translated_errors(address):
        system, path = url_to_fs(address)
    return system, path


def table_files(address: str) -> list[str]:
    """Return the addresses of the Parquet and CSV files at an address; raises DataFileError if there is none."""
    with _translated_errors(address):
        system, root = place_of(address)
        if not system.isdir(root):
            if not system.exists(root):
                raise DataFileError(address, "there is no such file or folder")
            if table_format(Path(address)) not in (_PARQUET, _CSV):
                problem = "a folder of parts is made from .parquet or .csv; save the table as one of them"
                raise DataFileError(address, problem)
            return [system.unstrip_protocol(root)]
        tables = sorted(path for path in system.find(root) if _is_table(PurePosixPath(path).relative_to(root)))
        if not tables:
            raise DataFileError(address, "this folder has no .parquet and no .csv files")
        return [system.unstrip_protocol(path) for path in tables]


def count_parts(address: str, layout: CsvLayout) -> int:
    """Return the number of parts; reads a large CSV file completely. Raises as `table_files`."""
    files = table_files(address)
    if len(files) > 1:
        return len(files)
    return sum(1 for _ in table_parts(address, layout))


def table_parts(address: str, layout: CsvLayout) -> Iterator[TablePart]:
    """Yield the parts of a folder or of a large file, in order; raises as `table_files`."""
    files = table_files(address)
    system, root = place_of(address)
    if not system.isdir(root):
        yield from _file_parts(files[0], system.ukey(root), layout)
        return
    names: dict[str, str] = {}
    for file in files:
        path = PurePosixPath(place_of(file)[1])
        name = str(path.relative_to(root).with_name(unpacked_name(Path(path)).name).with_suffix(".parquet"))
        if name in names:
            raise DataFileError(
                file, f"its output would have the same name as that of {names[name]}; rename one of them"
            )
        names[name] = path.name
        yield TablePart(name, file, system.ukey(str(path)))


@contextmanager
def local_copy(address: str) -> Iterator[Path]:
    """Yield a local path of a file: its own, or that of a temporary copy."""
    if path_here := local_path(address):
        yield path_here
        return
    system, path = place_of(address)
    with temporary_folder() as folder:
        copy = folder / PurePosixPath(path).name
        with _translated_errors(address):
            system.get(path, str(copy))
        yield copy


@contextmanager
def local_sample(address: str) -> Iterator[Path]:
    """Yield a local path with at least the first rows of a file; raises DataFileError if it cannot be read."""
    if local_path(address) or table_format(Path(address)) != _PARQUET:
        with local_copy(address) as path:
            yield path
        return
    with temporary_folder() as folder, _opened(address) as file:
        sample = folder / PurePosixPath(address).name
        first = next(parquet_batches(file, Path(address), rows=_SAMPLED))
        pq.write_table(pa.Table.from_batches([first]), sample)
        yield sample


def local_path(address: str) -> Path | None:
    """Return the path of an address on this machine; None for one elsewhere. Raises as `place_of`."""
    system, path = place_of(address)
    return Path(path) if isinstance(system, LocalFileSystem) else None


@contextmanager
def file_at(address: str) -> Iterator[BinaryIO]:
    """Yield a file to write to, which appears at its address when the block succeeds, replacing an older one."""
    system, path = place_of(address)
    target = PurePosixPath(path)
    system.makedirs(str(target.parent), exist_ok=True)
    if path_here := local_path(address):
        with atomic_file(path_here) as temporary, temporary.open("wb") as file:
            yield file
        return
    temporary_path = str(target.with_name(f".{target.stem}.tmp-{uuid4().hex[:8]}{target.suffix}"))
    try:
        with system.open(temporary_path, "wb") as file:
            yield file
        system.mv(temporary_path, path)
    except BaseException:
        with suppress(OSError):
            system.rm(temporary_path)
        raise


def _file_parts(address: str, identity: str, layout: CsvLayout) -> Iterator[TablePart]:
    stem = unpacked_name(Path(address)).stem
    if table_format(Path(address)) == _PARQUET:
        with _opened(address) as file:
            n_rows = parquet_row_count(file, Path(address))
        for number, start in enumerate(range(0, max(n_rows, 1), PART_ROWS)):
            yield TablePart(_numbered(stem, number), address, identity, start, start + PART_ROWS)
        return
    with local_copy(address) as path:
        rows = read_table(path, **asdict(layout), batch_rows=PART_ROWS)
        for number, batch in enumerate(rows):
            yield TablePart(_numbered(stem, number), address, identity, rows=pa.Table.from_pylist(batch))


def _numbered(stem: str, number: int) -> str:
    return f"{stem}-{number:06}.parquet"


def _csv_batches(address: str, rows: int, layout: CsvLayout) -> Generator[pa.RecordBatch]:
    # all cells as texts; one empty batch without rows
    empty = True
    with local_copy(address) as path:
        for batch in read_table(path, **asdict(layout), batch_rows=rows):
            yield pa.RecordBatch.from_pylist(batch)
            empty = False
        if empty:
            first = first_rows(path, layout.header_row, encoding=layout.encoding, separator=layout.separator)
            header = first[layout.header_row - 1 :]
            yield pa.RecordBatch.from_pylist([], schema=pa.schema([(name, pa.string()) for name in chain(*header)]))


@contextmanager
def _opened(address: str) -> Iterator[BinaryIO]:
    with _translated_errors(address), fsspec.open(address, "rb") as file:
        yield file


@contextmanager
def _translated_errors(address: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise DataFileError(address, "there is no such file or folder") from error
    except (ImportError, ValueError) as error:  # of fsspec, for an unknown protocol or a missing package
        raise DataFileError(address, f"this address cannot be opened ({error})") from error
    except OSError as error:
        raise DataFileError(address, f"the file cannot be read ({error.strerror or error})") from error


def _is_table(path: PurePosixPath) -> bool:
    hidden = any(part.startswith(_HIDDEN) for part in path.parts)
    return not hidden and unpacked_name(Path(path)).suffix.lower() in _ENDINGS
