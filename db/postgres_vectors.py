"""Vector stores in a PostgreSQL database, by name: a table each, with a row per freelancer."""

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
_MAX_INDEXED = 2000  # pgvector's maximum dimension of an index; longer vectors are searched exhaustively


def vector_table(store: str, dimension: int, stamp: str = "") -> Table:
    """Return the table of a store, without creating it; its comment holds dimension and stamp.

    The table's name is a hash of the store's, since PostgreSQL limits names to 63 bytes; the stamp has letters and
    digits.
    """
    return Table(
        f"jobmatch_vectors_{blake2b(store.encode(), digest_size=8).hexdigest()}",
        MetaData(),
        Column("id", Text(collation="C"), primary_key=True),
        Column("vector", VECTOR(dimension), nullable=False),
        *(Column(keyword, Text(collation="C"), nullable=False) for keyword in KEYWORDS),
        *(Column(number, Double) for number in _NUMBERS),
        Column("available", Integer),  # a day, see `date.toordinal`
        comment=f"{dimension} {stamp}",
    )


def dimension_and_stamp(connection: Connection, store: str) -> tuple[int, str] | None:
    """Return the dimension and stamp of a store, or None if it does not exist."""
    try:
        comment = inspect(connection).get_table_comment(vector_table(store, 1).name)["text"] or ""
    except NoSuchTableError:
        return None
    dimension, _, stamp = comment.partition(" ")
    return int(dimension), stamp


def make_indexes(connection: Connection, filled: Table, dimension: int) -> None:
    """Create the indexes of a filled table, which is much faster than updating them while it is filled."""
    prefix = f"jobmatch_{uuid4().hex}"  # not the table's name, which changes
    if dimension <= _MAX_INDEXED:
        graph = Index(
            f"{prefix}_vector", filled.c.vector, postgresql_using="hnsw", postgresql_ops={"vector": "vector_ip_ops"}
        )
        graph.create(connection)
    for name in (*KEYWORDS, "latitude", "available", "day_rate"):
        Index(f"{prefix}_{name}", filled.c[name]).create(connection)
    # without statistics, the planner guesses how many rows pass a filter
    connection.execute(DDL("ANALYZE %(fullname)s").against(filled))  # type: ignore[no-untyped-call]


class PostgresVectors:
    """Stores by name in one database, which share its connections."""

    def __init__(self, url: str, password: str = "") -> None:
        """Connect; see `vector_server.connected`.

        Raises MatchingError if the URL cannot be read or has a password, the server cannot be reached, or has no
        pgvector.
        """
        self._engine = connected(url, password)

    def open(self, name: str, stamp: str) -> PgvectorStore | None:
        """Return the store with a name and stamp, or None; raises MatchingError if the server cannot be reached."""
        with transaction(self._engine) as connection:
            stored = dimension_and_stamp(connection, name)
        if stored is None or stored[1] != stamp:
            return None
        return PgvectorStore(self._engine, vector_table(name, stored[0]), stored[0])

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[PgvectorStore], None]) -> PgvectorStore:
        """Fill a new store and replace the one of the same name, which remains in use until then.

        Args:
            name: name of the store; only one process at a time may fill it.
            stamp: identity of the content, letters and digits.

        Raises MatchingError if the server cannot be reached or refuses.
        """
        filling = f"{name} (being filled)"
        self.remove(filling)  # left behind by a killed process
        new, old = vector_table(filling, dimension, stamp), vector_table(name, dimension)
        try:
            with transaction(self._engine) as connection:
                new.create(connection)
            fill(PgvectorStore(self._engine, new, dimension))
            with transaction(self._engine) as connection:
                make_indexes(connection, new, dimension)
            with transaction(self._engine) as connection:
                old.drop(connection, checkfirst=True)
                Operations(MigrationContext.configure(connection)).rename_table(new.name, old.name)
        except BaseException:
            with suppress(MatchingError):
                self.remove(filling)
            raise
        return PgvectorStore(self._engine, old, dimension)

    def remove(self, name: str) -> None:
        """Remove a store if it exists; raises MatchingError if the server cannot be reached or refuses."""
        with transaction(self._engine) as connection:
            vector_table(name, 1).drop(connection, checkfirst=True)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
