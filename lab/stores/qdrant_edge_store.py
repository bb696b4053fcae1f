"""Vector store in a shard of Qdrant Edge, only for the comparison of `python -m lab bench stores`.

Qdrant Edge is the storage and search of Qdrant's server as a library, without the server.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

import qdrant_edge as edge

from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.vector_store import KEYWORDS, NO_FILTERS, Filters, Payload, VectorHit

_INDEXES = dict.fromkeys(KEYWORDS, edge.PayloadSchemaType.Keyword) | {"day_rate": edge.PayloadSchemaType.Float}


class QdrantEdgeStore:
    """A shard with a graph over the vectors, filtered by keywords and day rate."""

    def __init__(self, folder: Path, dimension: int) -> None:
        vectors = edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Dot)
        self._shard = edge.EdgeShard.create(str(folder), edge.EdgeConfig(vectors=vectors))
        for field, kind in _INDEXES.items():
            self._shard.update(edge.UpdateOperation.create_field_index(field, kind))

    def make_indexes(self) -> None:
        """Build the graph; what is added later is compared one by one until this is called again."""
        self._shard.optimize()

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids."""
        points = [
            edge.Point(_point(id_), vector.tolist(), _described(id_, payload))
            for id_, vector, payload in zip(ids, vectors, payloads, strict=True)
        ]
        self._shard.update(edge.UpdateOperation.upsert_points(points))

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers."""
        self._shard.update(edge.UpdateOperation.delete_points([_point(id_) for id_ in ids]))

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters."""
        passing = edge.Filter(must=_conditions(filters))
        answers = []
        for vector in vectors:
            nearest = edge.Query.Nearest(vector.tolist())
            request = edge.QueryRequest(limit, query=nearest, filter=passing, with_payload=["id"])
            answers.append([VectorHit(point.payload["id"], point.score) for point in self._shard.query(request)])
        return answers

    def close(self) -> None:
        """Close the shard."""
        self._shard.close()


def _point(id_: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"jobmatch:{id_}")


def _described(id_: str, payload: Payload) -> dict[str, object]:
    rate = {} if payload.day_rate is None else {"day_rate": payload.day_rate}
    return {"id": id_, **{keyword: getattr(payload, keyword) for keyword in KEYWORDS}, **rate}


def _conditions(filters: Filters) -> list[edge.FieldCondition]:
    conditions = [
        edge.FieldCondition(keyword, match=edge.MatchAny(list(values))) for keyword, values in filters.wanted.items()
    ]
    if filters.max_day_rate is not None:
        conditions.append(edge.FieldCondition("day_rate", range=edge.RangeFloat(lte=filters.max_day_rate)))
    return conditions
