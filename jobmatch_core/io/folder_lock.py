"""Locks for one writer at a time in a folder or a file, released when their holder exits, also on a crash.

`locked` waits for a folder that is needed for a moment. `claimed` refuses a file or folder that another process is
writing, possibly for hours. Both are locks of the system by `filelock`, never its soft ones, which a crash leaves
behind.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from jobmatch_core.errors import SettingsError

_FILE = "lock"
_POLL_SECONDS = 0.01  # locks that are waited for are held for a moment only


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process or thread has the lock, and hold it while the block runs.

    Args:
        folder: created if missing; an empty file in it is the lock.

    Raises:
        OSError: the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / _FILE, poll_interval=_POLL_SECONDS, fallback_to_soft=False, preserve_lock_file=True):
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
    lock = FileLock(path.with_name(f".{path.name}.lock"), blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise SettingsError(
            f"Another command is writing {path}; let it finish, or say with --out where else."
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):  # Windows keeps what is open, where the release removes it
            Path(lock.lock_file).unlink()  # while it is held: filelock refuses a lock whose file is gone
        lock.release()
        if made:
            with suppress(OSError):  # a folder stays where something is in it
                path.parent.rmdir()
