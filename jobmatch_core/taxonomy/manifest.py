"""Manifest of a stored taxonomy: name, version, languages, counts, source and attribution."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.text_files import json_text, read_json

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
            fields = {"notes": [], **read_json(folder / "manifest.json")}  # older ones have none
            if fields["format"] == FORMAT:  # other formats may have other fields
                return cls(**{**fields, "languages": _texts(fields, "languages"), "notes": _texts(fields, "notes")})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise TaxonomyError(
                f"The taxonomy in {folder.name} is damaged ({error}); remove it and import it again."
            ) from error
        taxonomy_id = fields.get("id", folder.name)
        raise TaxonomyError(f"The taxonomy {taxonomy_id} was stored by another release; import it again.")


def _texts(fields: dict[str, Any], key: str) -> tuple[str, ...]:
    if not isinstance(fields[key], list):
        raise TypeError(f"{key} are not a list")
    return tuple(fields[key])
