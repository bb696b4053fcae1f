"""Paths and URLs; who waits for whom."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from db import database
from db.database import Database, back_up
from db.label_store import LabelStore
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment, make_pair


@pytest.mark.parametrize("form", [Path, str, "sqlite:///{}".format], ids=["path", "text", "URL"])
def test_ways_to_name_a_file(sqlite_path: Path, form: object) -> None:
    """All the same file; its folder is made."""
    path = sqlite_path.parent / "new 100%" / "jobmatch.db"
    with LabelStore.open(form(path)) as store:
        store.record(make_judgment())
        assert repr(store) == f"<The label store '{path}'>"
    assert path.is_file()
    assert [each.name for each in path.parent.iterdir()] == ["jobmatch.db"]


@pytest.mark.parametrize(
    "where", ["", ":memory:", "sqlite://", "sqlite:///:memory:", "mysql://h/d", "://", "a://b:c/d"]
)
def test_what_is_no_store(where: str) -> None:
    """Nothing that would be gone when the program ends, nothing that we do not know."""
    with pytest.raises(LabelStoreError, match=r"path|URL"):
        Database(where)


def test_what_is_kept_is_on_the_disk(sqlite_path: Path) -> None:
    """Readers and a writer do not wait for each other, a commit waits for the disk, and foreign keys hold."""
    database = Database(sqlite_path)
    with database.reading() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    database.close()
    assert pragmas == ["wal", 2, 1, 30_000]


def test_an_engine_says_no_password(sqlite_path: Path) -> None:
    """The store's name has no password, wherever the URL has it."""
    for url in (
        "postgresql+psycopg://ann:s3cret@db.example:5433/labels",
        "postgresql://ann@db.example:5433/labels?password=s3cret",
    ):
        assert Database(url).name == "The label store 'labels' on PostgreSQL at db.example:5433"


def test_readers_wait_for_nobody(store: LabelStore, database: Database) -> None:
    """While somebody writes, others see what was there before."""
    store.record(make_judgment())
    with database.writing():
        assert store.count() == 1


def test_many_threads(store: LabelStore) -> None:
    """None lost, none doubled, no pair handed to two."""
    queue = [make_pair(str(number)) for number in range(40)]
    barrier = Barrier(4)

    def annotate(name: str) -> None:
        barrier.wait()
        while pairs := store.lease(queue, name, for_seconds=600, count=3):
            for pair in pairs:
                store.record(make_judgment(annotator=name, pair=pair))

    with ThreadPoolExecutor() as pool:
        done = [pool.submit(annotate, f"annotator {number}") for number in range(4)]
    assert [each.result() for each in done] == [None] * 4
    assert sorted(judgment.pair.right for judgment in store.judgments()) == sorted(pair.right for pair in queue)


def test_the_file_is_anybodys_to_read(sqlite_path: Path) -> None:
    """The views answer in any tool that opens SQLite."""
    with LabelStore.open(sqlite_path) as store:
        store.record(make_judgment())
    with closing(sqlite3.connect(sqlite_path)) as connection:
        query = "SELECT left_side, right_side, verdict FROM pair_verdicts JOIN pairs ON key = pair_key"
        assert connection.execute(query).fetchall() == [("project", "freelancer", "positive")]


def _modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_nobody_else_may_read_a_store(tmp_path: Path) -> None:
    """Its folder, its files while it is open; and files that others could read until now."""
    path = tmp_path / "home" / "jobmatch.db"
    with LabelStore.open(path) as store:
        store.record(make_judgment())
        assert _modes(path.parent) == {"jobmatch.db": 0o600, "jobmatch.db-wal": 0o600, "jobmatch.db-shm": 0o600}
        for name in _modes(path.parent):
            (path.parent / name).chmod(0o644)
        with LabelStore.open(path):
            assert set(_modes(path.parent).values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_what_is_not_ours_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of somebody else, who shares it with us; a folder that was given in place of a file."""
    path = tmp_path / "jobmatch.db"
    with LabelStore.open(path):
        pass
    path.chmod(0o660)
    with monkeypatch.context() as patched:
        patched.setattr(database, "_USER", lambda: -1)
        with LabelStore.open(path):
            pass
    assert path.stat().st_mode & 0o777 == 0o660
    tmp_path.chmod(0o755)
    with pytest.raises(LabelStoreError):
        LabelStore.open(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_backup_is_private(sqlite_path: Path) -> None:
    """As the store is."""
    with LabelStore.open(sqlite_path) as store:
        back_up(store._database, sqlite_path.parent / "backup.db")
    assert (sqlite_path.parent / "backup.db").stat().st_mode & 0o777 == 0o600
