"""The connection to a label store: SQLite in a file, or PostgreSQL.

There is one writer at a time: on SQLite by BEGIN IMMEDIATE, on PostgreSQL by an advisory lock held until the
transaction ends. So what is read before a write is still true when it is written, rows are numbered in the order in
which they become visible, and two writers never deadlock. Readers wait for nobody.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from db.failures import errors_reported
from jobmatch_core.errors import LabelStoreUnavailableError

WAIT_SECONDS = 30  # for another writer
CONNECT_SECONDS = 10
_WRITERS_LOCK = 0x6A6F626D61746368  # 'jobmatch'; one number for all advisory locks of ours in a database
_DRIVER = "postgresql+psycopg"


class Database:
    """Connections for any number of threads of one process.

    Attributes:
        name: name of the store in messages, without user and password.
        path: path of the SQLite file; None for PostgreSQL.
    """

    def __init__(self, where: Path | str) -> None:
        """Set the path of a file, which need not exist, or a URL; nothing is connected yet.

        Raises:
            LabelStoreUnavailableError: the URL is not valid, or of a database that cannot hold labels.
        """
        url = _url(where)
        self.path = Path(url.database or "") if url.drivername == "sqlite" else None
        if self.path:
            self.name = f"The label store '{self.path}'"
            self._readers = _sqlite(url)
        else:
            self.name = f"The label store '{url.database or ''}' on PostgreSQL at {_host(url)}"
            self._readers = _postgresql(url)
        self._writers = self._readers.execution_options(writes=True)
        if self.path is None:  # SQLite reads so anyway
            self._readers = self._readers.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection in a read-only transaction, in which all statements see the same moment.

        Raises:
            LabelStoreUnavailableError: the database cannot be used; the message gives the reason.
        """
        with errors_reported(self.name), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the only writing connection, in a transaction that is rolled back if the block fails.

        Raises:
            LabelStoreUnavailableError: the database cannot be used; the message gives the reason.
        """
        with errors_reported(self.name), self._writers.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._readers.dispose()


def _url(where: Path | str) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return _sqlite_url(str(where))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        # neither the URL nor what was wrong with it is repeated: a password may be part of it
        raise LabelStoreUnavailableError(f"The label store's URL cannot be read; it looks like {_EXAMPLE}.") from None
    if url.drivername.startswith("sqlite"):
        return _sqlite_url(url.database or "")
    if url.drivername in ("postgresql", _DRIVER):
        return url.set(drivername=_DRIVER)
    raise LabelStoreUnavailableError(
        f"Labels cannot be stored in '{url.drivername}'; give a path, or a URL like {_EXAMPLE}."
    )


_EXAMPLE = f"{_DRIVER}://user:password@host/database"


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
        # nobody can change it, and SQLite's write-ahead log would need files beside it even to read
        url = url.set(database=f"{path.absolute().as_uri()}?immutable=1").update_query_dict({"uri": "true"})
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _on_a_read_only_disk(path: Path) -> bool:
    """Return whether a file lies on a read-only disk, without content in a write-ahead log."""
    log = path.with_name(f"{path.name}-wal")
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY) and not (log.exists() and log.stat().st_size)
    except (OSError, ValueError, AttributeError):  # there is none; a NUL in its name; Windows, without statvfs
        return False


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # else Python begins transactions as it sees fit
    connection.create_function("lower", 1, str.lower, deterministic=True)  # SQLite's own knows the English letters only
    _use_write_ahead_log(connection)
    for pragma in ("foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _use_write_ahead_log(connection: DBAPIConnection) -> None:
    """Let readers and a writer not wait for each other; SQLite itself does not wait for its turn to change that."""
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
    options = f"{url.query.get('options', '')} -c timezone=UTC -c lock_timeout={WAIT_SECONDS}s"  # a day is a day of UTC
    engine = create_engine(
        url, pool_pre_ping=True, connect_args={"options": options, "connect_timeout": CONNECT_SECONDS}
    )
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _begin_postgresql(connection: Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        connection.execute(select(func.pg_advisory_xact_lock(_WRITERS_LOCK)))
