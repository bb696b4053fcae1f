"""Qdrant's own: names that move from one collection to the next, and what is said when there is no server."""

import socket
from collections.abc import Iterator

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.qdrant_store import (
    IN_MEMORY,
    QdrantStore,
    collection_behind,
    connected,
    disconnect,
    refilled,
    stamp_of,
)
from jobmatch_core.vector_stores.vector_store import Payload

VECTOR = np.array([[1.0, 0.0]], dtype=np.float32)


@pytest.fixture
def client() -> Iterator[QdrantClient]:
    """Give a client of an empty Qdrant in memory."""
    client = connected(IN_MEMORY)
    yield client
    disconnect(client)


def put(store: QdrantStore, name: str) -> None:
    """Store somebody."""
    store.upsert([name], VECTOR, [Payload()])


def collections(client: QdrantClient) -> list[str]:
    """Return the names of all collections."""
    return [each.name for each in client.get_collections().collections]


def test_a_new_filling_takes_over_the_name(client: QdrantClient) -> None:
    """The old collection serves until the new one is full, and is gone afterwards."""
    first = refilled(client, "market", 2, "abc", lambda store: put(store, "anna"))
    assert (collection_behind(client, "market"), stamp_of(first)) == (first, "abc")

    def fill(store: QdrantStore) -> None:
        assert QdrantStore(client, "market").ids() == ["anna"]
        put(store, "bea")

    second = refilled(client, "market", 2, "def", fill)
    assert QdrantStore(client, "market").ids() == ["bea"]
    assert (collections(client), stamp_of(second)) == ([second], "def")


def test_a_filling_that_fails_changes_nothing(client: QdrantClient) -> None:
    """Half a collection is not left behind."""
    first = refilled(client, "market", 2, "abc", lambda store: put(store, "anna"))

    def fail(store: QdrantStore) -> None:
        put(store, "bea")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        refilled(client, "market", 2, "def", fail)
    assert collections(client) == [first]
    assert QdrantStore(client, "market").ids() == ["anna"]


def test_a_name_that_nobody_has(client: QdrantClient) -> None:
    """Stands for nothing, and cannot be opened."""
    assert collection_behind(client, "market") == ""
    with pytest.raises(MatchingError, match="Collection market not found"):
        QdrantStore(client, "market")


def test_a_collection_of_somebody_else(client: QdrantClient) -> None:
    """With several vectors a point, it cannot be one of ours."""
    vectors = {"text": models.VectorParams(size=2, distance=models.Distance.DOT)}
    client.create_collection("theirs", vectors_config=vectors)
    with pytest.raises(MatchingError, match="theirs is not one of jobmatch"):
        QdrantStore(client, "theirs")


def test_a_server_that_is_not_there() -> None:
    """One line, with what to look at."""
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(MatchingError, match="check that the server of JOBMATCH_VECTOR_URL runs") as caught:
            connected(f"http://127.0.0.1:{taken.getsockname()[1]}")
    assert "\n" not in str(caught.value)


def test_what_is_closed_is_told(client: QdrantClient) -> None:
    """Not the client's own words alone."""
    store = QdrantStore(client, refilled(client, "market", 2, "abc", lambda store: put(store, "anna")))
    store.close()
    with pytest.raises(MatchingError, match="closed"):
        store.ids()


def test_all_ids_are_read_page_by_page(client: QdrantClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """And points go in batches."""
    monkeypatch.setattr("jobmatch_core.vector_stores.qdrant_store._PAGE", 3)
    monkeypatch.setattr("jobmatch_core.vector_stores.qdrant_store._BATCH", 2)
    ids = [f"{number:02}" for number in range(10)]
    store = QdrantStore(client, refilled(client, "market", 2, "abc", lambda store: None))
    store.upsert(ids, np.repeat(VECTOR, 10, axis=0), [Payload()] * 10)
    assert store.ids() == ids
    store.delete(ids[1:])
    assert store.ids() == ["00"]
