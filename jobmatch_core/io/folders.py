"""Files and folders that are written completely or not at all, by one writer at a time.

While `NAME` is written or replaced, hidden neighbours hold what is not in its place:

    .NAME.tmp-1a2b3c4d   the new folder while it is written, or one that is being removed
    .NAME.old            the older folder, for the moment between its leaving and the new one's coming

A process that is killed leaves them behind; `recover` puts `.NAME.old` back or deletes them. A file is written to a
hidden neighbour, `.STEM.tmp-1a2b3c4d.ENDING`, and renamed, which replaces an older one in one step.

What is written is on the disk before it is renamed, and so is the new name before the block is left: a machine that
loses its power has the old content or the new, and no empty file under a name that was there before.

`locked` waits for a folder that is needed for a moment. `claimed` refuses a file or folder that another process is
writing, possibly for hours. Both are locks of the system by `filelock`, released when their holder exits, also on a
crash; never its soft ones, which a crash leaves behind.
"""

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

_PRIVATE, _USUAL, _OF_OTHERS = 0o700, 0o777, 0o077  # modes of folders; the system takes its mask from the usual one
_A_DAY = 24 * 60 * 60.0  # no folder takes that long to write
_MOVING = threading.Lock()  # else `recover` in one thread undoes what another is about to finish
_FILE = "lock"
_POLL_SECONDS = 0.01  # locks that are waited for are held for a moment only


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it that are missing, for this user alone; OSError where the disk refuses."""
    try:
        folder.mkdir(_PRIVATE, exist_ok=True)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_folder(folder.parent)
        folder.mkdir(_PRIVATE, exist_ok=True)


def _is_private(folder: Path) -> bool:
    return not folder.stat().st_mode & _OF_OTHERS


@contextmanager
def atomic_folder(folder: Path, *, replace: bool = True) -> Iterator[Path]:
    """Yield a temporary folder to write to; rename it to *folder* when the block succeeds.

    An existing folder of that name is replaced only then. If the block or the replacement fails, the existing one
    stays; if the process is killed, the next `recover` restores it.

    Args:
        folder: final path of the folder; for this user alone where the folder above it is, or is made.
        replace: replace an existing folder; for an instant neither of the two is at that path.

    Raises:
        OSError: the disk refuses, or the folder exists and must not be replaced.
    """
    make_folder(folder.parent)
    recover(folder.parent)
    temporary = _temporary(folder)
    temporary.mkdir(_PRIVATE if _is_private(folder.parent) else _USUAL)
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

    An existing file stays until then, and also if the block fails or the process is killed.

    Raises:
        OSError: the disk refuses.
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
    """Return the name of a model or the like as part of a folder's name, which is neither a path nor holds a `+`."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def write_text_whole(path: Path, text: str) -> None:
    """Write a text file in UTF-8 that appears whole or not at all; OSError where the disk refuses."""
    with atomic_file(path) as temporary:
        temporary.write_text(text, "utf-8")


def flush(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk; OSError where it refuses.

    Links are left alone, and so are folders on Windows, which keeps their names safe by itself.
    """
    if path.is_symlink() or (os.name == "nt" and path.is_dir()):
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_whole(folder: Path) -> None:
    """Delete a folder; where that fails half way, nothing of it is left under its name."""
    hidden = _temporary(folder)
    with _MOVING:
        folder.rename(hidden)
        _delete(hidden)


def recover(parent: Path) -> None:
    """Put back or delete what killed processes left in *parent*."""
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
    """Put an older folder back, or delete it where a new one has come."""
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
    """Wait until no other process or thread has the lock, and hold it while the block runs.

    Args:
        folder: created if missing; an empty file in it is the lock.

    Raises:
        OSError: the disk refuses.
    """
    make_folder(folder)
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
