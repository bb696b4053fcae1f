"""The vector store on a Qdrant server or cluster, or in memory with the same client, for tests.

A store is a collection. Its public name is an alias: when all freelancers are encoded again, a new collection is filled
beside the old one and then takes over the alias (blue-green deployment).
"""

import atexit
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from uuid import NAMESPACE_URL, uuid4, uuid5

import httpx
import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.common.version_check import is_compatible
from qdrant_client.http.exceptions import ApiException

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.vector_store import (
    BORDER_KM,
    KEYWORDS,
    NO_FILTERS,
    Filters,
    Hit,
    Payload,
    check_limit,
    checked_points,
    checked_vectors,
    day_number,
    ranked,
)

IN_MEMORY = ":memory:"
_log = logging.getLogger(__name__)
_INDEXES = dict.fromkeys(KEYWORDS, models.PayloadSchemaType.KEYWORD) | {
    "place": models.PayloadSchemaType.GEO,
    "available": models.PayloadSchemaType.INTEGER,
    "day_rate": models.PayloadSchemaType.FLOAT,
}
_BATCH = 500  # points in a request
_PAGE = 10_000  # ids in an answer
_SPARE = 16  # hits asked for beyond the limit, so that it is seen whether the last of them is as near as others
_ROUNDING = 1e-5  # more than single precision loses in a dot product of unit vectors
_PATIENCE_S = 60


class QdrantStore:
    """A `VectorStore` in a collection of Qdrant."""

    def __init__(self, client: QdrantClient, collection: str) -> None:
        """Open a collection.

        Args:
            client: result of `connected`; closed by `close`.
            collection: name of the collection, or an alias.

        Raises:
            MatchingError: it does not exist, is not one of ours, or the server cannot be reached.
        """
        self._client, self._collection = client, collection
        with _errors_told():
            found = client.get_collection(collection).config.params.vectors
        if not isinstance(found, models.VectorParams):
            raise MatchingError(f"The Qdrant collection {collection} is not one of jobmatch; give that another name.")
        self._dimension = found.size

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return self._dimension

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids; see `VectorStore.upsert`."""
        kept, rows, chosen = checked_points(ids, vectors, payloads, self._dimension)
        for start in range(0, len(kept), _BATCH):
            part = slice(start, start + _BATCH)
            batch = models.Batch(
                ids=_points(kept[part]),
                vectors=rows[part].tolist(),
                payloads=[_described(*each) for each in zip(kept[part], chosen[part], strict=True)],
            )
            with _errors_told():
                self._client.upsert(self._collection, batch, wait=True)

    def delete(self, ids: Collection[str]) -> None:
        """Take freelancers out; see `VectorStore.delete`."""
        points = _points(ids)
        for start in range(0, len(points), _BATCH):
            chosen = models.PointIdsList(points=points[start : start + _BATCH])
            with _errors_told():
                self._client.delete(self._collection, chosen, wait=True)

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[Hit]]:
        """Return the nearest freelancers of each vector that pass the filters; see `VectorStore.search`.

        A server with many vectors may miss a few of the nearest, as approximate search does.
        """
        check_limit(limit)
        queries = checked_vectors(vectors, self._dimension)
        return [self._nearest(query, _conditions(filters), limit) for query in queries]

    def _nearest(self, query: FloatArray, conditions: models.Filter | None, limit: int) -> list[Hit]:
        asked = limit + _SPARE
        while True:
            with _errors_told():
                points = self._client.query_points(
                    self._collection,
                    query=query.tolist(),
                    query_filter=conditions,
                    limit=asked,
                    with_payload=["id"],
                    with_vectors=True,
                ).points
            if len(points) < asked or points[-1].score < points[limit - 1].score - _ROUNDING:
                break
            asked *= 2
        found = np.array([point.vector for point in points], dtype=np.float32).reshape(len(points), self._dimension)
        return ranked(query, [_id_of(point) for point in points], found, limit)

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """Return the number of freelancers that pass the filters."""
        with _errors_told():
            return self._client.count(self._collection, _conditions(filters), exact=True).count

    def ids(self) -> list[str]:
        """Return all ids, sorted."""
        found: list[str] = []
        offset: models.ExtendedPointId | None = None
        while True:
            with _errors_told():
                points, offset = self._client.scroll(
                    self._collection, limit=_PAGE, offset=offset, with_payload=["id"], with_vectors=False
                )  # fmt: skip
            found += map(_id_of, points)
            if offset is None:
                return sorted(found)

    def close(self) -> None:
        """Close the client."""
        disconnect(self._client)


def connected(location: str, key: str = "") -> QdrantClient:
    """Return a client, which is closed when the process ends.

    Args:
        location: the URL of a server or a cluster, or `IN_MEMORY`.
        key: API key of the server, '' for none.

    Raises:
        MatchingError: the server cannot be reached.
    """
    if location == IN_MEMORY:
        client = QdrantClient(location)
    else:
        # the client's own check runs in a thread and only warns where the server cannot be reached
        client = QdrantClient(url=location, api_key=key or None, timeout=_PATIENCE_S, check_compatibility=False)
        with _errors_told():
            server = client.info().version
        if not is_compatible(version("qdrant-client"), server):
            _log.warning("The Qdrant server is of version %s; it may not understand this client.", server)
    atexit.register(client.close)
    return client


def disconnect(client: QdrantClient) -> None:
    """Close a client before the process ends."""
    atexit.unregister(client.close)
    client.close()


def collection_behind(client: QdrantClient, name: str) -> str:
    """Return the collection behind an alias, '' where there is none of that name.

    Raises:
        MatchingError: the server cannot be reached.
    """
    with _errors_told():
        aliases = client.get_aliases().aliases
    return next((each.collection_name for each in aliases if each.alias_name == name), "")


def remove_collection_behind(client: QdrantClient, name: str) -> None:
    """Delete the collection behind an alias, and the alias; do nothing where there is none.

    Raises:
        MatchingError: the server cannot be reached or refuses.
    """
    if collection := collection_behind(client, name):
        with _errors_told():
            client.delete_collection(collection)


def refilled(client: QdrantClient, name: str, dimension: int, stamp: str, fill: Callable[[QdrantStore], None]) -> str:
    """Fill a new collection and move an alias to it; the old collection serves until then, and is deleted.

    Args:
        client: result of `connected`.
        name: the alias.
        dimension: the length of the vectors.
        stamp: identity of the content, letters and digits; the collection's name ends with it (see `stamp_of`).
        fill: puts the freelancers into the new store.

    Returns:
        The new collection's name.

    Raises:
        MatchingError: the server cannot be reached or refuses.
    """
    collection = f"{name}--{uuid4().hex[:8]}-{stamp}"
    try:
        with _errors_told():
            distance = models.VectorParams(size=dimension, distance=models.Distance.DOT)
            client.create_collection(collection, vectors_config=distance)
            if client.init_options.get("location") != IN_MEMORY:  # there it would only warn that it has no effect
                for field, kind in _INDEXES.items():
                    client.create_payload_index(collection, field, kind, wait=True)
        fill(QdrantStore(client, collection))
    except BaseException:
        with suppress(MatchingError), _errors_told():
            client.delete_collection(collection)
        raise
    old = collection_behind(client, name)
    with _errors_told():
        client.update_collection_aliases(_to_alias(name, collection, old))
        if old:
            client.delete_collection(old)
    return collection


def stamp_of(collection: str) -> str:
    """Return the stamp of a collection, as given to `refilled`."""
    return collection.rpartition("-")[2]


def _to_alias(name: str, collection: str, old: str) -> list[models.AliasOperations]:
    """Return what gives an alias to a new collection in one step."""
    create = models.CreateAlias(collection_name=collection, alias_name=name)
    remove = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=name))
    return [*([remove] if old else []), models.CreateAliasOperation(create_alias=create)]


def _points(ids: Collection[str]) -> list[models.ExtendedPointId]:
    """Return ids in Qdrant's form, which is a number or a UUID."""
    return [str(uuid5(NAMESPACE_URL, f"jobmatch:{id_}")) for id_ in ids]


