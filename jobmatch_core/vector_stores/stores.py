"""Opening and refilling of vector stores: in a folder under `JOBMATCH_HOME`, or on the server of `JOBMATCH_VECTOR_URL`.

A store has a name and a stamp, the identity of its content. A new store is filled beside the old one, which is used
until the new one is complete.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from jobmatch_core.errors import MatchingError, SettingsError
from jobmatch_core.io.folders import atomic_folder, make_folder, recover, remove_whole
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import VectorStore

_log = logging.getLogger(__name__)
_STAMP = "stamp"
_HOME_ID = ".home-id"


class StorePlace(Protocol):
    """A place with stores of one kind; raises MatchingError if it cannot be reached or refuses."""

    def open(self, name: str, stamp: str) -> VectorStore | None:
        """Return a store; None if none has that name and stamp, or it is damaged."""

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None]) -> VectorStore:
        """Fill a new store, then replace the one of the same name."""

    def remove(self, name: str) -> None:
        """Remove a store, if it exists."""


class _Folder:
    def __init__(self, settings: Settings) -> None:
        self._vectors = settings.vectors

    def open(self, name: str, stamp: str) -> VectorStore | None:
        folder = self._folder(name)
        recover(folder.parent)
        try:
            return ExactStore.open(folder) if (folder / _STAMP).read_text("utf-8") == stamp else None
        except FileNotFoundError:
            return None
        except (OSError, ValueError, MatchingError) as error:
            _log.warning("The vectors in %s are damaged (%s) and are computed again.", folder, error)
            return None

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None]) -> VectorStore:
        folder = self._folder(name)
        try:
            with atomic_folder(folder) as temporary:
                store = ExactStore.create(temporary, dimension)
                fill(store)
                store.close()
                (temporary / _STAMP).write_text(stamp, "utf-8")
        except OSError as error:
            raise MatchingError(
                f"The vectors of {name} could not be stored in {self._vectors} ({error.strerror or error})."
            ) from error
        return ExactStore.open(folder)

    def remove(self, name: str) -> None:
        if (folder := self._folder(name)).exists():
            remove_whole(folder)

    def _folder(self, name: str) -> Path:
        return self._vectors / name / "store"


# scheme of `JOBMATCH_VECTOR_URL` -> place of the stores; '' for the folder
STORES: dict[str, Callable[[Settings], StorePlace]] = {"": _Folder}


def open_store(name: str, stamp: str, settings: Settings) -> VectorStore | None:
    """Return a store; None if none has that name and stamp, or it is damaged.

    Raises:
        MatchingError: the server cannot be reached.
        SettingsError: no store supports the scheme of the URL.
    """
    return _place(settings).open(name, stamp)


def refill_store(
    name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None], settings: Settings
) -> VectorStore:
    """Fill a new store, then replace the one of the same name.

    Raises:
        MatchingError: the store cannot be written.
        SettingsError: no store supports the scheme of the URL.
    """
    return _place(settings).refill(name, stamp, dimension, fill)


def remove_store(name: str, settings: Settings) -> None:
    """Remove a store from the server and from the folder.

    Raises:
        MatchingError: the server cannot be reached or refuses.
        OSError: the folder cannot be removed.
        SettingsError: no store supports the scheme of the URL.
    """
    _place(settings).remove(name)
    _Folder(settings).remove(name)  # its place if the URL was set later


def _place(settings: Settings) -> StorePlace:
    scheme = settings.vector_url.partition("://")[0].lower()
    if scheme not in STORES:
        schemes = ", ".join(f"{name}://" for name in STORES if name)
        raise SettingsError(
            f"JOBMATCH_VECTOR_URL begins with {scheme}://, which no vector store supports; give a URL that begins "
            f"with one of {schemes}, or unset it to store vectors under JOBMATCH_HOME."
        )
    return STORES[scheme](settings)


def name_on_server(name: str, settings: Settings) -> str:
    """Return a name that is unique on a shared server and to this `JOBMATCH_HOME`."""
    return f"jobmatch-{_home_id(settings)}-{name.replace('+', '-')}"


def _home_id(settings: Settings) -> str:
    path = settings.vectors / _HOME_ID
    try:
        make_folder(settings.vectors)
        if not path.exists():
            own = uuid4().hex[:8]
            temporary = path.with_name(f"{_HOME_ID}.tmp-{own}")
            temporary.write_text(own, "utf-8")
            with suppress(FileExistsError):
                os.link(temporary, path)  # never replaces another process's file, unlike a rename
            temporary.unlink()
        return path.read_text("utf-8")
    except OSError as error:
        raise MatchingError(f"{path} could not be written or read ({error.strerror or error}).") from error
