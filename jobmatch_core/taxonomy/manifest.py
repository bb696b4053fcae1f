"""Manifest of a stored taxonomy: name, version, languages, counts, source and attribution."""

from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text

FORMAT = 1  # raised when the Parquet layout changes; older ones must then be imported again


@dataclass(frozen=True, slots=True)
class Manifest:
    """Name, version, languages, counts, source and attribution of a taxonomy."""

    id: str
    name: str
    version: str
    languages: tuple[str, ...]
    counts: dict[str, int]  # occupations, groups, names, skills, relations
    source_hash: str  # SHA-256 over the files it was read from
    attribution: str
    created: str  # ISO 8601, UTC
    format: int = FORMAT
    notes: tuple[str, ...] = ()  # rows of its sources that were left out, in words

    def save(self, folder: Path) -> None:
        """Write `manifest.json`."""
        (folder / "manifest.json").write_text(json_text(asdict(self), indent=2, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read `manifest.json`.

        Raises:
            TaxonomyError: the manifest is missing, damaged, or of another format.
        """
        try:
            return read_record(folder / "manifest.json", cls, formats=(FORMAT,))
        except OtherFormatError as error:
            raise TaxonomyError(
                f"The taxonomy {folder.name} was stored by another release; import it again."
            ) from error
        except (OSError, ValueError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error
