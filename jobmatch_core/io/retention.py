"""Removal of what nobody has used for `JOBMATCH_KEEP_DAYS`."""

import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_log = logging.getLogger(__name__)
_A_DAY = 24 * 60 * 60.0  # seconds


def remove_unused(
    paths: Iterable[Path], keep_days: int, last_used: Callable[[Path], float], remove: Callable[[Path], None]
) -> None:
    """Remove files or folders that were last used more than *keep_days* ago; none where that is 0.

    One that cannot be removed stays, with a warning in the log.

    Args:
        paths: Files or folders.
        keep_days: Days without use after which one is removed; 0 for never.
        last_used: Returns when a path was last used, in seconds since 1970.
        remove: Removes a path.
    """
    if not keep_days:
        return
    oldest = time.time() - keep_days * _A_DAY
    for path in paths:
        try:
            if last_used(path) < oldest:
                remove(path)
        except OSError as error:
            _log.warning("%s could not be removed, though nobody used it for long: %s", path, error)
