"""The vector stores of a PostgreSQL, which may be the server of the labels, and their tables.

A table has a row per freelancer, with filtered columns beside the vector.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from uuid import uuid4

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from pgvector.sqlalchemy import VECTOR
from sqlalchemy import DDL, Column, Connection, Double, Index, Integer, MetaData, Table, Text, inspect
from sqlalchemy.exc import NoSuchTableError

from db.pgvector_store import PgvectorStore
from db.vector_server import connected, transaction
from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.vector_store import KEYWORDS

_NUMBERS = ("latitude", "longitude", "day_rate")
_LONGEST_INDEXED = 2000  # numbers of a vector in a graph of pgvector; longer ones are all compared


def vector_table(store: str, dimension: int, stamp: str = "") -> Table:
    """Return the table of a store, with its stamp and dimension for a comment; nothing is made.

    Args:
        store: name of the store; the table's is a hash of it, since PostgreSQL has no longer names than 63 bytes.
        dimension: the length of the vectors.
        stamp: identity of the content, letters and digits.
    """
    return Table(
        f"jobmatch_vectors_{blake2b(store.encode(), digest_size=8).hexdigest()}",
        MetaData(),
        Column("id", Text(collation="C"), primary_key=True),
        Column("vector", VECTOR(dimension), nullable=False),
        *(Column(keyword, Text(collation="C"), nullable=False) for keyword in KEYWORDS),
        *(Column(number, Double) for number in _NUMBERS),
        Column("available", Integer),  # a day as of `date.toordinal`
        comment=f"{dimension} {stamp}",
    )


def dimension_and_stamp(connection: Connection, store: str) -> tuple[int, str] | None:
    """Return what the comment of a store's table says; None where there is no such table."""
    try:
        comment = inspect(connection).get_table_comment(vector_table(store, 1).name)["text"] or ""
    except NoSuchTableError:
        return None
    dimension, _, stamp = comment.partition(" ")
    return int(dimension), stamp


def make_indexes(connection: Connection, filled: Table, dimension: int) -> None:
    """Make the indexes of a table that is full, which takes far less time than keeping them while it is filled."""
    prefix = f"jobmatch_{uuid4().hex}"  # not the table's name, which will be another's
    if dimension <= _LONGEST_INDEXED:
        graph = Index(
            f"{prefix}_vector", filled.c.vector, postgresql_using="hnsw", postgresql_ops={"vector": "vector_ip_ops"}
        )
        graph.create(connection)
    for name in (*KEYWORDS, "latitude", "available", "day_rate"):
        Index(f"{prefix}_{name}", filled.c[name]).create(connection)
    # else the planner guesses how many pass a filter
    connection.execute(DDL("ANALYZE %(fullname)s").against(filled))  # type: ignore[no-untyped-call]


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
