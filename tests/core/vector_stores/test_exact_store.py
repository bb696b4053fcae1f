"""The exact store's folder, segments and precision; the contract of all stores is tested elsewhere."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores import exact_store
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import Filters, Payload, VectorHit
from jobmatch_core.vectors import normalised

N, DIMENSION = 200, 8
IDS = [f"f{number}" for number in range(N)]
VECTORS = normalised(np.random.default_rng(3).standard_normal((N, DIMENSION), dtype=np.float32))
PAYLOADS = [Payload(language="de" if number % 3 else "fr") for number in range(N)]
QUERIES = VECTORS[:40] + np.float32(0.01)


def filled(folder: Path) -> ExactStore:
    """Make a store in a folder."""
    store = ExactStore.create(folder, DIMENSION)
    store.upsert(IDS, VECTORS, PAYLOADS)
    return store


def segments(folder: Path) -> list[Path]:
    """Return the folders of its segments."""
    return sorted(folder.glob("segment-*"))


def test_it_is_the_same_when_it_is_opened_again(tmp_path: Path) -> None:
    """Mapped files give the same answers, also after changes."""
    store = filled(tmp_path)
    store.upsert(["new", "f7"], VECTORS[:2], PAYLOADS[:2])
    store.delete(["f9"])
    again = ExactStore.open(tmp_path)
    assert again.ids() == store.ids()
    assert (again.dimension, again.count()) == (DIMENSION, N)
    filters = Filters(languages=("fr",))
    assert again.search(QUERIES, filters, 7) == store.search(QUERIES, filters, 7)
    again.upsert(["newer"], VECTORS[:1], PAYLOADS[:1])
    assert ExactStore.open(tmp_path).count() == N + 1


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_blocks_do_not_matter(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Block sizes do not change the hits, to the last digit."""
    store = ExactStore(DIMENSION)
    store.upsert(IDS, VECTORS, PAYLOADS)
    expected = store.search(QUERIES, limit=10)
    monkeypatch.setattr(exact_store, "_BLOCK", block)
    monkeypatch.setattr(exact_store, "_QUERIES", block)
    assert store.search(QUERIES, limit=10) == expected


def test_a_days_changes_write_little(tmp_path: Path) -> None:
    """The large segment is not rewritten; small ones are merged."""
    filled(tmp_path)
    [large] = segments(tmp_path)
    store = ExactStore.open(tmp_path)
    for day in range(20):
        store.upsert([f"new{day}"], VECTORS[:1], PAYLOADS[:1])
        store.delete([f"new{day - 1}"])
    assert large in segments(tmp_path)
    assert len(segments(tmp_path)) <= 6
    assert ExactStore.open(tmp_path).count() == N + 1


def test_dead_rows_do_not_stay(tmp_path: Path) -> None:
    """When a third of the rows is dead, all segments are merged into one; without live rows, into none."""
    store = filled(tmp_path)
    store.delete(IDS[:60])
    assert len(segments(tmp_path)) == 2
    store.delete(IDS[60:80])
    [segment] = segments(tmp_path)
    assert len(np.load(segment / "ids.npy")) == N - 80
    store.delete(IDS)
    assert segments(tmp_path) == []
    assert ExactStore.open(tmp_path).search(QUERIES[:1]) == [[]]


def test_a_crash_leaves_the_store_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at the manifest changes nothing, and the next change succeeds."""
    store = filled(tmp_path)
    before = store.search(QUERIES)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(
            MatchingError, match=r"could not be written \(No space left on device\); nothing was changed"
        ):
            store.upsert(["f1"], VECTORS[:1], PAYLOADS[:1])
    assert store.search(QUERIES) == before
    assert ExactStore.open(tmp_path).search(QUERIES) == before
    store.upsert(["new"], VECTORS[:1], PAYLOADS[:1])
    assert ExactStore.open(tmp_path).count() == N + 1
    assert len(segments(tmp_path)) == 2


def test_two_processes_do_not_undo_each_others_changes(tmp_path: Path) -> None:
    """The slower writer must open the store again; readers continue with their state."""
    filled(tmp_path)
    first, second, reader = (ExactStore.open(tmp_path) for _ in range(3))
    first.delete(IDS[:150])
    with pytest.raises(MatchingError, match="was changed by another process; open it again"):
        second.delete(["f199"])
    assert reader.count() == N
    assert reader.search(QUERIES)[0][0].id == "f0"
    assert ExactStore.open(tmp_path).count() == 50


def test_it_is_searched_while_it_is_changed() -> None:
    """No answer shows half a change."""
    store = ExactStore(DIMENSION)
    store.upsert(IDS, VECTORS, PAYLOADS)
    counts: list[int] = []

    def read() -> None:
        counts.extend(len(hits) for _ in range(30) for hits in store.search(QUERIES[:1], limit=N))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for start in range(0, 100, 10):
        store.delete(IDS[start : start + 10])
    for thread in threads:
        thread.join()
    assert len(counts) == 90
    assert all(count % 10 == 0 for count in counts)


def test_a_folder_without_a_store(tmp_path: Path) -> None:
    """It cannot be opened, and an existing store is not overwritten."""
    with pytest.raises(MatchingError, match="There is no vector store in"):
        ExactStore.open(tmp_path / "nothing")
    filled(tmp_path)
    with pytest.raises(MatchingError, match=r"There is already a vector store in"):
        ExactStore.create(tmp_path, DIMENSION)
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(MatchingError, match="could not be created"):
        ExactStore.create(tmp_path / "file", DIMENSION)


@pytest.mark.parametrize("name", ["ids", "vectors", "deleted", "category", "day_rate", "vocabularies"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut"])
def test_damage_is_told(tmp_path: Path, name: str, damage: str) -> None:
    """A missing, empty or truncated file of a segment is reported."""
    filled(tmp_path)
    [path] = tmp_path.glob(f"segment-*/{name}.*")
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(b"" if damage == "empty" else path.read_bytes()[:-9])
    with pytest.raises(MatchingError, match=r"damaged.*fill it again"):
        ExactStore.open(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"format": 99}, "another version", id="a newer format"),
        pytest.param({"dimension": 9}, "damaged", id="another dimension"),
        pytest.param({"segments": ["segment-gone"]}, "damaged", id="a segment that is gone"),
        pytest.param({"segments": None}, "damaged", id="no segments"),
    ],
)
def test_a_manifest_that_does_not_fit_is_told(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """The error says what to do."""
    filled(tmp_path)
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(MatchingError, match=f"{message}.*fill it again"):
        ExactStore.open(tmp_path)


def test_a_closed_store_is_empty() -> None:
    """Closing releases the arrays."""
    store = ExactStore(DIMENSION)
    store.upsert(IDS, VECTORS, PAYLOADS)
    assert store.search(VECTORS[:1], limit=1) == [[VectorHit("f0", pytest.approx(1.0))]]
    store.close()
    assert store.count() == 0
