"""A full disk, whichever library noticed it: the system, SQLite or PostgreSQL."""

import errno
import sqlite3

_OF_SYSTEM = (errno.ENOSPC, errno.EDQUOT)
_OF_SQLITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
_OF_POSTGRESQL = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error, or one that it was raised from, says that a disk is full."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _OF_SYSTEM:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) in _OF_SQLITE:
            return True
        if getattr(error, "sqlstate", None) == _OF_POSTGRESQL:
            return True
        error = error.__cause__
    return False
