"""The engines that are compared: each keeps what it is given; those that are not installed are skipped by name."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import inspect

from db.vector_server import connected
from jobmatch_core.vector_stores.vector_store import Filters, Payload
from jobmatch_core.vectors import normalised
from lab.speed.store_speed import ComparedStore
from lab.stores.store_engines import store_engines
from tests.vector_server import vector_server_url

VECTORS = normalised(np.random.default_rng(3).standard_normal((400, 16), dtype=np.float32))
IDS = [f"{number:03}" for number in range(400)]
PAYLOADS = [
    Payload(category="2512" if n % 2 else "2166", language="de" if n % 3 else "fr", day_rate=n if n % 5 else None)
    for n in range(400)
]
ENGINES = ["ours", "qdrant-edge", "lancedb", "lancedb-remote", "duckdb", "pgvector"]
PACKAGES = {"qdrant-edge": "qdrant_edge", "lancedb": "lancedb", "lancedb-remote": "lancedb", "duckdb": "duckdb"}
FILTERS = Filters(categories=("2512",), languages=("fr", "xx"), max_day_rate=300)


def fill(store: ComparedStore) -> None:
    """Store everybody in two parts."""
    store.upsert(IDS[:200], VECTORS[:200], PAYLOADS[:200])
    store.upsert(IDS[200:], VECTORS[200:], PAYLOADS[200:])


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine(name: str, tmp_path: Path) -> None:
    """Finds by filters, and no old vector and nobody who was deleted; leaves nothing on a server."""
    package = PACKAGES.get(name)
    if package and find_spec(package) is None:
        pytest.skip(f"{package} is not installed, and needed for `python -m lab bench stores` alone")
    address = (tmp_path / "elsewhere").as_uri()
    with store_engines(vector_server_url() if name == "pgvector" else "", address) as engines:
        engine = engines[name]
        store = engine.filled(tmp_path, 16, fill)
        assert engine.note
        assert engine.disk_bytes(store, tmp_path) > 0
        [hits] = store.search(VECTORS[:1], FILTERS, 10)
        passing = [n for n in range(400) if n % 2 and not n % 3 and n % 5 and n <= 300]
        best = sorted(passing, key=lambda n: -float(VECTORS[n] @ VECTORS[0]))[:10]
        assert [hit.id for hit in hits] == [IDS[n] for n in best]
        assert [hit.score for hit in hits] == pytest.approx([float(VECTORS[n] @ VECTORS[0]) for n in best], abs=1e-5)
        store.upsert(IDS[:1], VECTORS[1:2], PAYLOADS[:1])
        store.delete(IDS[1:2])
        [[nearest]] = store.search(VECTORS[1:2], limit=1)
        assert nearest.id == IDS[0]
        store.close()
    assert not list(Path(tmp_path, "elsewhere").glob("*"))
    if name == "pgvector":
        engine_of_server = connected(vector_server_url())
        assert inspect(engine_of_server).get_table_names() == []
        engine_of_server.dispose()
