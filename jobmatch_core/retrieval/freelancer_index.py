"""Index of a marketplace's freelancers for a model: their vectors and their profiles on disk.

One folder per marketplace and model under `JOBMATCH_HOME/vectors`:

    state.json   the marketplace's hash, the model, the format, and the location of the vectors; written last
    profiles/    see `Profiles` in `finder.py`
    store/       see `exact_store.py`; missing if the vectors are on a server
    lock         see `io/folders.py`

Changed freelancers are encoded again and missing ones deleted; anything else that does not match is rebuilt, by one
process at a time. All of these folders can be deleted at any time, even while a process reads one, since the files are
memory-mapped.
"""

import hashlib
import logging
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Self

import numpy as np

from jobmatch_core.entities import Freelancer, Progress, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.folders import atomic_folder, locked, recover, remove_whole, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.ranking.ranker import Ranker, shipped_ranker
from jobmatch_core.retrieval.finder import Finder, MatchModel, Profiles
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stored_segment import Ids
from jobmatch_core.vector_stores.stores import open_store, refill_store, remove_store
from jobmatch_core.vector_stores.vector_store import Payload, VectorStore

_log = logging.getLogger(__name__)
FORMAT = 4  # raised when the layout or content of profiles changes, or the vectors of a model of the same name
_FILE = "state.json"
_DIGEST = re.compile(r"-[0-9a-f]{8}$")  # of the weights, at the end of a model's name
_UNOPENED_S = 24 * 60 * 60.0
_BETWEEN = "+"  # never part of a marketplace's name
_BLOCK = 2048  # freelancers encoded at a time
_PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class IndexState:
    """The sources of an index."""

    marketplace: str  # hash of its freelancers
    model: str
    vector_url: str  # URL of the server with the vectors; '' if they are in the folder
    format: int = FORMAT  # format of the release that built it

    @classmethod
    def load(cls, home: Path) -> Self | None:
        """Return the state of a folder; None where it is missing or damaged."""
        try:
            return read_record(home / _FILE, cls)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _log.warning("%s is damaged (%s); its index will be rebuilt.", home / _FILE, error)
            return None

    def save(self, home: Path) -> None:
        """Write the state; OSError if it cannot be written."""
        write_text_whole(home / _FILE, json_text(asdict(self)))

    def fits(self, other: "IndexState") -> bool:
        """Return whether another state has the same model, URL and format; the marketplace may differ."""
        return (self.model, self.vector_url, self.format) == (other.model, other.vector_url, other.format)


def folder_name(marketplace: str, model: str) -> str:
    """Return the unique folder name of a marketplace and a model."""
    digest = hashlib.blake2b(model.encode(), digest_size=4).hexdigest()
    word = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")[:60]
    return f"{marketplace}{_BETWEEN}{word}-{digest}"


def remove_orphans(settings: Settings) -> None:
    """Remove the indexes of marketplaces that are no longer stored, on disk and on the vector server.

    Raises MatchingError if a folder cannot be deleted, or the server cannot be reached.
    """
    for folder in _folders(settings):
        if not (settings.marketplaces / folder.name.partition(_BETWEEN)[0]).exists():
            try:
                _remove(folder, settings)
            except OSError as error:
                raise MatchingError(f"{folder} could not be removed ({error.strerror or error}); delete it.") from error


