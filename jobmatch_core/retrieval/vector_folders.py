"""The folders under `JOBMATCH_HOME/vectors`, one per marketplace and model: their names and their removal.

All of them can be rebuilt at any time. Removal does not disturb a process that reads one: its files are memory-mapped
and stay until it closes them, or, on systems without that, the folder cannot be removed. A process that is about to
open it finds it complete or not at all, and rebuilds it. A superseded collection on a server is removed only if
nobody has opened it for a day.
"""

import hashlib
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from jobmatch_core.errors import MatchingError
from jobmatch_core.io.folders import recover, remove_whole
from jobmatch_core.retrieval.index_state import IndexState, seconds_since_opened
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stores import remove_store

_log = logging.getLogger(__name__)
_DIGEST = re.compile(r"-[0-9a-f]{8}$")  # of the weights, at the end of a model's name
_UNOPENED_S = 24 * 60 * 60.0
_BETWEEN = "+"  # never part of a marketplace's name


def folder_name(marketplace: str, model: str) -> str:
    """Return the name of the folder of a marketplace and a model, unique to them."""
    digest = hashlib.blake2b(model.encode(), digest_size=4).hexdigest()
    word = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")[:60]
    return f"{marketplace}{_BETWEEN}{word}-{digest}"


def remove_orphans(settings: Settings) -> None:
    """Remove the indexes of marketplaces that are no longer stored, here and on the server of the settings.

    Raises:
        MatchingError: the disk refuses, or the server cannot be reached.
    """
    for folder in _folders(settings):
        if not (settings.marketplaces / folder.name.partition(_BETWEEN)[0]).exists():
            try:
                _remove(folder, settings)
            except OSError as error:
                raise MatchingError(f"{folder} could not be removed ({error.strerror or error}); delete it.") from error


def remove_superseded(marketplace: str, model: str, settings: Settings) -> None:
    """Remove a marketplace's indexes of earlier trainings of a model, if nobody has opened them for a day.

    Args:
        marketplace: name of the marketplace.
        model: name of the model in use.
        settings: location of the vectors.
    """
    for folder in _folders(settings):
        state = IndexState.load(folder)
        if folder.name.partition(_BETWEEN)[0] != marketplace or state is None or not _older(state.model, model):
            continue
        try:
            if seconds_since_opened(folder) > _UNOPENED_S:
                _remove(folder, settings)
        except (OSError, MatchingError) as error:  # nothing depends on it; it is tried again
            _log.warning("%s is superseded, but could not be removed: %s", folder, error)


def remove_unfinished(folder: Path) -> None:
    """Remove the rests of killed processes from a folder; the caller holds its lock. OSError if the disk refuses."""
    for temporary in folder.glob(".*.tmp-*"):
        shutil.rmtree(temporary)


def _older(one: str, now: str) -> bool:
    """Return whether two names are of one model with different weights."""
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
