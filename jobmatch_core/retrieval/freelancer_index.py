"""Index of a marketplace's freelancers for a model: their vectors and their profiles on disk.

One folder per marketplace and model under `JOBMATCH_HOME/vectors`, which can be deleted at any time:

        state.json   the marketplace's hash, the model, and the location of the vectors
    profiles/    see `profiles.py`
        store/       see `exact_store.py`; missing if the vectors are on a server
    lock         see `folder_lock.py`

When the marketplace has changed, changed freelancers are encoded again, and missing ones are deleted. Anything else
that does not match, such as the rest of a killed process, is rebuilt. One process rebuilds at a time, and others
wait. The index of an earlier training of the same model is removed (`vector_folders.py`).
"""

import hashlib
import logging
from collections.abc import Iterable
from itertools import islice

import numpy as np

from jobmatch_core.entities import Freelancer, Progress, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.folder_lock import locked
from jobmatch_core.io.folders import written_whole
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder, MatchModel
from jobmatch_core.retrieval.index_state import FORMAT, IndexState, forget_state, mark_opened
from jobmatch_core.retrieval.profiles import Profiles
from jobmatch_core.retrieval.vector_folders import folder_name, remove_superseded, remove_unfinished
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stored_segment import Ids
from jobmatch_core.vector_stores.stores import open_store, refill_store
from jobmatch_core.vector_stores.vector_store import Payload, VectorStore

_log = logging.getLogger(__name__)
_BLOCK = 2048  # freelancers encoded at a time
_PROFILES = "profiles"


def open_finder(
    marketplace: str,
    model: MatchModel,
    *,
    settings: Settings | None = None,
    rebuild: bool = False,
    progress: Progress = no_progress,
) -> Finder:
    """Open what finds a marketplace's freelancers by a model; they are encoded where they are not yet.

    Args:
        marketplace: the name of a stored one.
        model: encodes freelancers and projects.
        settings: locations of stored files; from the environment by default.
        rebuild: encode all freelancers again, even if the index is up to date.
        progress: called with freelancers encoded and freelancers to encode.

    Raises:
        MarketplaceError: no marketplace has that name, or it is damaged.
        MatchingError: it has no freelancers, or the index cannot be stored.
    """
    settings = settings or Settings.from_environment()
    finder = _Index(marketplace, model, settings).finder(progress, rebuild=rebuild)
    remove_superseded(marketplace, model.name, settings)
    return finder


class _Index:
    """One index folder: its content, and its wanted state."""

    def __init__(self, marketplace: str, model: MatchModel, settings: Settings) -> None:
        self._marketplace, self._model, self._settings = marketplace, model, settings
        self._name = folder_name(marketplace, model.name)
        self.home = settings.vectors / self._name
        hashes = MarketplaceStore.open(settings).manifest(marketplace).hashes
        self.wanted = IndexState(hashes["freelancers.parquet"], model.name, settings.vector_url)
        self.found: IndexState | None = None

    def finder(self, progress: Progress, *, rebuild: bool) -> Finder:
        """Open what is there, or make it; arguments as those of `open_finder`."""
        if not rebuild and (finder := self._opened()):
            return finder
        try:
            with locked(self.home):
                if not rebuild and (finder := self._opened()):  # another process has made it meanwhile
                    return finder
                remove_unfinished(self.home)
                return Finder(self._model, *self._renewed(None if rebuild else self._store(), progress))
        except OSError as error:
            raise MatchingError(
                f"What is made of {self._marketplace} could not be stored in {self._settings.vectors} "
                f"({error.strerror or error})."
            ) from error

    def _opened(self) -> Finder | None:
        """Open what is there, if it is all that it should be."""
        self.found = IndexState.load(self.home)
        store = self._store() if self.found == self.wanted else None
        if store is None:
            return None
        try:
            profiles = Profiles(self.home / _PROFILES)
        except MatchingError as error:
            _log.warning("%s They are made again.", error)
            return None
        if IndexState.load(self.home) != self.wanted:  # another process has begun to change it
            return None
        mark_opened(self.home)
        return Finder(self._model, store, profiles)

    def _store(self) -> VectorStore | None:
        """Return the store of the model's vectors, if it is whole."""
        if self.found is None or not self.found.fits(self.wanted):
            return None
        return open_store(self._name, self._stamp, self._settings)

    def _forget(self) -> None:
        """From here on, what is in the folder is neither old nor new."""
        forget_state(self.home)
        self.found = None

    def _renewed(self, store: VectorStore | None, progress: Progress) -> tuple[VectorStore, Profiles]:
        """Bring a store up to date, or fill one anew; and the profiles with it."""
        freelancers = MarketplaceStore.open(self._settings).freelancers(self._marketplace)
        if not len(freelancers):
            raise MatchingError(f"The marketplace {self._marketplace} has no freelancers to be found.")
        known = self._known_profiles() if store else None
        with written_whole(self.home / _PROFILES) as temporary:
            Profiles.write(temporary, freelancers)
            profiles = Profiles(temporary)
            if store is None or known is None:
                store = self._filled(profiles, progress)
            else:
                self._forget()
                self._update(store, known, profiles, progress)
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

    def _update(self, store: VectorStore, known: Profiles, fresh: Profiles, progress: Progress) -> None:
        store.delete(_decoded(np.setdiff1d(known.ids, fresh.ids)))
        changed = set(_decoded(fresh.ids[~fresh.unchanged_since(known)]))
        self._put(store, (each for each in fresh if each.id in changed), len(changed), progress)

    def _put(self, store: VectorStore, freelancers: Iterable[Freelancer], total: int, progress: Progress) -> None:
        stream, done = iter(freelancers), 0
        while block := list(islice(stream, _BLOCK)):
            progress(done, total)
            vectors = self._model.encode_freelancers(block)
            store.upsert([each.id for each in block], vectors, [Payload.of(each) for each in block])
            done += len(block)
        progress(total, total)

    @property
    def _stamp(self) -> str:
        return hashlib.blake2b(f"{FORMAT} {self._model.name}".encode(), digest_size=6).hexdigest()


def _decoded(ids: Ids) -> list[str]:
    return [id_.decode("utf-8", "surrogatepass") for id_ in ids.tolist()]
