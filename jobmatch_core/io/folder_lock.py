"""Locks: one process writes to a folder or a file at a time. The system lets go of them when their holder ends.

Whoever needs a folder for a moment waits for it (`locked`). Who would write for hours what another process is writing
already is refused (`claimed`).
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
        folder: is made where there is none; an empty file in it stands for the lock.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _FILE).open("ab") as file:
        _wait_for(file)
        yield


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Write a file or a folder alone while the block runs.

    Args:
        path: what is written. A hidden neighbour stands for the lock, and goes with it; its folder is made where there
            is none, and goes as well where nothing was written.

    Raises:
        SettingsError: another process writes it, or it is no name that a file could have.
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
    """Say whether the file is not one that its last holder has removed since it was opened."""
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
