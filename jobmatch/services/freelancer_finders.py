"""Finders of freelancers with vectors in a folder or on PostgreSQL; matching in several processes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import finalize

from jobmatch_core.engines import Engine
from jobmatch_core.entities import Project
from jobmatch_core.errors import EngineError, MatchingError
from jobmatch_core.io.tables import Record
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import open_finder, remove_orphans
from jobmatch_core.retrieval.match_file import matched_rows
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.stores import STORES, name_on_server
from jobmatch_core.vector_stores.vector_store import Filters, VectorStore

if TYPE_CHECKING:
    from db.postgres_vectors import PostgresVectors

__all__ = ["MatchSpec", "open_finder", "remove_orphans", "rows_by"]


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


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Specification of the matches of a file of projects, for other processes; without a model the one in use."""

    marketplace: str
    model: str
    filters: Filters
    limit: int

    def rows(self, projects: Sequence[Project]) -> list[Record]:
        """Return the rows of all matches; each process opens its finder once. Raises as `open_finder`."""
        key = self, Settings.from_environment()
        if key not in _opened:
            from jobmatch_core.retrieval.match_models import load_match_model  # torch takes seconds

            _opened.clear()
            _opened[key] = open_finder(self.marketplace, load_match_model(self.model))
        return matched_rows(_opened[key], self.filters, self.limit, projects)


_opened: dict[tuple[MatchSpec, Settings], Finder] = {}  # the last one; settings distinguish homes


def rows_by(engine: Engine, spec: MatchSpec, lists: Iterable[Sequence[Project]]) -> Iterator[list[Record]]:
    """Yield the rows of each list of projects, in order; raises MatchingError if a worker was lost."""
    try:
        yield from engine.map(spec.rows, lists)
    except EngineError as error:
        raise MatchingError(f"{error} Run the command again.") from error
