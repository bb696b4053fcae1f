"""The vector store on PostgreSQL with pgvector: SQL filters, and an HNSW graph with iterative scans."""

import math
from collections.abc import Collection, Sequence

import numpy as np
from sqlalchemy import ColumnElement, Connection, Engine, LargeBinary, Table, Text, any_, delete, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY, insert

from db.vector_server import transaction
from jobmatch_core.earth import EARTH_RADIUS_KM
from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.vector_store import (
    BORDER_KM,
    KEYWORDS,
    NO_FILTERS,
    Filters,
    Payload,
    VectorHit,
    Within,
    check_limit,
    checked_points,
    checked_vectors,
    day_number,
    ranked,
)

_SPARE = 16  # hits requested beyond the limit, to detect ties at the limit
_ROUNDING = 1e-5  # more than the rounding error of a single-precision dot product of unit vectors
_HEADER = 4  # bytes before the numbers of a vector in pgvector's binary format


def conditions(filters: Filters, freelancers: Table) -> list[ColumnElement[bool]]:
    """Return the conditions that a row must all meet; unknown values (NULL) meet none.

    Args:
        freelancers: table with a column for each of `KEYWORDS`, `latitude` and `longitude` in degrees, `available` as
            returned by `date.toordinal`, and `day_rate`.
    """
    columns = freelancers.c
    passing: list[ColumnElement[bool]] = [columns[keyword].in_(wanted) for keyword, wanted in filters.wanted.items()]
    if filters.available_by:
        passing.append(columns.available <= day_number(filters.available_by, "The day to be available by"))
    if filters.max_day_rate is not None:
        passing.append(columns.day_rate <= filters.max_day_rate)
    if filters.within is not None:
        passing += _inside(filters.within, freelancers)
    return passing


def _inside(circle: Within, freelancers: Table) -> list[ColumnElement[bool]]:
    # the haversine formula, after the band of latitudes, which has an index
    reach = circle.km + BORDER_KM
    here, there = math.radians(circle.place.latitude), math.radians(circle.place.longitude)
    latitude, longitude = func.radians(freelancers.c.latitude), func.radians(freelancers.c.longitude)
    chord = func.power(func.sin((here - latitude) / 2), 2) + func.cos(latitude) * math.cos(here) * func.power(
        func.sin((there - longitude) / 2), 2
    )
    degrees = math.degrees(reach / EARTH_RADIUS_KM)
    return [
        freelancers.c.latitude.between(circle.place.latitude - degrees, circle.place.latitude + degrees),
        2 * EARTH_RADIUS_KM * func.asin(func.sqrt(func.least(1.0, chord))) < reach,
    ]


class PgvectorStore:
    """A `VectorStore` in a PostgreSQL table."""

    def __init__(self, engine: Engine, table: Table, dimension: int) -> None:
        """Wrap a table of `postgres_vectors.vector_table`; `close` closes the engine of `vector_server.connected`."""
        self._engine, self._table, self._dimension = engine, table, dimension

    @property
    def dimension(self) -> int:
        """Length of the vectors."""
        return self._dimension

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids; see `VectorStore.upsert`."""
        points = zip(*checked_points(ids, vectors, payloads, self._dimension), strict=True)
        rows = [_row(*point) for point in points]
        if not rows:
            return
        statement = insert(self._table)
        replaced = {column.name: statement.excluded[column.name] for column in self._table.c if not column.primary_key}
        with transaction(self._engine) as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=[self._table.c.id], set_=replaced), rows)

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers; see `VectorStore.delete`."""
        gone = literal(list(ids), ARRAY(Text))
        with transaction(self._engine) as connection:
            connection.execute(delete(self._table).where(self._table.c.id == any_(gone)))

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters; see `VectorStore.search`.

        The search is approximate and may miss a few of the nearest. Fewer than *limit* hits are returned only if no
        more pass the filters.
        """
        check_limit(limit)
        queries = checked_vectors(vectors, self._dimension)
        passing = conditions(filters, self._table)
        with transaction(self._engine) as connection:
            return [self._nearest(connection, query, passing, limit) for query in queries]

    def _nearest(
        self, connection: Connection, query: FloatArray, passing: Sequence[ColumnElement[bool]], limit: int
    ) -> list[VectorHit]:
        distance = self._table.c.vector.max_inner_product(query)
        n_requested = limit + _SPARE
        while True:
            ids, nearest = self._first(distance, connection, passing, n_requested)
            if len(ids) < n_requested:  # fewer pass, or the graph's scan gave up: ordering by a sum uses no index
                ids, nearest = self._first(distance + 0, connection, passing, n_requested)
            hits = ranked(query, ids, nearest, len(ids))
            if len(hits) < n_requested or hits[-1].score < hits[limit - 1].score - _ROUNDING:
                return hits[:limit]
            n_requested *= 2

    def _first(
        self, order: ColumnElement[float], connection: Connection, passing: Sequence[ColumnElement[bool]], limit: int
    ) -> tuple[list[str], FloatArray]:
        sent = func.vector_send(self._table.c.vector, type_=LargeBinary)
        rows = connection.execute(select(self._table.c.id, sent).where(*passing).order_by(order).limit(limit)).all()
        numbers = np.frombuffer(b"".join(row[1][_HEADER:] for row in rows), dtype=">f4").astype(np.float32)
        return [row.id for row in rows], numbers.reshape(len(rows), self._dimension)

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """Return the number of freelancers that pass the filters."""
        counted = select(func.count()).select_from(self._table).where(*conditions(filters, self._table))
        with transaction(self._engine) as connection:
            return connection.execute(counted).scalar_one()

    def ids(self) -> list[str]:
        """Return all ids, sorted."""
        with transaction(self._engine) as connection:
            return sorted(connection.execute(select(self._table.c.id)).scalars())

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _row(id_: str, vector: FloatArray, payload: Payload) -> dict[str, object]:
    place = payload.place
    return {
        "id": id_,
        "vector": vector,
        **{keyword: getattr(payload, keyword) for keyword in KEYWORDS},
        "latitude": None if place is None else place.latitude,
        "longitude": None if place is None else place.longitude,
        "available": payload.available_day,
        "day_rate": payload.day_rate,
    }
