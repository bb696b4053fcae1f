"""Vector store in a DuckDB file, only for the comparison of `python -m lab bench stores`.

Search compares all freelancers that pass the filters: DuckDB's graph index needs the extension `vss`, which has to be
downloaded.
"""

from collections.abc import Collection, Sequence
from functools import reduce
from operator import and_
from pathlib import Path

import duckdb
import numpy as np
from duckdb import ColumnExpression, ConstantExpression, Expression, FunctionExpression

from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload, VectorHit
from lab.stores.arrow_freelancers import vector_table_of

_TABLE = "freelancers"


class DuckDBStore:
    """A table, filtered by keywords and day rate."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._connection = duckdb.connect(folder / "freelancers.duckdb")
        self._type = duckdb.array_type("FLOAT", dimension)
        empty = vector_table_of([], np.empty((0, dimension), dtype=np.float32), [])
        self._connection.from_arrow(empty).create(_TABLE)

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids."""
        self._connection.begin()
        self.delete(ids)
        self._connection.from_arrow(vector_table_of(ids, vectors, payloads)).insert_into(_TABLE)
        self._connection.commit()

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers."""
        self._connection.execute("DELETE FROM freelancers WHERE id IN (SELECT unnest($ids))", {"ids": list(ids)})

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters."""
        table = self._connection.table(_TABLE)
        if conditions := _conditions(filters):
            table = table.filter(reduce(and_, conditions))
        answers = []
        for vector in vectors:
            query = ConstantExpression(vector.tolist()).cast(self._type)
            score = FunctionExpression("array_inner_product", ColumnExpression("vector"), query).alias("score")
            best = table.select(ColumnExpression("id"), score).sort(ColumnExpression("score").desc()).limit(limit)
            answers.append([VectorHit(id_, score) for id_, score in best.fetchall()])
        return answers

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _conditions(filters: Filters) -> list[Expression]:
    conditions = [
        ColumnExpression(keyword).isin(*map(ConstantExpression, values)) for keyword, values in filters.wanted.items()
    ]
    if filters.max_day_rate is not None:
        conditions.append(ColumnExpression("day_rate") <= ConstantExpression(filters.max_day_rate))
    return conditions
