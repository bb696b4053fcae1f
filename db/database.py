"""Connections to a label store on SQLite or PostgreSQL, their errors, and backups.

Expected database errors become messages with a remedy; other errors are bugs and are not translated.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TypeVar, cast
from uuid import uuid4

from psycopg import Error as PostgresError
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, TimeoutError  # noqa: A004 - SQLAlchemy's own, of its pool of connections
from sqlalchemy.pool import ConnectionPoolEntry

from jobmatch_core.errors import LabelStoreError, LabelStoreUnavailableError

T = TypeVar("T")

_AT_ONCE = 500  # values; SQLite accepts 32,766 parameters in a statement, PostgreSQL 65,535
_STORE_OF_FILE = "The label store '{path}'"
_STORE_ON_POSTGRESQL = "The label store '{name}' on PostgreSQL at {host}"
_BACKUP = "The backup '{path}'"
_DISK_FULL = "{store} cannot be written, the disk is full: free some disk space and try again; stored labels are safe."
_DISK_ERROR = "{store} cannot be read or written, the disk reports an error: check the disk, then try again."
_LOCKED = "{store} has been locked by another program for too long: wait until it finishes, or stop it, and try again."
_READ_ONLY = "{store} is read-only: give this user write permission, or choose another location."
_NOT_OPENED = "{store} cannot be opened: it must be a file in a folder that this user may write to."
_NO_DATABASE = "{store} is not an SQLite database: choose another file, or move this one away."
_DAMAGED = "{store} is damaged: restore a backup (`jobmatch labels backup` makes them)."
_UNREACHABLE = "{store} cannot be reached: check that the server runs and that the URL is right. It replies: {reply}"

_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _DISK_FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: _DISK_FULL,  # readers need disk space, too, for the file that processes share
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _NOT_OPENED,
    sqlite3.SQLITE_NOTADB: _NO_DATABASE,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_IOERR: _DISK_ERROR,
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


_PRIVATE, _OF_OTHERS = 0o600, 0o077  # modes of files
_USER = getattr(os, "geteuid", lambda: 0)  # Windows has no user ids; it reports 0 as the owner of every file
WAIT_SECONDS = 30  # for another writer
_CHECKPOINT_SECONDS = 2
_TRY_LATER = "The server tries again every hour; `jobmatch search-log erase` tries at once."
_KEPT_BY_POSTGRESQL = (
    "PostgreSQL removes erased rows from its files after a VACUUM; its archives of the write-ahead log, backups and "
    "replicas still have them (docs/search-log.md)."
)
CONNECT_SECONDS = 10
_WRITERS_LOCK = 0x6A6F626D61746368  # 'jobmatch'; the number of our advisory lock
_DRIVER = "postgresql+psycopg"
_EXAMPLE = f"{_DRIVER}://user:password@host/database"


@contextmanager
def errors_reported(store: str) -> Iterator[None]:
    """Translate errors that a user can fix.

    Raises LabelStoreUnavailableError if the disk is full, *store* is locked, damaged, read-only, cannot be reached ...
    """
    try:
        yield
    except TimeoutError as error:
        raise LabelStoreUnavailableError(_LOCKED.format(store=store)) from error
    except (DBAPIError, sqlite3.Error) as error:
        problem = _problem(error)
        if problem is None:
            raise
        reply = " ".join(str(getattr(error, "orig", error)).split())
        raise LabelStoreUnavailableError(problem.format(store=store, reply=reply)) from error


def _problem(error: DBAPIError | sqlite3.Error) -> str | None:
    if isinstance(error, sqlite3.Error):
        return _problem_of_sqlite(error)
    if isinstance(error.orig, sqlite3.Error):
        return _problem_of_sqlite(error.orig)
    if isinstance(error.orig, PostgresError):
        connected = error.statement is not None and not error.connection_invalidated
        if connected:
            return _OF_POSTGRESQL.get(error.orig.sqlstate or "")
        return _UNREACHABLE
    return None


def _problem_of_sqlite(error: sqlite3.Error) -> str | None:
    code: int = getattr(error, "sqlite_errorcode", 0)  # errors that the module `sqlite3` raises itself have none
    return _OF_SQLITE.get(code) or _OF_SQLITE.get(code & 0xFF)  # extended codes end in the primary code


class Database:
    """Database connections, shared by all threads of a process."""

    def __init__(self, where: Path | str) -> None:
        """Set the path of a file, which need not exist, or a URL; does not connect yet.

        Raises LabelStoreUnavailableError if the URL is invalid, or its database is not supported.
        """
        url = _url(where)
        # path of the SQLite file; None for PostgreSQL
        self.path = Path(url.database or "") if url.drivername == "sqlite" else None
        if self.path:  # `name` is for messages, without user and password
            self.name = _STORE_OF_FILE.format(path=self.path)
            self._readers = _sqlite(url)
        else:
            self.name = _STORE_ON_POSTGRESQL.format(name=url.database or "", host=_host(url))
            self._readers = _postgresql(url)
        self._writers = self._readers.execution_options(writes=True)
        if self.path is None:  # SQLite reads so anyway
            self._readers = self._readers.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection in a read-only transaction; all its statements see the same snapshot.

        Raises LabelStoreUnavailableError if the database cannot be used.
        """
        with errors_reported(self.name), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the only writing connection, in a transaction that is rolled back if the block fails.

        Raises LabelStoreUnavailableError if the database cannot be used.
        """
        with errors_reported(self.name), self._writers.begin() as connection:
            yield connection

    def overwrite_deleted(self, *, everywhere: bool = False) -> str:
        """Remove the content of deleted rows from SQLite's files; return what may stay readable, '' for nothing.

        Connections overwrite rows that they delete, but the write-ahead log holds the old pages until it is emptied.

        Args:
            everywhere: rewrite the whole file: earlier releases left deleted rows in it.
        """
        if self.path is None:
            return _KEPT_BY_POSTGRESQL
        log = f"{self.path}-wal"
        try:
            # a separate connection with a short timeout, because a user waits for the answer
            with closing(sqlite3.connect(self.path, timeout=_CHECKPOINT_SECONDS, isolation_level=None)) as connection:
                if everywhere:
                    connection.execute("VACUUM")
                [busy, *_] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            return f"Erased texts may stay readable in '{self.path}' and '{log}' ({error}). {_TRY_LATER}"
        held = f"Others are reading the label store, so erased texts stay readable in '{log}'. {_TRY_LATER}"
        return held if busy else ""

    def close(self) -> None:
        """Close all connections."""
        self._readers.dispose()


def in_parts(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield parts of values, in their order, each of which a statement accepts as its parameters."""
    remaining = iter(values)
    while part := list(islice(remaining, _AT_ONCE)):
        yield part


