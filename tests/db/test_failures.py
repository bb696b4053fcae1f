"""What can go wrong is told in words that say what to do, and never with a password."""

import os
import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine, event, make_url, text
from sqlalchemy.exc import DBAPIError

import db.database
from db.database import Database, errors_reported
from db.label_store import LabelStore
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment


@contextmanager
def every_connection(pragma: str) -> Iterator[None]:
    """Say something to every connection to SQLite that is opened meanwhile."""

    def say(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(pragma)

    event.listen(Engine, "connect", say)
    try:
        yield
    finally:
        event.remove(Engine, "connect", say)


def test_a_file_that_is_no_database(sqlite_path: Path) -> None:
    """It is left as it was."""
    sqlite_path.write_text("id,verdict\n" * 1000)
    with pytest.raises(LabelStoreError, match="is not an SQLite database"):
        LabelStore.open(sqlite_path)
    assert sqlite_path.read_text() == "id,verdict\n" * 1000


def test_a_folder_in_its_place(folder: Path) -> None:
    """Nothing can be opened there."""
    with pytest.raises(LabelStoreError, match="cannot be opened: it must be a file"):
        LabelStore.open(folder)


def test_a_folder_that_cannot_be(folder: Path) -> None:
    """Below a file."""
    (folder / "file").touch()
    with pytest.raises(LabelStoreError, match="choose a folder that this user may write to"):
        LabelStore.open(folder / "file" / "below" / "jobmatch.db")


def test_a_file_that_may_only_be_read(sqlite_path: Path) -> None:
    """Read it may be."""
    LabelStore.open(sqlite_path).close()
    with every_connection("PRAGMA query_only = ON"), LabelStore.open(sqlite_path) as store:
        assert store.count() == 0
        with pytest.raises(LabelStoreError, match="is read-only"):
            store.record(make_judgment())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_only_be_read(folder: Path) -> None:
    """For those who are not root."""
    folder.chmod(0o500)
    with pytest.raises(LabelStoreError, match="cannot be opened"):
        LabelStore.open(folder / "jobmatch.db")
    folder.chmod(0o700)


def test_a_full_disk(sqlite_path: Path) -> None:
    """What was kept stays; when there is room again, so does the rest."""
    with LabelStore.open(sqlite_path) as store:
        store.record(first := make_judgment())
    second = make_judgment(note="n" * 1_000_000)
    with every_connection("PRAGMA max_page_count = 60"), LabelStore.open(sqlite_path) as store:
        with pytest.raises(LabelStoreError, match="the disk is full: free some disk space"):
            store.record(second)
        assert store.judgments() == [first]
        assert store.record(make_judgment())
    with LabelStore.open(sqlite_path) as store:
        assert store.record(second)


def test_a_damaged_file(sqlite_path: Path) -> None:
    """Put back a backup."""
    with LabelStore.open(sqlite_path) as store:
        store.record_all(make_judgment() for _ in range(200))
    content = sqlite_path.read_bytes()
    sqlite_path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(LabelStoreError, match="is damaged: restore a backup"), LabelStore.open(sqlite_path) as store:
        store.judgments()


def test_another_writer_that_never_ends(where: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """We do not wait for ever."""
    monkeypatch.setattr(db.database, "WAIT_SECONDS", 0.1)
    with LabelStore.open(where) as store:
        with database.writing(), pytest.raises(LabelStoreError, match="has been locked by another program"):
            store.record(make_judgment())
        assert store.record(make_judgment())


def test_a_backup_of_a_locked_store(sqlite_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not wait for ever either."""
    monkeypatch.setattr(db.database, "WAIT_SECONDS", 0.1)
    LabelStore.open(sqlite_path).close()
    with closing(sqlite3.connect(sqlite_path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LabelStoreError, match="has been locked by another program"):
            LabelStore(Database(sqlite_path)).backup(folder / "copy.db")
    assert list(folder.glob("*copy*")) == []


def test_a_disk_that_is_full_of_backups(sqlite_path: Path, folder: Path) -> None:
    """It is the backup that cannot be written, and nothing is left of it."""
    with LabelStore.open(sqlite_path) as store:
        store.record(make_judgment(note="n" * 1_000_000))
        with pytest.raises(LabelStoreError, match=r"The backup '.*copy.db' cannot be .*(full|error)"), small_files():
            store.backup(folder / "copy.db")
    assert list(folder.glob("*copy*")) == []


@contextmanager
def small_files() -> Iterator[None]:
    """Let no file of this process grow beyond 100 kB."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://ann:s3cret@127.0.0.1:1/labels",
        "postgresql+psycopg://ann@127.0.0.1:1/labels?password=s3cret",
        "postgresql+psycopg://ann:s3cret@/labels?host=/nowhere",
        "postgresql+psycopg://ann:s3cret@127.0.0.1:1/labels?no_such_option=1",
        "postgresql+psycopg://ann:@s3cret:x@127.0.0.1:s3cret/labels",
        "postgresql+psycopg2://ann:s3cret@127.0.0.1/labels",
    ],
)
def test_a_server_that_is_not_there(url: str) -> None:
    """The password is in no message."""
    with pytest.raises(LabelStoreError, match=r"cannot be reached|cannot be read|cannot be stored") as caught:
        LabelStore.open(url)
    assert "s3cret" not in str(caught.value)
    assert "s3cret" not in str(caught.value.__cause__)


def test_a_server_that_refuses(postgres_url: str) -> None:
    """A database that there is not."""
    url = make_url(postgres_url).set(database="no_such_database").render_as_string(hide_password=False)
    with pytest.raises(LabelStoreError, match=r"cannot be reached.*no_such_database.*does not exist"):
        LabelStore.open(url)


def test_a_server_that_is_restarted(postgres_url: str) -> None:
    """Connections that were cut are made again."""
    name = uuid4().hex
    named = make_url(postgres_url).update_query_dict({"application_name": name})
    with LabelStore.open(named.render_as_string(hide_password=False)) as store:
        store.record(make_judgment())
        server = Database(postgres_url)
        with server.reading() as connection:
            cut = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name")
            assert connection.execute(cut, {"name": name}).scalars().all() == [True]
        server.close()
        assert store.count() == 1


def test_a_server_that_may_only_be_read(postgres_url: str) -> None:
    """A replica, say."""
    url = make_url(postgres_url)
    options = f"{url.query['options']} -c default_transaction_read_only=on"
    read_only = url.update_query_dict({"options": options}).render_as_string(hide_password=False)
    with pytest.raises(LabelStoreError, match="is read-only"):
        LabelStore.open(read_only)


def test_a_full_disk_of_a_server(postgres_url: str) -> None:
    """PostgreSQL says so by a code of its own."""
    database = Database(postgres_url)
    fail = "DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$"
    with pytest.raises(LabelStoreError, match="the disk is full"), database.writing() as connection:
        connection.exec_driver_sql(fail)
    database.close()


def test_our_own_mistakes_stay_visible(database: Database) -> None:
    """A wrong statement is a bug, not something that a user can mend."""
    with pytest.raises(DBAPIError, match="nowhere"), database.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM nowhere")
    with pytest.raises(sqlite3.ProgrammingError), errors_reported("It"):
        raise sqlite3.ProgrammingError("wrong")
