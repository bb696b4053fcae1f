"""Errors of the databases as messages with a remedy; errors that are not listed here are bugs and stay visible."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Error as PostgresError
from sqlalchemy.exc import DBAPIError, TimeoutError  # noqa: A004 - SQLAlchemy's own, of its pool of connections

from jobmatch_core.errors import LabelStoreUnavailableError

_DISK_FULL = "cannot be written, the disk is full: free some disk space and try again; stored labels are safe."
_LOCKED = "has been locked by another program for too long: wait until it finishes, or stop it, and try again."
_READ_ONLY = "is read-only: give this user write permission, or choose another location."
_DAMAGED = "is damaged: restore a backup (`jobmatch labels backup` makes them)."

_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _DISK_FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: _DISK_FULL,  # readers need disk space, too, for the file that processes share
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: it must be a file in a folder that this user may write to.",
    sqlite3.SQLITE_NOTADB: "is not an SQLite database: choose another file, or move this one away.",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_IOERR: "cannot be read or written, the disk reports an error: check the disk, then try again.",
}
# by SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html
_OF_POSTGRESQL = {
    "53100": _DISK_FULL,
    "55P03": _LOCKED,
    "25006": _READ_ONLY,
    "42501": _READ_ONLY,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}


@contextmanager
def errors_reported(store: str) -> Iterator[None]:
    """Raise errors that a user can act on as a LabelStoreUnavailableError about *store*.

    Raises:
        LabelStoreUnavailableError: the disk is full, the store is locked, damaged, read-only, cannot be reached ...
    """
    try:
        yield
    except TimeoutError as error:
        raise LabelStoreUnavailableError(f"{store} {_LOCKED}") from error
    except (DBAPIError, sqlite3.Error) as error:
        reason = _reason(error)
        if reason is None:
            raise
        raise LabelStoreUnavailableError(f"{store} {reason}") from error


def _reason(error: DBAPIError | sqlite3.Error) -> str | None:
    if isinstance(error, sqlite3.Error):
        return _reason_of_sqlite(error)
    if isinstance(error.orig, sqlite3.Error):
        return _reason_of_sqlite(error.orig)
    if isinstance(error.orig, PostgresError):
        connected = error.statement is not None and not error.connection_invalidated
        return _OF_POSTGRESQL.get(error.orig.sqlstate or "") if connected else _unreachable(error.orig)
    return None


def _reason_of_sqlite(error: sqlite3.Error) -> str | None:
    code: int = getattr(error, "sqlite_errorcode", 0)  # errors that the module `sqlite3` raises itself have none
    return _OF_SQLITE.get(code) or _OF_SQLITE.get(code & 0xFF)  # extended codes end in the primary code


def _unreachable(error: PostgresError) -> str:
    reply = " ".join(str(error).split())
    return f"cannot be reached: check that the server runs and that the URL is right. It replies: {reply}"
