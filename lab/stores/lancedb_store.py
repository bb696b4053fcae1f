"""Freelancers' vectors in LanceDB, which `python -m lab bench stores` compares with; nothing else uses it.

On disk or on object storage; there LanceDB takes key and endpoint from the environment (docs/cli.md).
"""

from collections.abc import Collection, Sequence
from functools import reduce
from operator import and_

import lancedb
import numpy as np
from lancedb.expr import Expr, col, lit
from lancedb.index import Bitmap, BTree, HnswSq
from pyarrow.fs import FileSelector, FileSystem

from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.vector_store import KEYWORDS, NO_FILTERS, Filters, Payload, VectorHit
from lab.stores.arrow_freelancers import vector_table_of

_TABLE = "freelancers"
_REFINED = 2  # times as many are compared by their whole vectors as are asked for


class LanceDBStore:
    """A table with a graph over the vectors in eight bits a number, filtered by keywords and day rate."""

    def __init__(self, place: str, dimension: int) -> None:
        """Make an empty store in a folder, or at an address such as s3://BUCKET/FOLDER."""
        empty = vector_table_of([], np.empty((0, dimension), dtype=np.float32), [])
        self._place = place
        self._database = lancedb.connect(place)
        self._table = self._database.create_table(_TABLE, schema=empty.schema)

    def make_indexes(self) -> None:
        """Index what is there; what is added later is compared one by one until this is called again."""
        self._table.create_index("vector", config=HnswSq(distance_type="dot"))
        for keyword in KEYWORDS:
            self._table.create_index(keyword, config=Bitmap())
        self._table.create_index("day_rate", config=BTree())

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids."""
        merge = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        merge.execute(vector_table_of(ids, vectors, payloads))

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers."""
        self._table.delete(col("id").isin(list(ids)))

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters."""
        conditions = _conditions(filters)
        answers = []
        for vector in vectors:
            query = self._table.search(vector).distance_type("dot").limit(limit).refine_factor(_REFINED)
            if conditions:
                query = query.where(reduce(and_, conditions), prefilter=True)
            hits = query.select(["id", "_distance"]).to_arrow()
            ids, distances = hits["id"].to_pylist(), hits["_distance"].to_pylist()
            answers.append([VectorHit(id_, 1 - distance) for id_, distance in zip(ids, distances, strict=True)])
        return answers

    def disk_bytes(self) -> int:
        """Return the size of all that lies in the folder or at the address."""
        system, root = FileSystem.from_uri(self._place)
        return sum(file.size or 0 for file in system.get_file_info(FileSelector(root, recursive=True)))

    def remove(self) -> None:
        """Delete the table."""
        self._database.drop_table(_TABLE)

    def close(self) -> None:
        """Do nothing; it holds no file open."""


def _conditions(filters: Filters) -> list[Expr]:
    conditions = [col(keyword).isin(list(values)) for keyword, values in filters.wanted.items()]
    if filters.max_day_rate is not None:
        conditions.append(col("day_rate") <= lit(filters.max_day_rate))
    return conditions
