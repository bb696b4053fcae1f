"""The formats that taxonomies are read from: one entry of `READERS` each, tried in their order."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.entities import Progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import esco
from jobmatch_core.taxonomy.custom import read_custom
from jobmatch_core.taxonomy.tables import TaxonomyContent


@dataclass(frozen=True, slots=True)
class Reader:
    """A format of taxonomies.

    Attributes:
        source: the source in words, for help and errors.
        example: name of a file of the format.
        recognised: returns the files to read in a folder, or of a file; none where it is not of the format.
        name: returns the taxonomy's name, where the user gives none.
        version: returns its version from its files, where the user gives none.
        read: reads the files; the progress is called with files read and files in total.
        attribution: sentence that its licence asks for.
        endings: endings of its files, for uploads.
    """

    source: str
    example: str
    recognised: Callable[[Path], list[Path]]
    name: Callable[[Path], str]
    version: Callable[[list[Path]], str]
    read: Callable[[list[Path], Progress], TaxonomyContent]
    attribution: str = ""
    endings: tuple[str, ...] = ("csv",)


def reader_of(source: Path) -> tuple[Reader, list[Path]]:
    """Return the first reader that recognises a folder or file, and the files that it would read.

    Raises:
        DataFileError: there is no such source, or no reader recognises it.
    """
    if not source.exists():
        raise DataFileError(source, "there is no such file or folder")
    for reader in READERS.values():
        if files := reader.recognised(source):
            return reader, files
    raise DataFileError(source, f"no taxonomy is recognised in this folder; expected {expected_sources()}")


def is_recognised(source: Path) -> bool:
    """Return whether some reader recognises a folder or file."""
    return any(reader.recognised(source) for reader in READERS.values())


def expected_sources() -> str:
    """Return what can be imported, in words."""
    return ", or ".join(f"{reader.source} such as {reader.example}" for reader in READERS.values())


def _esco_files(source: Path) -> list[Path]:
    return esco.esco_files(source) if source.is_dir() else []


def _read_one_csv(files: list[Path], progress: Progress) -> TaxonomyContent:
    return TaxonomyContent(read_custom(files[0], progress=progress))


READERS = {
    "esco": Reader(
        "a folder of ESCO's CSV files", "occupations_en.csv", _esco_files, lambda source: esco.NAME, esco.esco_version,
        lambda files, progress: esco.read_esco(files, progress=progress), esco.ATTRIBUTION,
    ),
    # last, because it takes any file: what is wrong in it is reported when it is read
    "csv": Reader(
        "one CSV of any other taxonomy", "jobs.csv", lambda source: [] if source.is_dir() else [source],
        lambda source: source.stem, lambda files: "1", _read_one_csv,
    ),
}  # fmt: skip