def place_of(where: Path | str) -> str:
    """Return the location of a store: the path of its file, or server and database without user and password.

    Raises LabelStoreUnavailableError if the URL is invalid, or its database is not supported.
    """
    url = _url(where)
    if url.drivername == "sqlite":
        return str(Path(url.database or "").absolute())
    return f"PostgreSQL at {_host(url)}, database {url.database or ''}"


def _url(where: Path | str) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return _sqlite_url(str(where))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # the message repeats neither the URL nor the error, which may contain a password
        raise LabelStoreUnavailableError(f"The label store's URL cannot be read; it looks like {_EXAMPLE}.") from None
    if url.drivername.startswith("sqlite"):
        return _sqlite_url(url.database or "")
    if url.drivername in ("postgresql", _DRIVER):
        return url.set(drivername=_DRIVER)
    raise LabelStoreUnavailableError(
        f"Labels cannot be stored in '{url.drivername}'; give a path, or a URL like {_EXAMPLE}."
    )


def _sqlite_url(database: str) -> URL:
    if database in ("", ":memory:"):
        raise LabelStoreUnavailableError("The label store needs the path of a file, such as jobmatch.db.")
    return URL.create("sqlite", database=database)


def _host(url: URL) -> str:
    host = url.host or url.query.get("host") or "this machine"
    return f"{host}:{url.port}" if url.port else str(host)


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
    if _on_a_read_only_disk(path):
        # even readers of a write-ahead log need to create files beside the database
        url = url.set(database=f"{path.absolute().as_uri()}?immutable=1").update_query_dict({"uri": "true"})
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", lambda *_: _keep_private(path))
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _keep_private(path: Path) -> None:
    # does not open the files: closing one would release SQLite's locks on it
    for file in (path, *(path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm"))):
        with suppress(OSError, ValueError):
            status = file.stat()
            is_loose = stat.S_ISREG(status.st_mode) and status.st_mode & _OF_OTHERS
            if is_loose and status.st_uid == _USER():
                file.chmod(_PRIVATE)


def _on_a_read_only_disk(path: Path) -> bool:
    # a write-ahead log with content must be read, so such a store is not immutable
    log = path.with_name(f"{path.name}-wal")
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY) and not (log.exists() and log.stat().st_size)
    except (OSError, ValueError, AttributeError):  # missing file; a NUL in its name; Windows, without statvfs
        return False


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # else Python begins transactions itself
    connection.create_function("lower", 1, str.lower, deterministic=True)  # SQLite's own handles ASCII only
    _use_write_ahead_log(connection)
    for pragma in ("foreign_keys = ON", "synchronous = FULL", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _use_write_ahead_log(connection: DBAPIConnection) -> None:
    # SQLite's own timeout does not apply to this statement
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> Engine:
    options = f"{url.query.get('options', '')} -c timezone=UTC -c lock_timeout={WAIT_SECONDS}s"  # days are UTC days
    engine = create_engine(
        url, pool_pre_ping=True, connect_args={"options": options, "connect_timeout": CONNECT_SECONDS}
    )
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _begin_postgresql(connection: Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        connection.execute(select(func.pg_advisory_xact_lock(_WRITERS_LOCK)))


def back_up(database: Database, path: Path) -> None:
    """Copy a snapshot of the store to a new file, atomically.

    Raises LabelStoreError if the store is on PostgreSQL or damaged, the file exists, or cannot be written.
    """
    if database.path is None:
        raise LabelStoreError(
            f"{database.name} cannot be backed up by jobmatch, which copies files only: use PostgreSQL's `pg_dump`."
        )
    if path.exists():
        raise LabelStoreError(f"'{path}' exists, and a backup never overwrites a file: choose another name.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _atomic_file(path) as temporary, database.reading() as connection:
            # a transaction that has read something is never locked out, whereas `backup` waits for locks forever
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
            if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
                raise LabelStoreError(_DAMAGED.format(store=database.name))
            with errors_reported(_BACKUP.format(path=path)), closing(sqlite3.connect(temporary)) as copy:
                _keep_private(temporary)
                source = cast(sqlite3.Connection, connection.connection.driver_connection)
                source.backup(copy)
    except OSError as error:
        raise LabelStoreError(
            f"The backup '{path}' cannot be written ({error.strerror}: '{error.filename}'): choose another place."
        ) from error


@contextmanager
def _atomic_file(path: Path) -> Iterator[Path]:
    temporary = path.with_name(f".{path.name}.tmp-{uuid4().hex[:8]}")
    try:
        yield temporary
        temporary.rename(path)  # SQLite has flushed it to the disk
    finally:
        temporary.unlink(missing_ok=True)
