"""Installed taxonomies: one folder each, stored atomically."""

import logging
import re
import threading
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.folders import atomic_folder, recover, remove_whole
from jobmatch_core.io.text_files import hash_files
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import bundled
from jobmatch_core.taxonomy.code_list import CodeListLayout
from jobmatch_core.taxonomy.readers import find_reader, read_list
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, Manifest, TaxonomyTables
from jobmatch_core.taxonomy.taxonomy import Taxonomy

BUNDLED_ID = "isco-08"

_log = logging.getLogger(__name__)
_ID = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_LONGEST_VERSION = 32
_BUNDLED_LOCK = threading.Lock()  # one thread stores the bundled taxonomy, the others wait for it


def is_taxonomy_id(text: str) -> bool:
    """Return whether a text is a valid taxonomy id."""
    return _ID.fullmatch(text) is not None


class TaxonomyStore:
    """Lists, imports, loads and removes taxonomies under one folder."""

    def __init__(self, folder: Path) -> None:
        """Use *folder*, created when something is first stored."""
        self._folder = folder

    @classmethod
    def open(cls, settings: Settings | None = None) -> "TaxonomyStore":
        """Open the store under `JOBMATCH_HOME`."""
        return cls((settings or Settings.from_environment()).taxonomies)

    def installed(self) -> list[Manifest]:
        """Return the manifests in the order of ids, with the bundled taxonomy and without damaged ones."""
        recover(self._folder)
        self._ensure_bundled()
        return list(self._manifests())

    def load(self, taxonomy_id: str = BUNDLED_ID) -> Taxonomy:
        """Load one taxonomy; raises TaxonomyError if no taxonomy has that id, or it is damaged."""
        folder = self._existing(taxonomy_id)
        return self._load_bundled(folder) if taxonomy_id == BUNDLED_ID else _load(folder)

    def manifest(self, taxonomy_id: str) -> Manifest:
        """Return a taxonomy's manifest; raises as `load`."""
        return Manifest.load(self._existing(taxonomy_id))

    def best_covering(self, identifiers: Collection[str]) -> tuple[str, float]:
        """Return the id of the installed taxonomy that contains most of some URIs or codes, and its share of them.

        Of equal ones, the taxonomy with the most languages is returned.
        """
        distinct = set(identifiers)
        shares: list[tuple[float, int, str]] = []
        for manifest in self.installed():
            taxonomy = self.load(manifest.id)
            n_contained = sum(taxonomy.find_uri(identifier) is not None for identifier in distinct)
            shares.append((n_contained / max(len(distinct), 1), len(manifest.languages), manifest.id))
        share, _, taxonomy_id = max(shares)
        return taxonomy_id, share

    def import_from(
        self,
        source: Path,
        *,
        name: str | None = None,
        version: str | None = None,
        replace: bool = False,
        layout: CodeListLayout | None = None,
        progress: Progress = no_progress,
    ) -> Manifest:
        """Import a taxonomy from a source that one of `READERS` recognises, such as ESCO's folder or one CSV.

        Args:
            name: name of the taxonomy, by default 'ESCO' or the file's name; a version at its end is removed.
            version: version of the taxonomy; by default ESCO's is recognised by the folder's name or the content.
            replace: replace an installed taxonomy of the same id.
            layout: how to read a list of codes and names, as opposed to a CSV with the columns of a custom taxonomy;
                see `sheets.code_list_columns.taxonomy_layout`.

        Raises:
            DataFileError: the source is not as expected, or ESCO's version cannot be recognised; nothing is changed.
            TaxonomyError: a taxonomy of that id is installed already, or the disk is full.
        """
        reader, files = find_reader(source)
        version = version or reader.version(files)
        name = _without_version(name or reader.name(source), version)
        taxonomy_id = _taxonomy_id(name, version)
        self._refuse_taken(taxonomy_id, replace=replace)
        content = reader.read(files, progress) if layout is None else read_list(source, layout, progress=progress)
        manifest = _describe(taxonomy_id, name, version, reader.attribution, files, content.tables, content.notes)
        self._save(manifest, content.tables, replace=replace)
        return manifest

    def remove(self, taxonomy_id: str) -> None:
        """Remove a taxonomy.

        Raises TaxonomyError if no taxonomy has that id, it is the bundled one, or it cannot be deleted.
        """
        if taxonomy_id == BUNDLED_ID:
            raise TaxonomyError("The bundled taxonomy cannot be removed.")
        folder = self._existing(taxonomy_id)
        try:
            remove_whole(folder)
        except OSError as error:
            raise TaxonomyError(
                f"{taxonomy_id} could not be removed completely from {self._folder} ({error.strerror or error})."
            ) from error

    def _existing(self, taxonomy_id: str) -> Path:
        recover(self._folder)
        if taxonomy_id == BUNDLED_ID:
            self._ensure_bundled()
        folder = self._folder / taxonomy_id
        if not is_taxonomy_id(taxonomy_id) or not folder.is_dir():
            installed = ", ".join(manifest.id for manifest in self.installed())
            raise TaxonomyError(
                f"There is no taxonomy {taxonomy_id!r}; installed are: {installed}. "
                "`jobmatch taxonomy import` adds others, such as ESCO."
            )
        return folder

    def _manifests(self) -> Iterator[Manifest]:
        for folder in sorted(self._folder.iterdir()):
            if not is_taxonomy_id(folder.name) or not folder.is_dir():
                continue
            try:
                manifest = Manifest.load(folder)
            except TaxonomyError as error:
                _log.warning("%s is not listed: %s", folder, error)
                continue
            if manifest.id == folder.name:
                yield manifest
            else:
                _log.warning("%s is not listed: it is a copy of %s.", folder, manifest.id)

    def _refuse_taken(self, taxonomy_id: str, *, replace: bool) -> None:
        if taxonomy_id == BUNDLED_ID:
            raise TaxonomyError(f"{BUNDLED_ID} is the bundled taxonomy; give yours another name.")
        recover(self._folder)
        if not replace and (self._folder / taxonomy_id).exists():
            raise TaxonomyError(
                f"{taxonomy_id} is installed already; remove it first, give another name or version, or replace it."
            )

    def _ensure_bundled(self) -> None:
        with _BUNDLED_LOCK:
            if self._bundled_is_current():
                return
            try:
                self._save_bundled(replace=(self._folder / BUNDLED_ID).exists())
            except TaxonomyError:
                if not self._bundled_is_current():  # another process may have stored it meanwhile
                    raise

    def _bundled_is_current(self) -> bool:
        try:
            return Manifest.load(self._folder / BUNDLED_ID).source_hash == _bundled_hash()
        except TaxonomyError:
            return False

    def _load_bundled(self, folder: Path) -> Taxonomy:
        # a damaged one is stored again, as users cannot import it
        with _BUNDLED_LOCK:
            try:
                return _load(folder)
            except TaxonomyError as error:
                _log.warning("The bundled taxonomy is stored again: %s", error)
                self._save_bundled(replace=True)
                return _load(folder)

    def _save_bundled(self, *, replace: bool) -> None:
        tables = bundled.read_bundled()
        files = [*bundled.bundled_files(), bundled.SKILLS_FILE]
        manifest = _describe(BUNDLED_ID, bundled.NAME, bundled.VERSION, bundled.ATTRIBUTION, files, tables)
        self._save(manifest, tables, replace=replace)

    def _save(self, manifest: Manifest, tables: TaxonomyTables, *, replace: bool) -> None:
        try:
            with atomic_folder(self._folder / manifest.id, replace=replace) as folder:
                tables.save(folder)
                manifest.save(folder)
        except OSError as error:
            raise TaxonomyError(
                f"{manifest.id} could not be stored in {self._folder} ({error.strerror or error}); nothing was changed."
                " Free some disk space, or choose a folder that you may write to by JOBMATCH_HOME."
            ) from error