def _id_of(point: models.ScoredPoint | models.Record) -> str:
    return str((point.payload or {})["id"])


def _described(id_: str, payload: Payload) -> models.Payload:
    """Return a payload as JSON; unknown values are left out, and so pass no filter."""
    place, day, rate = payload.place, payload.available_day, payload.day_rate
    return {
        "id": id_,
        **{keyword: getattr(payload, keyword) for keyword in KEYWORDS},
        **({} if place is None else {"place": {"lat": place.latitude, "lon": place.longitude}}),
        **({} if day is None else {"available": day}),
        **({} if rate is None else {"day_rate": rate}),
    }


def _conditions(filters: Filters) -> models.Filter | None:
    must: list[models.Condition] = [
        models.FieldCondition(key=keyword, match=models.MatchAny(any=list(wanted)))
        for keyword, wanted in filters.wanted.items()
    ]
    if filters.within is not None:
        place, metres = filters.within.place, (filters.within.km + BORDER_KM) * 1000
        center = models.GeoPoint(lat=place.latitude, lon=place.longitude)
        must.append(models.FieldCondition(key="place", geo_radius=models.GeoRadius(center=center, radius=metres)))
    if filters.available_by:
        day = day_number(filters.available_by, "The day to be available by")
        must.append(models.FieldCondition(key="available", range=models.Range(lte=day)))
    if filters.max_day_rate is not None:
        must.append(models.FieldCondition(key="day_rate", range=models.Range(lte=filters.max_day_rate)))
    return models.Filter(must=must) if must else None


@contextmanager
def _errors_told() -> Iterator[None]:
    """Report errors of the client as MatchingErrors: ValueError and RuntimeError in memory, its own from a server."""
    try:
        yield
    except (ApiException, QdrantException, httpx.HTTPError, ValueError, RuntimeError) as error:
        raise MatchingError(
            f"Qdrant could not do it ({' '.join(str(error).split())[:300]}); check that the server of "
            "JOBMATCH_VECTOR_URL runs, can be reached, and takes the key in JOBMATCH_VECTOR_KEY."
        ) from error
