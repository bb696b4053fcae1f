"""Finders of freelancers, whose vectors are in a folder or on PostgreSQL."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import finalize

from jobmatch_core.retrieval.freelancer_index import open_finder, remove_orphans
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stores import STORES, name_on_server
from jobmatch_core.vector_stores.vector_store import VectorStore

if TYPE_CHECKING:
    from db.postgres_vectors import PostgresVectors

__all__ = ["open_finder", "remove_orphans"]


class _Postgres:
    # SQLAlchemy is imported only if there is a server

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, name: str, stamp: str) -> VectorStore | None:
        vectors = self._vectors()
        store = vectors.open(name_on_server(name, self._settings), stamp)
        if store is None:
            vectors.close()
        else:
            finalize(store, vectors.close)  # a finder that a newer one replaces is not closed
        return store

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None]) -> VectorStore:
        vectors = self._vectors()
        store = vectors.refill(name_on_server(name, self._settings), stamp, dimension, fill)
        finalize(store, vectors.close)
        return store

    def remove(self, name: str) -> None:
        vectors = self._vectors()
        vectors.remove(name_on_server(name, self._settings))
        vectors.close()

    def _vectors(self) -> "PostgresVectors":
        from db.postgres_vectors import PostgresVectors

        return PostgresVectors(self._settings.vector_url, self._settings.vector_key)


STORES.update({"postgresql": _Postgres, "postgresql+psycopg": _Postgres})