def remove_superseded(marketplace: str, model: str, settings: Settings) -> None:
    """Remove a marketplace's indexes of earlier trainings of a model that were not opened for a day."""
    for folder in _folders(settings):
        state = IndexState.load(folder)
        if folder.name.partition(_BETWEEN)[0] != marketplace or state is None or not _older(state.model, model):
            continue
        try:
            if time.time() - (folder / _FILE).stat().st_mtime > _UNOPENED_S:
                _remove(folder, settings)
        except (OSError, MatchingError) as error:  # nothing depends on it; it is tried again
            _log.warning("%s is superseded, but could not be removed: %s", folder, error)


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes left in a folder whose lock the caller holds; OSError if that fails."""
    for temporary in folder.glob(".*.tmp-*"):
        shutil.rmtree(temporary)


def _older(one: str, now: str) -> bool:
    both_have = _DIGEST.search(one) and _DIGEST.search(now)
    return bool(both_have) and one != now and _DIGEST.sub("", one) == _DIGEST.sub("", now)


def _folders(settings: Settings) -> Iterator[Path]:
    if settings.vectors.is_dir():
        recover(settings.vectors)
        yield from (path for path in sorted(settings.vectors.iterdir()) if not path.name.startswith("."))


def _remove(folder: Path, settings: Settings) -> None:
    remove_store(folder.name, settings)
    remove_whole(folder)
    _log.info("%s was removed.", folder)


def open_finder(
    marketplace: str,
    model: MatchModel,
    *,
    ranker: Ranker | None = None,
    settings: Settings | None = None,
    rebuild: bool = False,
    progress: Progress = no_progress,
) -> Finder:
    """Open the finder of a marketplace's freelancers; build or update its index first if necessary.

    Args:
        ranker: the second stage; by default the one that comes with jobmatch.
        rebuild: encode all freelancers again, even if the index is up to date.

    Raises:
        MarketplaceError: no marketplace has that name, or it is damaged.
        MatchingError: it has no freelancers, or the index cannot be stored.
    """
    settings = settings or Settings.from_environment()
    index = _Index(marketplace, model, ranker or shipped_ranker(), settings)
    finder = index.finder(progress, rebuild=rebuild)
    remove_superseded(marketplace, model.name, settings)
    return finder


class _Index:
    def __init__(self, marketplace: str, model: MatchModel, ranker: Ranker, settings: Settings) -> None:
        self._marketplace, self._model, self._ranker, self._settings = marketplace, model, ranker, settings
        self._name = folder_name(marketplace, model.name)
        self.home = settings.vectors / self._name
        hashes = MarketplaceStore.open(settings).manifest(marketplace).hashes
        self.wanted = IndexState(hashes["freelancers.parquet"], model.name, settings.vector_url)
        self.found: IndexState | None = None

    def finder(self, progress: Progress, *, rebuild: bool) -> Finder:
        if not rebuild and (finder := self._opened()):
            return finder
        try:
            with locked(self.home):
                if not rebuild and (finder := self._opened()):  # another process has built it meanwhile
                    return finder
                remove_unfinished(self.home)
                renewed = self._renewed(None if rebuild else self._store(), progress)
                return Finder(self._model, *renewed, self._ranker)
        except OSError as error:
            raise MatchingError(
                f"The index of {self._marketplace} could not be stored in {self._settings.vectors} "
                f"({error.strerror or error})."
            ) from error

    def _opened(self) -> Finder | None:
        self.found = IndexState.load(self.home)
        store = self._store() if self.found == self.wanted else None
        if store is None:
            return None
        try:
            profiles = Profiles(self.home / _PROFILES)
        except MatchingError as error:
            _log.warning("%s They will be rebuilt.", error)
            return None
        if IndexState.load(self.home) != self.wanted:  # another process has begun to change it
            return None
        with suppress(OSError):  # the index then only seems older than it is
            os.utime(self.home / _FILE)
        return Finder(self._model, store, profiles, self._ranker)

    def _store(self) -> VectorStore | None:
        if self.found is None or not self.found.fits(self.wanted):
            return None
        return open_store(self._name, self._stamp, self._settings)

    def _forget(self) -> None:
        # until the new state is written, the folder's content is incomplete
        (self.home / _FILE).unlink(missing_ok=True)
        self.found = None

    def _renewed(self, store: VectorStore | None, progress: Progress) -> tuple[VectorStore, Profiles]:
        freelancers = MarketplaceStore.open(self._settings).freelancers(self._marketplace)
        if not len(freelancers):
            raise MatchingError(f"The marketplace {self._marketplace} has no freelancers to be found.")
        older = self._known_profiles() if store else None
        with atomic_folder(self.home / _PROFILES) as temporary:
            Profiles.write(temporary, freelancers)
            profiles = Profiles(temporary)
            if store is None or older is None:
                store = self._filled(profiles, progress)
            else:
                self._forget()
                self._update(store, older, profiles, progress)
        self.wanted.save(self.home)
        return store, Profiles(self.home / _PROFILES)

    def _known_profiles(self) -> Profiles | None:
        try:
            return Profiles(self.home / _PROFILES) if self.found else None
        except MatchingError:
            return None

    def _filled(self, profiles: Profiles, progress: Progress) -> VectorStore:
        dimension = self._model.encode_freelancers(list(islice(profiles, 1))).shape[1]

        def fill(store: VectorStore) -> None:
            self._put(store, profiles, len(profiles), progress)
            self._forget()

        return refill_store(self._name, self._stamp, dimension, fill, self._settings)

    def _update(self, store: VectorStore, older: Profiles, fresh: Profiles, progress: Progress) -> None:
        store.delete(_decoded(np.setdiff1d(older.ids, fresh.ids)))
        changed = set(_decoded(fresh.ids[~fresh.unchanged_since(older)]))
        self._put(store, (freelancer for freelancer in fresh if freelancer.id in changed), len(changed), progress)

    def _put(self, store: VectorStore, freelancers: Iterable[Freelancer], total: int, progress: Progress) -> None:
        stream, done = iter(freelancers), 0
        while block := list(islice(stream, _BLOCK)):
            progress(done, total)
            vectors = self._model.encode_freelancers(block)
            store.upsert(
                [freelancer.id for freelancer in block], vectors, [Payload.of(freelancer) for freelancer in block]
            )
            done += len(block)
        progress(total, total)

    @property
    def _stamp(self) -> str:
        return hashlib.blake2b(f"{FORMAT} {self._model.name}".encode(), digest_size=6).hexdigest()


def _decoded(ids: Ids) -> list[str]:
    return [id_.decode("utf-8", "surrogatepass") for id_ in ids.tolist()]
