"""Locks for one writer at a time in a folder or a file, released when their holder exits, also on a crash.

`locked` waits for a folder that is needed for a moment. `claimed` refuses a file or folder that another process is
writing, possibly for hours.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from jobmatch_core.errors import SettingsError

_FILE = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process or thread has the lock, and hold it while the block runs.

    Args:
        folder: created if missing; an empty file in it is the lock.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _FILE).open("ab") as file:
        _wait_for(file)
        yield


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Hold a file or a folder for writing while the block runs.

    Args:
        path: the file or folder to write. A hidden neighbour is the lock and is removed afterwards; the parent is
            created if missing, and removed again if nothing was written.

    Raises:
        SettingsError: another process is writing it, or its name cannot be a file name.
        OSError: the disk refuses.
    """
    if not path.name:
        raise SettingsError(f"'{path}' is no name of a file or a folder to be written; give another one.")
    made = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_name(f".{path.name}.lock")
    with lock.open("ab") as file:
        if not _taken(file) or not _still_there(file, lock):
            raise SettingsError(f"Another command is writing {path}; let it finish, or say with --out where else.")
        try:
            yield
        finally:
            with suppress(OSError):  # Windows keeps what is open; a folder stays where something is in it
                lock.unlink()
                if made:
                    path.parent.rmdir()


def _still_there(file: IO[bytes], path: Path) -> bool:
    """Return whether a lock file still exists, that is, its last holder has not removed it since it was opened."""
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())


def _taken(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _wait_for(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # after ten seconds: the other one is still at it
                continue
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
