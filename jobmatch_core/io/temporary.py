"""Temporary folders for texts of users. Killed processes leave theirs behind; `remove_left_over` deletes them."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "jobmatch-temporary-"
_NAME = re.compile(_PREFIX + r"\w{8}")
_A_DAY = 24 * 60 * 60.0  # no folder is needed for so long


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a new folder in the system's temporary folder, deleted when the block ends."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        yield Path(name)


def remove_left_over() -> None:
    """Delete temporary folders that killed processes of this user left more than a day ago."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = path.lstat()
            own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if own and _NAME.fullmatch(path.name) and status.st_mtime < time.time() - _A_DAY:
                shutil.rmtree(path)
