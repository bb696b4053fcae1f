"""A label store whose disk is full, as far as SQLite says so."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from db.label_store import LabelStore


def sqlite_is_full() -> sqlite3.OperationalError:
    """Return the error of SQLite on a full disk."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@contextmanager
def no_room_in(store: LabelStore) -> Iterator[None]:
    """Let a store be read, but not written, while the block runs."""

    def refuse(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT"):
            raise sqlite_is_full()

    engine = store._database._readers
    event.listen(engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", refuse)
