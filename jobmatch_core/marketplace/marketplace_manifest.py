"""Manifest of a stored marketplace."""

from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text

FORMAT = 1  # raised when the Parquet layout changes; older ones must then be made or imported again


@dataclass(frozen=True, slots=True)
class MarketplaceManifest:
    """Name, origin, counts and hashes.

    Attributes:
        name: name of the marketplace and its folder.
        generated: true for a synthetic marketplace.
        origin: generator, seed, taxonomy and languages of a generated one; files of an imported one.
        counts: numbers of projects, freelancers, interactions, positive (interactions).
        hashes: SHA-256 of each Parquet file.
        created: ISO 8601, UTC.
    """

    name: str
    generated: bool
    origin: dict[str, str]
    counts: dict[str, int]
    hashes: dict[str, str]
    created: str
    format: int = FORMAT

    def save(self, folder: Path) -> None:
        """Write `manifest.json`."""
        (folder / "manifest.json").write_text(json_text(asdict(self), indent=2, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "MarketplaceManifest":
        """Read `manifest.json`.

        Raises:
            MarketplaceError: the manifest is missing, damaged, or of another format.
        """
        try:
            return read_record(folder / "manifest.json", cls, formats=(FORMAT,))
        except OtherFormatError as error:
            raise MarketplaceError(
                f"The marketplace {folder.name} was stored by another release; remove it and make or import it again."
            ) from error
        except (OSError, ValueError) as error:
            raise MarketplaceError(
                f"The marketplace {folder.name} is damaged ({error}); remove it and make or import it again."
            ) from error
