"""Engines that `python -m lab bench stores` compares; optional packages are imported when an engine is filled."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.exact_store import ExactStore
from lab.speed.store_speed import ComparedStore, Engine, Fill

if TYPE_CHECKING:
    from lab.stores.lancedb_store import LanceDBStore

_TABLE = "jobmatch bench stores"


@contextmanager
def store_engines(postgres: str = "", lancedb: str = "") -> Iterator[dict[str, Engine]]:
    """Yield the engines by name; what is stored elsewhere is removed afterwards.

    Args:
        postgres: URL of a PostgreSQL with pgvector, whose password is `JOBMATCH_VECTOR_KEY`; '' to leave it out.
        lancedb: address for a LanceDB on object storage, such as `s3://BUCKET/FOLDER`; '' to leave it out.

    Raises:
        MatchingError: the server cannot be reached, or has no pgvector.
    """
    with ExitStack() as elsewhere:
        engines = dict(ENGINES)
        if lancedb:
            engines["lancedb-remote"] = elsewhere.enter_context(_lancedb_at(lancedb))
        if postgres:
            engines["pgvector"] = elsewhere.enter_context(_pgvector_at(postgres))
        yield engines


@contextmanager
def _pgvector_at(url: str) -> Iterator[Engine]:
    from db.pgvector_store import PgvectorStore
    from db.postgres_vectors import PostgresVectors

    vectors = PostgresVectors(url, os.environ.get("JOBMATCH_VECTOR_KEY", ""))

    def filled(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
        return vectors.refill(_TABLE, "bench", dimension, fill)

    def disk_bytes(store: ComparedStore, folder: Path) -> int:
        return store.disk_bytes() if isinstance(store, PgvectorStore) else 0

    try:
        yield Engine(filled, "a graph, on a server", disk_bytes=disk_bytes)
    finally:
        vectors.remove(_TABLE)
        vectors.close()


@contextmanager
def _lancedb_at(address: str) -> Iterator[Engine]:
    stores: list[LanceDBStore] = []

    def filled(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
        from lab.stores.lancedb_store import LanceDBStore

        try:
            stores.append(LanceDBStore(address, dimension))
        except (OSError, RuntimeError, ValueError) as error:
            raise MatchingError(
                f"LanceDB cannot make a table at {address} ({' '.join(str(error).split())[:300]}); check the address, "
                "and the variables of the environment that docs/cli.md names, and remove a table left there."
            ) from error
        return _indexed(stores[-1], fill)

    try:
        yield Engine(filled, "a graph, at an address", disk_bytes=lambda *_: stores[-1].disk_bytes())
    finally:
        for store in stores:
            store.remove()


def _ours(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    store = ExactStore.create(folder / "store", dimension)
    fill(store)
    return store


def _qdrant_edge(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from lab.stores.qdrant_edge_store import QdrantEdgeStore

    return _indexed(QdrantEdgeStore(folder, dimension), fill)


def _lancedb(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from lab.stores.lancedb_store import LanceDBStore

    return _indexed(LanceDBStore(str(folder), dimension), fill)


class _Indexed(ComparedStore, Protocol):
    def make_indexes(self) -> None: ...


def _indexed(store: _Indexed, fill: Fill) -> ComparedStore:
    fill(store)
    store.make_indexes()
    return store


def _duckdb(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    from lab.stores.duckdb_store import DuckDBStore

    store = DuckDBStore(folder, dimension)
    fill(store)
    return store


ENGINES = {
    "ours": Engine(_ours, "compares all"),
    "qdrant-edge": Engine(_qdrant_edge, "a graph, embedded: Qdrant's engine without its server"),
    "lancedb": Engine(_lancedb, "a graph, embedded"),
    "duckdb": Engine(_duckdb, "compares all, embedded; its graph comes from the network alone"),
}
