"""Finders of freelancers whose vectors lie in a folder, on Qdrant or on PostgreSQL.

The library has the first two. It knows no SQL, so that the third is added to its table here; commands, pages and the
server open finders, and remove what is left of them, through this module.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import finalize

from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.vector_folders import remove_orphans
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stores import STORES, name_on_server
from jobmatch_core.vector_stores.vector_store import VectorStore

if TYPE_CHECKING:
    from db.postgres_vectors import PostgresVectors

__all__ = ["open_finder", "remove_orphans"]


class _Postgres:
    """Tables of a PostgreSQL; SQLAlchemy is imported by those only who have a server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def open(self, name: str, stamp: str) -> VectorStore | None:
        vectors = self._vectors()
        store = vectors.open(name_on_server(name, self._settings), stamp)
        if store is None:
            vectors.close()
        else:
            finalize(store, vectors.close)  # nobody closes a finder that a newer one replaces
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
