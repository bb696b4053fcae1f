"""Files and folders that are written completely or not at all, by one writer at a time.

While `NAME` is written or replaced, there are hidden neighbours:

    .NAME.tmp-1a2b3c4d   the new folder while it is written, or one that is being removed
    .NAME.old            the older folder, while the new one is renamed

A killed process leaves them behind; `recover` puts `.NAME.old` back or deletes them. A file is written to a hidden
neighbour, `.STEM.tmp-1a2b3c4d.ENDING`, and renamed, which replaces an older one in one step. Contents and names are
flushed to the disk, so that a power failure leaves either the old content or the new.
"""

import errno
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout

from jobmatch_core.errors import SettingsError

_PRIVATE, _USUAL, _OF_OTHERS = 0o700, 0o777, 0o077  # modes of folders; the system masks the usual one
_A_DAY = 24 * 60 * 60.0  # writing a folder never takes so long
_MOVING = threading.Lock()  # without it `recover` could undo a renaming of another thread
_LOCK_FILE = "lock"
_POLL_SECONDS = 0.01  # locks that a process waits for are held only for a moment


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents for this user alone; raises OSError if the disk refuses."""
    try:
        folder.mkdir(_PRIVATE, exist_ok=True)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_folder(folder.parent)
        folder.mkdir(_PRIVATE, exist_ok=True)


@contextmanager
def atomic_folder(folder: Path, *, replace: bool = True) -> Iterator[Path]:
    """Yield a temporary folder to write to; rename it to *folder* when the block succeeds.

    If the block or the replacement fails, an existing folder stays; if the process is killed, the next `recover`
    restores it.

    Args:
        folder: final path of the folder; for this user alone if its parent is, or is made.
        replace: replace an existing folder; for an instant neither of the two is at that path.

    Raises OSError if the disk refuses, or the folder exists and must not be replaced.
    """
    make_folder(folder.parent)
    recover(folder.parent)
    temporary = _temporary(folder)
    is_private = not folder.parent.stat().st_mode & _OF_OTHERS
    temporary.mkdir(_PRIVATE if is_private else _USUAL)
    try:
        yield temporary
        for path in temporary.rglob("*"):
            flush(path)
        flush(temporary)
        with _MOVING:
            _put_in_place(temporary, folder, replace=replace)
        flush(folder.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file with the same extension to write to; rename it to *path* when the block succeeds.

    An existing file stays if the block fails or the process is killed. Raises OSError if the disk refuses.
    """
    temporary = path.with_name(f".{path.stem}.tmp-{uuid4().hex[:8]}{path.suffix}")
    try:
        yield temporary
        flush(temporary)
        temporary.replace(path)
        flush(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def folder_word(name: str) -> str:
    """Return a name, such as that of a model, as part of a folder's name: other signs than `.` and `-` become `-`."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def write_text_whole(path: Path, text: str) -> None:
    """Write a text file in UTF-8 completely or not at all; raises OSError if the disk refuses."""
    with atomic_file(path) as temporary:
        temporary.write_text(text, "utf-8")


def flush(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk; raises OSError if it refuses."""
    # links have no content of their own, and Windows flushes names by itself
    if path.is_symlink() or (os.name == "nt" and path.is_dir()):
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_whole(folder: Path) -> None:
    """Delete a folder; if that fails halfway, nothing is left under its name."""
    hidden = _temporary(folder)
    with _MOVING:
        folder.rename(hidden)
        _delete(hidden)


def recover(parent: Path) -> None:
    """Put back or delete folders that killed processes left in *parent*."""
    with _MOVING:
        for retired in parent.glob(".*.old"):
            with suppress(OSError):
                _settle(retired)
        for temporary in parent.glob(".*.tmp-*"):
            with suppress(OSError):
                if temporary.stat().st_mtime < time.time() - _A_DAY:
                    _delete(temporary)


def _temporary(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.tmp-{uuid4().hex[:8]}")


def _put_in_place(temporary: Path, folder: Path, *, replace: bool) -> None:
    retired = folder.with_name(f".{folder.name}.old")
    try:
        if replace and folder.exists():
            _delete(retired)
            folder.rename(retired)
        temporary.rename(folder)
    finally:
        _settle(retired)


def _settle(retired: Path) -> None:
    # a new folder replaces the retired one; without a new one, the retired one is put back
    folder = retired.with_name(retired.name.removeprefix(".").removesuffix(".old"))
    if folder.exists():
        with suppress(OSError):
            _delete(retired)
    elif retired.exists():
        retired.rename(folder)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder while the block runs; waits for it, and creates the folder if missing."""
    make_folder(folder)
    # never one of filelock's soft locks, which a crash leaves behind
    with FileLock(folder / _LOCK_FILE, poll_interval=_POLL_SECONDS, fallback_to_soft=False, preserve_lock_file=True):
        yield


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Hold a file or a folder for writing while the block runs, which may take hours.

    Args:
        path: the file or folder to write. A hidden neighbour is the lock and is removed afterwards; the parent is
            created if missing, and removed again if nothing was written.

    Raises:
        SettingsError: another process is writing it, or it has no file name.
        OSError: the disk refuses.
    """
    if not path.name:
        raise SettingsError(f"'{path}' is not the name of a file or folder to write; give another one.")
    made = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"), blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        if not Path(lock.lock_file).exists():  # no file can be made there, as in /proc
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from error
        raise SettingsError(
            f"Another command is writing {path}; wait until it has finished, or choose another --out."
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):  # Windows refuses to delete an open file; the release deletes it there
            Path(lock.lock_file).unlink()  # before the release: filelock refuses a lock whose file is gone
        lock.release()
        if made:
            with suppress(OSError):  # a folder with content stays
                path.parent.rmdir()
