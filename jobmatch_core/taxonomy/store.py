"""The installed taxonomies: one folder each, put there whole or not at all."""

import hashlib
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.folders import written_whole
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import bundled, esco
from jobmatch_core.taxonomy.custom import read_custom
from jobmatch_core.taxonomy.manifest import Manifest
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TaxonomyTables
from jobmatch_core.taxonomy.taxonomy import Taxonomy

BUNDLED_ID = "isco-08"

_ID = re.compile(r"^[a-z0-9][a-z0-9.-]{0,63}$")


class TaxonomyStore:
    """Lists, imports, loads and removes taxonomies under one folder."""

    def __init__(self, folder: Path) -> None:
        """Use *folder*, which is made when something is first stored."""
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "TaxonomyStore":
        """Open the store under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).taxonomies)

    def installed(self) -> list[Manifest]:
        """Return what is installed, by id; the bundled taxonomy is always there."""
        self._ensure_bundled()
        return [Manifest.load(path) for path in sorted(self._folder.iterdir()) if _ID.match(path.name)]

    def load(self, taxonomy_id: str = BUNDLED_ID) -> Taxonomy:
        """Load one taxonomy.

        Raises:
            TaxonomyError: there is none of that id, or it is damaged.
        """
        folder = self._existing(taxonomy_id)
        return Taxonomy(Manifest.load(folder), TaxonomyTables.load(folder))

    def manifest(self, taxonomy_id: str) -> Manifest:
        """Return what one taxonomy says of itself; raises as `load`."""
        return Manifest.load(self._existing(taxonomy_id))

    def import_from(
        self,
        source: Path,
        *,
        name: str | None = None,
        version: str | None = None,
        replace: bool = False,
        progress: Progress = no_progress,
    ) -> Manifest:
        """Import a folder of ESCO's CSV files, or one CSV of any other taxonomy.

        Args:
            source: the folder or the file.
            name: what to call it; 'ESCO', or the file's name, where not given.
            version: its version; taken from the folder's name where not given.
            replace: put it in place of an installed one of the same id.
            progress: called with files read and files in all.

        Raises:
            DataFileError: the source is not what was expected; nothing is changed.
            TaxonomyError: a taxonomy of that id is installed already, or the disk is full.
        """
        if not source.exists():
            raise DataFileError(source, "there is no such file or folder")
        if source.is_dir():
            sources = esco.esco_files(source)
            if not sources:
                raise DataFileError(
                    source, "nothing of ESCO's in this folder; expected files such as occupations_en.csv"
                )
            name, version = name or esco.NAME, version or esco.guess_version(source)
            attribution = esco.ATTRIBUTION
        else:
            sources, attribution = [source], ""
            name, version = name or source.stem, version or "1"
        taxonomy_id = _id_of(name, version)
        if taxonomy_id == BUNDLED_ID:
            raise TaxonomyError(f"{BUNDLED_ID} is the bundled taxonomy; give yours another name.")
        if not replace and (self._folder / taxonomy_id).exists():
            raise TaxonomyError(
                f"{taxonomy_id} is installed already; remove it first, give another name or version, or replace it."
            )
        tables = esco.read_esco(sources, progress=progress) if source.is_dir() else read_custom(source)
        return self._save(taxonomy_id, name, version, attribution, sources, tables)

    def remove(self, taxonomy_id: str) -> None:
        """Remove a taxonomy.

        Raises:
            TaxonomyError: there is none of that id, or it is the bundled one.
        """
        if taxonomy_id == BUNDLED_ID:
            raise TaxonomyError("The bundled taxonomy cannot be removed.")
        shutil.rmtree(self._existing(taxonomy_id))

    def _existing(self, taxonomy_id: str) -> Path:
        if taxonomy_id == BUNDLED_ID:
            self._ensure_bundled()
        folder = self._folder / taxonomy_id
        if not _ID.match(taxonomy_id) or not folder.is_dir():
            installed = ", ".join(manifest.id for manifest in self.installed())
            raise TaxonomyError(f"There is no taxonomy {taxonomy_id!r}; installed are: {installed}.")
        return folder

    def _ensure_bundled(self) -> None:
        folder = self._folder / BUNDLED_ID
        sources = bundled.bundled_files()
        if folder.is_dir() and Manifest.load(folder).source_hash == _hash(sources):
            return
        self._save(
            BUNDLED_ID, bundled.NAME, bundled.VERSION, bundled.ATTRIBUTION, sources, bundled.read_bundled()
        )  # fmt: skip

    def _save(
        self, taxonomy_id: str, name: str, version: str, attribution: str, sources: list[Path], tables: TaxonomyTables
    ) -> Manifest:
        kinds = tables.concepts["kind"].value_counts()
        manifest = Manifest(
            id=taxonomy_id,
            name=name,
            version=version,
            languages=tuple(sorted(tables.names["language"].unique())),
            counts={
                "occupations": int(kinds.get(OCCUPATION, 0)),
                "groups": int(kinds.get(GROUP, 0)),
                "names": len(tables.names),
                "skills": len(tables.skills),
                "relations": len(tables.relations),
            },
            source_hash=_hash(sources),
            attribution=attribution,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            with written_whole(self._folder / taxonomy_id) as folder:
                tables.save(folder)
                manifest.save(folder)
        except OSError as error:
            raise TaxonomyError(
                f"{taxonomy_id} could not be stored in {self._folder} ({error.strerror}); nothing was changed."
            ) from error
        return manifest


def _id_of(name: str, version: str) -> str:
    words = re.sub(r"[^a-z0-9.]+", "-", f"{name}-{version}".lower()).strip("-.")[:64]
    if not _ID.match(words):
        raise TaxonomyError(f"{name!r} cannot be a taxonomy's name; use Latin letters and digits.")
    return words


def _hash(sources: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
