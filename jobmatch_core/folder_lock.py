"""A lock on a folder: one process writes there at a time. The system lets go of it when its holder ends, however."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

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


def _wait_for(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:  # after ten seconds: the other one is still at it
                continue
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
