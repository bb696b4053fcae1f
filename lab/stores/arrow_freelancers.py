"""Freelancers as Arrow tables, for embedded engines."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.vector_store import KEYWORDS, Payload


def vector_table_of(ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> pa.Table:
    """Return a row per freelancer: id, vector, keywords and day rate, null where unknown."""
    numbers = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel(), pa.float32())
    return pa.table(
        {
            "id": pa.array(ids, pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(numbers, vectors.shape[1]),
            **{
                keyword: pa.array([getattr(payload, keyword) for payload in payloads], pa.string())
                for keyword in KEYWORDS
            },
            "day_rate": pa.array([payload.day_rate for payload in payloads], pa.float64()),
        }
    )
