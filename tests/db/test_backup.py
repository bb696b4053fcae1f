"""A copy is whole and of one moment, whoever writes meanwhile."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from db.label_store import LabelStore
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment, make_pair


@pytest.fixture
def store(sqlite_path: Path) -> LabelStore:
    """A store in a file, with a judgment."""
    store = LabelStore.open(sqlite_path)
    store.record(make_judgment())
    return store


def test_a_copy_while_others_write(store: LabelStore, folder: Path) -> None:
    """It holds the judgments up to some moment, all of them, and can be opened and written to."""
    done, started = Event(), Event()

    def write() -> None:
        while not done.is_set():
            store.record_all([make_judgment(), make_judgment()])
            started.set()

    writer = Thread(target=write)
    writer.start()
    started.wait()
    path = folder / "backups" / "copy.db"
    store.backup(path)
    done.set()
    writer.join()
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with LabelStore.open(path) as copy:
        copied = list(copy.as_recorded())
        assert len(copied) >= 3
        assert len(copied) % 2 == 1
        assert copied == list(store.as_recorded())[: len(copied)]
        assert copy.record(make_judgment())
    assert [each.name for each in path.parent.iterdir() if not each.name.startswith("copy.db")] == []


def test_nothing_is_replaced(store: LabelStore, sqlite_path: Path, folder: Path) -> None:
    """Neither another backup nor the store itself."""
    other = folder / "notes.txt"
    other.write_text("mine")
    for path in (other, sqlite_path, folder):
        with pytest.raises(LabelStoreError, match="exists"):
            store.backup(path)
    assert other.read_text() == "mine"
    assert store.count() == 1


def test_where_no_file_can_be(store: LabelStore, folder: Path) -> None:
    """Below a file, say; nothing is left there."""
    (folder / "file").touch()
    with pytest.raises(LabelStoreError, match="cannot be written"):
        store.backup(folder / "file" / "copy.db")


def test_postgresql_has_its_own(postgres_url: str, folder: Path) -> None:
    """The error names PostgreSQL's own tool."""
    with LabelStore.open(postgres_url) as store, pytest.raises(LabelStoreError, match="pg_dump"):
        store.backup(folder / "copy.db")


def test_a_damaged_store_says_so(store: LabelStore, sqlite_path: Path, folder: Path) -> None:
    """A backup that is no good is not made: what is lost would be found out when it is needed."""
    store.record_all(make_judgment(pair=make_pair(f"f{number}")) for number in range(500))
    store.close()
    content = bytearray(sqlite_path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = bytes(8192)
    sqlite_path.write_bytes(content)
    with LabelStore.open(sqlite_path) as damaged, pytest.raises(LabelStoreError, match="is damaged: restore a backup"):
        damaged.backup(folder / "copy.db")
    assert [each.name for each in folder.iterdir() if "copy" in each.name] == []
