"""The places of vector stores: chosen by the scheme of the URL, each an entry of one table."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.stores import STORES, open_store, refill_store, remove_store
from jobmatch_core.vector_stores.vector_store import Payload, VectorStore


class Memory:
    """Stores that live as long as this object."""

    def __init__(self) -> None:
        """Begin with none."""
        self.stores: dict[str, tuple[str, VectorStore]] = {}

    def open(self, name: str, stamp: str) -> VectorStore | None:
        """Return the store of that name and stamp."""
        kept, store = self.stores.get(name, ("", None))
        return store if kept == stamp else None

    def refill(self, name: str, stamp: str, dimension: int, fill: Callable[[VectorStore], None]) -> VectorStore:
        """Fill a new one."""
        store = ExactStore(dimension)
        fill(store)
        self.stores[name] = (stamp, store)
        return store

    def remove(self, name: str) -> None:
        """Forget it."""
        self.stores.pop(name, None)


def put_anna(store: VectorStore) -> None:
    """Fill a store."""
    store.upsert(["anna"], np.array([[1.0, 0.0]], dtype=np.float32), [Payload()])


def test_a_store_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The URL's scheme selects the place; removal also removes an earlier store in the folder."""
    memory = Memory()
    monkeypatch.setitem(STORES, "memory", lambda settings: memory)
    here, there = Settings(tmp_path), Settings(tmp_path, vector_url="memory://here")
    refill_store("market", "1", 2, put_anna, here)
    assert open_store("market", "1", there) is None
    assert refill_store("market", "1", 2, put_anna, there).ids() == ["anna"]
    opened = open_store("market", "1", there)
    assert opened is memory.stores["market"][1]
    assert open_store("market", "2", there) is None
    remove_store("market", there)
    assert memory.stores == {}
    assert open_store("market", "1", here) is None


def test_an_unknown_scheme_lists_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message lists every registered place."""
    settings = Settings(tmp_path, vector_url="http://somewhere")
    monkeypatch.setitem(STORES, "memory", lambda settings: Memory())
    with pytest.raises(SettingsError, match=r"begins with http://, .* one of .*memory://"):
        open_store("market", "1", settings)
