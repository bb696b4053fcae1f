"""The stored marketplaces, one folder each with a manifest; and facets, the filter values of their freelancers."""

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from jobmatch_core.entities import Freelancer
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.io.folders import atomic_folder, recover, remove_whole
from jobmatch_core.io.records import OtherFormatError, read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.marketplace.marketplace import (
    Marketplace,
    MarketplaceWriter,
    RecordBlock,
    hash_files,
    read_freelancers,
    read_marketplace,
)
from jobmatch_core.marketplace.stored_records import StoredRecords
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID

FORMAT = 1  # incremented when the Parquet layout changes; older marketplaces must then be stored again
_log = logging.getLogger(__name__)
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_COLUMNS = ("language", "country", "category", "family")
_NAMES = {"category": "category_name", "family": "family_name"}


@dataclass(frozen=True, slots=True)
class MarketplaceManifest:
    """Name, origin, counts and hashes."""

    name: str  # name of the marketplace and its folder
    generated: bool  # true for a synthetic marketplace
    # taxonomy of skills and categories; generator, seed and languages, or the files that were imported
    origin: dict[str, str]
    counts: dict[str, int]  # numbers of projects, freelancers, interactions, positive (interactions)
    hashes: dict[str, str]  # SHA-256 of each Parquet file
    created: str  # ISO 8601, UTC
    format: int = FORMAT

    @property
    def taxonomy(self) -> str:
        """Id of the taxonomy of its skills and categories."""
        return self.origin.get("taxonomy", BUNDLED_ID)

    def save(self, folder: Path) -> None:
        """Write `manifest.json`."""
        (folder / "manifest.json").write_text(json_text(asdict(self), indent=2, ensure_ascii=False), "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "MarketplaceManifest":
        """Read `manifest.json`; raises MarketplaceError if the manifest is missing, damaged, or of another format."""
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


class MarketplaceStore:
    """Lists, stores, loads and removes marketplaces under one folder."""

    def __init__(self, folder: Path) -> None:
        """Use *folder*, which is created on first use."""
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "MarketplaceStore":
        """Open the store under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).marketplaces)

    def installed(self) -> list[MarketplaceManifest]:
        """Return the manifests by name, without damaged ones."""
        recover(self._folder)
        return list(self._manifests()) if self._folder.is_dir() else []

    def manifest(self, name: str) -> MarketplaceManifest:
        """Return a marketplace's manifest; raises as `load`."""
        return MarketplaceManifest.load(self._existing(name))

    def load(self, name: str) -> Marketplace:
        """Open a marketplace; its records are read on demand.

        Raises MarketplaceError if no marketplace has that name, or it is damaged.
        """
        folder = self._existing(name)
        return read_marketplace(folder, name, generated=MarketplaceManifest.load(folder).generated)

    def freelancers(self, name: str) -> StoredRecords[Freelancer]:
        """Open only the freelancers of a marketplace; raises as `load`."""
        folder = self._existing(name)
        MarketplaceManifest.load(folder)
        return read_freelancers(folder)

    def save(
        self,
        name: str,
        blocks: Iterable[RecordBlock],
        *,
        origin: dict[str, str],
        generated: bool = False,
        replace: bool = False,
    ) -> MarketplaceManifest:
        """Store a marketplace block by block; if *blocks* raises an error, nothing is stored.

        Raises MarketplaceError if the name is invalid or taken, or the disk cannot be written.
        """
        self.refuse(name, replace=replace)
        try:
            with atomic_folder(self._folder / name, replace=replace) as folder:
                with MarketplaceWriter(folder, generated=generated) as writer:
                    for block in blocks:
                        writer.write(block)
                manifest = MarketplaceManifest(
                    name=name,
                    generated=generated,
                    origin=origin,
                    counts=writer.counts,
                    hashes=hash_files(folder),
                    created=datetime.now(UTC).isoformat(timespec="seconds"),
                )
                manifest.save(folder)
        except OSError as error:
            raise MarketplaceError(
                f"{name} could not be stored in {self._folder} ({error.strerror or error}); nothing was changed."
            ) from error
        return manifest

    def refuse(self, name: str, *, replace: bool) -> None:
        """Check a name as `save` does; raises MarketplaceError if the name is invalid or taken."""
        if not _NAME.fullmatch(name):
            raise MarketplaceError(
                f"{name!r} is not a valid name of a marketplace; use up to 64 lower-case Latin letters, digits, dots "
                "and hyphens, starting with a letter or digit."
            )
        recover(self._folder)
        if not replace and (self._folder / name).exists():
            raise MarketplaceError(
                f"There is already a marketplace {name}; remove or replace it, or choose another name."
            )

    def remove(self, name: str) -> None:
        """Remove a marketplace.

        Raises MarketplaceError if no marketplace has that name, or the disk cannot be written.
        """
        folder = self._existing(name)
        try:
            remove_whole(folder)
        except OSError as error:
            raise MarketplaceError(
                f"{name} could not be removed completely from {self._folder} ({error.strerror or error})."
            ) from error

    def _existing(self, name: str) -> Path:
        recover(self._folder)
        folder = self._folder / name
        if not _NAME.fullmatch(name) or not folder.is_dir():
            stored = ", ".join(manifest.name for manifest in self.installed())
            choice = f"choose one of: {stored}" if stored else "generate one with `jobmatch marketplace generate`"
            raise MarketplaceError(f"There is no marketplace {name!r}; {choice}.")
        return folder

    def _manifests(self) -> Iterator[MarketplaceManifest]:
        for folder in sorted(self._folder.iterdir()):
            if not _NAME.fullmatch(folder.name) or not folder.is_dir():
                continue
            try:
                manifest = MarketplaceManifest.load(folder)
            except MarketplaceError as error:
                _log.warning("%s is not listed: %s", folder, error)
                continue
            if manifest.name == folder.name:
                yield manifest
            else:
                _log.warning("%s is not listed: it is a copy of %s.", folder, manifest.name)


@dataclass(frozen=True, slots=True)
class Facet:
    """A value for `Filters`, its most frequent name (else the value), and its number of freelancers."""

    value: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The non-empty values of each field, the most frequent first, ties by value."""

    languages: tuple[Facet, ...]
    countries: tuple[Facet, ...]
    categories: tuple[Facet, ...]
    families: tuple[Facet, ...]


def read_facets(marketplace: str, settings: Settings | None = None) -> Facets:
    """Count the values of a marketplace's freelancers.

    Raises MarketplaceError if no marketplace has that name, or it is damaged.
    """
    table = MarketplaceStore.open(settings).freelancers(marketplace).texts((*_COLUMNS, *_NAMES.values()))
    return Facets(*(_counted(table, column) for column in _COLUMNS))


def _counted(table: pa.Table, column: str) -> tuple[Facet, ...]:
    named = [column, _NAMES[column]] if column in _NAMES else [column]
    groups = table.group_by(named).aggregate([([], "count_all")]).to_pylist()
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for group in sorted(groups, key=lambda group: (-group["count_all"], *(group[name] for name in named))):
        value = group[column]
        counts[value] = counts.get(value, 0) + group["count_all"]
        names.setdefault(value, group[named[-1]] or value)
    facets = (Facet(value, names[value], count) for value, count in counts.items() if value)
    return tuple(sorted(facets, key=lambda facet: (-facet.count, facet.value)))
