"""A consistent copy of the store while others write."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast
from uuid import uuid4

from sqlalchemy import Connection

from db.database import Database
from db.failures import errors_reported
from jobmatch_core.errors import LabelStoreError


def back_up(database: Database, path: Path) -> None:
    """Copy the store as it is at one moment to a file, completely or not at all.

    Raises:
        LabelStoreError: the store is on PostgreSQL, the file exists, or cannot be written.
    """
    if database.path is None:
        raise LabelStoreError(
            f"{database.name} is backed up by PostgreSQL's own `pg_dump`; jobmatch copies files only."
        )
    if path.exists():
        raise LabelStoreError(f"'{path}' exists, and backups replace nothing: choose another name.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _written_whole(path) as temporary, database.reading() as connection:
            # a transaction that has read something is never locked out, while `backup` waits for locks without end
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
            _check_whole(database.name, connection)
            with errors_reported(f"The backup '{path}'"), closing(sqlite3.connect(temporary)) as copy:
                source = cast(sqlite3.Connection, connection.connection.driver_connection)
                source.backup(copy)
    except OSError as error:
        raise LabelStoreError(
            f"The backup '{path}' cannot be written ({error.strerror}: '{error.filename}'): choose another place."
        ) from error


def _check_whole(name: str, connection: Connection) -> None:
    """Refuse to copy a damaged store: the copy would be damaged too.

    Raises:
        LabelStoreError: the store is damaged.
    """
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
        raise LabelStoreError(f"{name} is damaged: restore a backup (`jobmatch labels backup` makes them).")


@contextmanager
def _written_whole(path: Path) -> Iterator[Path]:
    temporary = path.with_name(f".{path.name}.tmp-{uuid4().hex[:8]}")
    try:
        yield temporary
        temporary.rename(path)  # SQLite has flushed it to the disk
    finally:
        temporary.unlink(missing_ok=True)
