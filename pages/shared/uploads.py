"""Uploaded tables: columns, encoding, header and first rows, read once for each file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.sheets.table_layout import TableSummary
from jobmatch_core.sheets.table_process import columns_apart, encodings_apart, header_apart, table_apart
from pages.shared.cache import cached


@contextmanager
def on_disk(files: Sequence[UploadedFile]) -> Iterator[Path]:
    """Write files to a temporary folder under their names, and remove it afterwards.

    Raises:
        DataFileError: two files have the same name, or a name is not a file name.
    """
    with temporary_folder() as folder:
        for file in files:
            path = folder / Path(file.name).name
            if path.exists() or path.name != file.name:
                raise DataFileError(file.name, "two uploaded files have this name, or it is not a file name")
            path.write_bytes(file.getbuffer())
        yield folder


@cached(lambda file, encoding: (file.file_id, encoding), most=20)
def columns(file: UploadedFile, encoding: str) -> list[str]:
    """Return the columns of an uploaded table; raises DataFileError as `tables.table_columns`."""
    with on_disk([file]) as folder:
        return columns_apart(folder / file.name, encoding)


@cached(lambda file: file.file_id, most=20)
def encodings(file: UploadedFile) -> list[str]:
    """Return the possible encodings of an uploaded table; raises DataFileError as `table_layout.table_encodings`."""
    with on_disk([file]) as folder:
        return encodings_apart(folder / file.name)


@cached(lambda file, encoding: (file.file_id, encoding), most=20)
def header(file: UploadedFile, encoding: str) -> int:
    """Return the row with the column names; raises DataFileError as `table_layout.guess_table_header`."""
    with on_disk([file]) as folder:
        return header_apart(folder / file.name, encoding)


@cached(
    lambda file, encoding, header_row, n_rows: (file.file_id, encoding, header_row, n_rows),
    most=2,  # with 100,000 rows, some 100 MB each
    spinner="Reading the file …",
)
def table(file: UploadedFile, encoding: str, header_row: int, n_rows: int) -> TableSummary:
    """Return the first rows of an uploaded table with their summary; raises as `table_process.table_apart`."""
    with on_disk([file]) as folder:
        return table_apart(folder / file.name, encoding=encoding, header_row=header_row, most_rows=n_rows)
