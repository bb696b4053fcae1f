"""Tables of vectors in a PostgreSQL with pgvector: a row per freelancer, filtered columns beside the vector."""

from hashlib import blake2b
from uuid import uuid4

from pgvector.sqlalchemy import VECTOR
from sqlalchemy import DDL, Column, Connection, Double, Index, Integer, MetaData, Table, Text, inspect
from sqlalchemy.exc import NoSuchTableError

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
