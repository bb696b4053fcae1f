"""Uploaded files, put on disk for as long as the core reads them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError


@contextmanager
def on_disk(files: Sequence[UploadedFile]) -> Iterator[Path]:
    """Give a temporary folder that holds the files under their names.

    Raises:
        DataFileError: two files have one name, or a name is no file name.
    """
    with TemporaryDirectory(prefix="jobmatch-") as name:
        folder = Path(name)
        for file in files:
            path = folder / Path(file.name).name
            if path.exists() or path.name != file.name:
                raise DataFileError(file.name, "two uploaded files have this name, or it is not a file's name")
            path.write_bytes(file.getbuffer())
        yield folder