@cache  # the files do not change while the process runs, and every request needs it
def _bundled_hash() -> str:
    return hash_files([*bundled.bundled_files(), bundled.SKILLS_FILE])


def _describe(
    taxonomy_id: str,
    name: str,
    version: str,
    attribution: str,
    files: list[Path],
    tables: TaxonomyTables,
    notes: tuple[str, ...] = (),
) -> Manifest:
    kinds = tables.concepts["kind"].value_counts()
    # groups may have names in languages that no occupation has
    is_occupation = (tables.concepts["kind"] == OCCUPATION).to_numpy()[tables.names["concept"]]
    return Manifest(
        id=taxonomy_id,
        name=name,
        version=version,
        languages=tuple(sorted(tables.names.loc[is_occupation, "language"].unique())),
        counts={
            "occupations": int(kinds.get(OCCUPATION, 0)),
            "groups": int(kinds.get(GROUP, 0)),
            "names": len(tables.names),
            "skills": len(tables.skills),
            "relations": len(tables.relations),
            "skill groups": len(tables.skill_groups),
        },
        source_hash=hash_files(files),
        attribution=attribution,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=notes,
    )


def _load(folder: Path) -> Taxonomy:
    manifest = Manifest.load(folder)
    return Taxonomy(manifest, TaxonomyTables.load(folder, manifest.format))


def _without_version(name: str, version: str) -> str:
    # the version is appended to the name everywhere
    return re.sub(rf"(?<=\w)[\s_-]+v?{re.escape(version)}\s*$", "", name, flags=re.IGNORECASE)


def _taxonomy_id(name: str, version: str) -> str:
    # a long name is cut, its version is not
    words, suffix = (re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") for text in (name, version))
    if not words:
        raise TaxonomyError(f"{name!r} cannot be a taxonomy's name; use Latin letters and digits.")
    if not suffix or len(suffix) > _LONGEST_VERSION:
        raise TaxonomyError(
            f"{version!r} cannot be a version; use at most {_LONGEST_VERSION} Latin letters and digits."
        )
    return f"{words[: 63 - len(suffix)].rstrip('-.')}-{suffix}"
