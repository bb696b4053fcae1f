"""Cache of slowly computed arrays under `JOBMATCH_HOME/caches/maps`: one folder each, deletable at any time."""

import hashlib
import logging
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.io.folders import written_whole
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)
_MOST = 200  # folders; the least recently used one is removed first

Arrays = Mapping[str, FloatArray]


def digest(*parts: object) -> str:
    """Return a hash of some parts: arrays by their bytes, all else by their text."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            found.update(f"{part.shape} {part.dtype}".encode())
            found.update(np.ascontiguousarray(part).data)
        else:
            found.update(repr(part).encode("utf-8", "surrogatepass"))
        found.update(b"\0")
    return found.hexdigest()


def cached_arrays(key: str, make: Callable[[], Arrays], settings: Settings) -> dict[str, FloatArray]:
    """Return arrays by name, computed only if they are not cached.

    Args:
        key: a `digest` of everything they depend on.
        make: computes them.
        settings: locations of the caches.

    Raises:
        MapError: they cannot be written.
    """
    home = settings.caches / "maps"
    folder = home / key
    found = _read(folder)
    if found is not None:
        return found
    made = {name: np.asarray(array, dtype=np.float32) for name, array in make().items()}
    try:
        with written_whole(folder) as temporary:
            for name, array in made.items():
                np.save(temporary / f"{name}.npy", array)
        _forget_oldest(home)
    except OSError as error:
        raise MapError(
            f"The map could not be stored in {home} ({error.strerror or error}). Set JOBMATCH_HOME to a folder that "
            "can be written to, on a disk with space."
        ) from error
    return made


def _read(folder: Path) -> dict[str, NDArray[np.float32]] | None:
    if not folder.is_dir():
        return None
    try:
        found = {path.stem: np.load(path) for path in sorted(folder.glob("*.npy"))}
        folder.touch()
    except (OSError, ValueError, EOFError) as error:
        _log.warning("The arrays in %s are damaged (%s) and are computed again.", folder, error)
        return None
    return found or None


def _forget_oldest(home: Path) -> None:
    folders = [path for path in home.iterdir() if path.is_dir() and not path.name.startswith(".")]
    for folder in sorted(folders, key=lambda path: path.stat().st_mtime)[:-_MOST]:
        shutil.rmtree(folder, ignore_errors=True)
