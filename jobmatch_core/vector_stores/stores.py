"""Opening and refilling of vector stores: in a folder under `JOBMATCH_HOME`, or on the server of `JOBMATCH_VECTOR_URL`.

A store has a name and a stamp, the identity of its content. A new store is filled beside the old one, which serves
until the new one is complete.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from jobmatch_core.errors import MatchingError
from jobmatch_core.io.folders import recover, remove_whole, written_whole
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import VectorStore

_log = logging.getLogger(__name__)
_STAMP = "stamp"
_HOME_ID = ".home-id"


def open_store(name: str, stamp: str, settings: Settings) -> VectorStore | None:
    """Return a store, or None where none has that name and stamp, or it is damaged.

    Raises:
        MatchingError: the server cannot be reached.
    """
    if settings.vector_url:
        from jobmatch_core.vector_stores import qdrant_store  # a second, which only those who have a server spend

        client = qdrant_store.connected(settings.vector_url, settings.vector_key)
        collection = qdrant_store.collection_behind(client, _alias(name, settings))
        if qdrant_store.stamp_of(collection) == stamp:
            return qdrant_store.QdrantStore(client, _alias(name, settings))
        qdrant_store.disconnect(client)
        return None
    folder = _folder(name, settings)
    recover(folder.parent)
    try:
        return ExactStore.open(folder) if (folder / _STAMP).read_text("utf-8") == stamp else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, MatchingError) as error:
        _log.warning("The vectors in %s are damaged (%s) and are computed again.", folder, error)
        return None


def refill_store(
    name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None], settings: Settings
) -> VectorStore:
    """Fill a new store and let it replace the one of the same name.

    Args:
        name: name of the store.
        stamp: identity of its content, letters and digits.
        dimension: the length of the vectors.
        fill: puts the freelancers into the new store.
        settings: locations of the stores.

    Raises:
        MatchingError: the disk or the server refuses.
    """
    if settings.vector_url:
        from jobmatch_core.vector_stores import qdrant_store

        client = qdrant_store.connected(settings.vector_url, settings.vector_key)
        qdrant_store.refilled(client, _alias(name, settings), dimension, stamp, fill)
        return qdrant_store.QdrantStore(client, _alias(name, settings))
    folder = _folder(name, settings)
    try:
        with written_whole(folder) as temporary:
            store = ExactStore.create(temporary, dimension)
            fill(store)
            store.close()
            (temporary / _STAMP).write_text(stamp, "utf-8")
    except OSError as error:
        raise MatchingError(
            f"The vectors of {name} could not be stored in {settings.vectors} ({error.strerror or error})."
        ) from error
    return ExactStore.open(folder)


def remove_store(name: str, settings: Settings) -> None:
    """Remove a store from the server and from the folder, wherever it exists.

    Raises:
        MatchingError: the server cannot be reached or refuses.
        OSError: the disk refuses.
    """
    if settings.vector_url:
        from jobmatch_core.vector_stores import qdrant_store

        client = qdrant_store.connected(settings.vector_url, settings.vector_key)
        qdrant_store.remove_collection_behind(client, _alias(name, settings))
        qdrant_store.disconnect(client)
    if (folder := _folder(name, settings)).exists():
        remove_whole(folder)


def _folder(name: str, settings: Settings) -> Path:
    return settings.vectors / name / "store"


def _alias(name: str, settings: Settings) -> str:
    """Return an alias that is unique on a shared server and to this `JOBMATCH_HOME`."""
    return f"jobmatch-{_home_id(settings)}-{name.replace('+', '-')}"


def _home_id(settings: Settings) -> str:
    """Return eight letters unique to this `JOBMATCH_HOME`; the first of several processes creates them."""
    path = settings.vectors / _HOME_ID
    try:
        settings.vectors.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            own = uuid4().hex[:8]
            temporary = path.with_name(f"{_HOME_ID}.tmp-{own}")
            temporary.write_text(own, "utf-8")
            with suppress(FileExistsError):
                os.link(temporary, path)  # never in place of another's, unlike a rename
            temporary.unlink()
        return path.read_text("utf-8")
    except OSError as error:
        raise MatchingError(f"{path} could not be written or read ({error.strerror or error}).") from error
