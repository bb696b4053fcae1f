"""The engines that `jobmatch bench stores` compares; those that are not installed are imported when they are filled."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobmatch_core.benchmarks.speed.store_speed import ComparedStore, Engine, Fill
from jobmatch_core.vector_stores.exact_store import ExactStore

_QDRANT_MOST = 10_000  # beyond that its memory mode takes seconds a query
_TABLE = "jobmatch bench stores"


@contextmanager
def store_engines(postgres: str = "") -> Iterator[dict[str, Engine]]:
    """Yield the engines by name; what is stored on a server is removed afterwards.

    Args:
        postgres: URL of a PostgreSQL with pgvector, whose password is `JOBMATCH_VECTOR_KEY`; '' to leave it out.

    Raises:
        MatchingError: the server cannot be reached, or has no pgvector.
    """
    if not postgres:
        yield ENGINES
        return
    from db.pgvector_store import PgvectorStore
    from db.postgres_vectors import PostgresVectors

    vectors = PostgresVectors(postgres, os.environ.get("JOBMATCH_VECTOR_KEY", ""))

    def filled(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
        return vectors.refill(_TABLE, "bench", dimension, fill)

    def disk_bytes(store: ComparedStore, folder: Path) -> int:
        return store.disk_bytes() if isinstance(store, PgvectorStore) else 0

    try:
        yield ENGINES | {"pgvector": Engine(filled, "a graph, on a server", disk_bytes=disk_bytes)}
    finally:
        vectors.remove(_TABLE)
        vectors.close()


def _ours(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    store = ExactStore.create(folder / "store", dimension)
    fill(store)
    return store


def _qdrant(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from jobmatch_core.vector_stores.qdrant_store import IN_MEMORY, QdrantStore, connected, refilled

    client = connected(IN_MEMORY)
    return QdrantStore(client, refilled(client, "bench", dimension, "1", fill))


def _lancedb(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from db.lancedb_store import LanceDBStore

    store = LanceDBStore(folder, dimension)
    fill(store)
    store.make_indexes()
    return store


def _duckdb(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from db.duckdb_store import DuckDBStore

    store = DuckDBStore(folder, dimension)
    fill(store)
    return store


ENGINES = {
    "ours": Engine(_ours, "compares all"),
    "qdrant": Engine(_qdrant, "its memory mode, which compares all, in place of a server", most=_QDRANT_MOST),
    "lancedb": Engine(_lancedb, "a graph, embedded"),
    "duckdb": Engine(_duckdb, "compares all, embedded; its graph comes from the network alone"),
}
