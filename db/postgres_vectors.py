"""The vector stores of a PostgreSQL, which may be the server of the labels.

When all freelancers are encoded again, a new table is filled beside the old one and then takes over its name, in one
transaction. Tables are made where vectors are first stored, by no migration: a database of labels needs no extension.
"""

from collections.abc import Callable
from contextlib import suppress

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext

from db.pgvector_store import PgvectorStore
from db.vector_server import connected, transaction
from db.vector_tables import dimension_and_stamp, make_indexes, vector_table
from jobmatch_core.errors import MatchingError


class PostgresVectors:
    """Stores by name in one database; those that it opens share its connections."""

    def __init__(self, url: str, password: str = "") -> None:
        """Connect; see `vector_server.connected`.

        Raises:
            MatchingError: the URL cannot be read or has a password, the server cannot be reached, or has no pgvector.
        """
        self._engine = connected(url, password)

    def open(self, name: str, stamp: str) -> PgvectorStore | None:
        """Return a store, or None where none has that name and stamp.

        Raises:
            MatchingError: the server cannot be reached.
        """
        with transaction(self._engine) as connection:
            found = dimension_and_stamp(connection, name)
        return self._store(name, found[0]) if found and found[1] == stamp else None

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[PgvectorStore], None]) -> PgvectorStore:
        """Fill a new table and let it replace the one of the same name, which serves until then.

        Args:
            name: name of the store; one process at a time fills a store.
            stamp: identity of the content, letters and digits.
            dimension: the length of the vectors.
            fill: puts the freelancers into the new store.

        Raises:
            MatchingError: the server cannot be reached or refuses.
        """
        filling = f"{name} (being filled)"
        self.remove(filling)  # what a process that was killed has left
        new, old = vector_table(filling, dimension, stamp), vector_table(name, dimension)
        try:
            with transaction(self._engine) as connection:
                new.create(connection)
            fill(self._store(filling, dimension))
            with transaction(self._engine) as connection:
                make_indexes(connection, new, dimension)
            with transaction(self._engine) as connection:
                old.drop(connection, checkfirst=True)
                Operations(MigrationContext.configure(connection)).rename_table(new.name, old.name)
        except BaseException:
            with suppress(MatchingError):
                self.remove(filling)
            raise
        return self._store(name, dimension)

    def remove(self, name: str) -> None:
        """Remove a store; do nothing where there is none of that name.

        Raises:
            MatchingError: the server cannot be reached or refuses.
        """
        with transaction(self._engine) as connection:
            vector_table(name, 1).drop(connection, checkfirst=True)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _store(self, name: str, dimension: int) -> PgvectorStore:
        return PgvectorStore(self._engine, vector_table(name, dimension), dimension)
