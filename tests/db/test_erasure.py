"""Erased searches: no byte of their texts is left in any file, or it is said where."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from db.database import Database
from db.label_store import LabelStore
from tests.db.test_search_log import CHOICE, SHOWN

MARKER = "Xylophonrestauratorin"
SEARCHES = 300  # enough for rows to move from page to page


@pytest.fixture
def sqlite_store(sqlite_path: Path) -> Iterator[LabelStore]:
    """A store with as many searches of one browser, which have the marker, as of another."""
    with LabelStore.open(sqlite_path) as store:
        for number in range(SEARCHES):
            for searcher, query in (("me", f"{MARKER} {'x' * (number % 900)}"), ("you", f"nurse {number}")):
                shown = replace(SHOWN, id=str(uuid4()), query=query, items=("a", f"{query[:21]}-{number}"), pair=0)
                store.record_search(shown, searcher)
                store.record_choice(replace(CHOICE, id=str(uuid4()), shown=shown.id, item=shown.items[1]))
        yield store


def traces(folder: Path, marker: str = MARKER) -> dict[str, int]:
    """Return how often a text stands in the files below a folder, by their names."""
    counts = {path.name: path.read_bytes().count(marker.encode()) for path in folder.rglob("*") if path.is_file()}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.first_case
@pytest.mark.parametrize("own", [True, False])
def test_nothing_is_left_of_erased_searches(sqlite_store: LabelStore, folder: Path, own: bool) -> None:
    """Neither in the file nor beside it, while the store stays open; the searches of others are there."""
    assert sum(traces(folder).values()) > SEARCHES
    erased = sqlite_store.erase_searches(searcher="me") if own else sqlite_store.erase_searches()
    assert (erased.count, erased.remains) == (SEARCHES if own else 2 * SEARCHES, "")
    assert traces(folder) == {}
    assert sqlite_store.search_log_size().searches == (SEARCHES if own else 0)
    assert bool(traces(folder, "nurse")) == own


def schema(path: Path) -> list[tuple[object, ...]]:
    """Return what a database is made of."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").fetchall()


def test_the_tables_are_as_before(sqlite_store: LabelStore, sqlite_path: Path) -> None:
    """With indexes and triggers, and the rows that remain in their order."""
    before, remaining = schema(sqlite_path), [shown for shown in sqlite_store.searches() if MARKER not in shown.query]
    sqlite_store.erase_searches(searcher="me")
    assert schema(sqlite_path) == before
    assert sqlite_store.searches() == remaining
    assert [choice.shown for choice in sqlite_store.search_choices()] == [shown.id for shown in remaining]


def test_what_earlier_releases_left(sqlite_store: LabelStore, sqlite_path: Path, folder: Path) -> None:
    """It goes when all searches are erased, which writes the file anew."""
    with closing(sqlite3.connect(sqlite_path)) as earlier:
        earlier.execute("PRAGMA secure_delete = OFF")
        for table in ("search_choices", "searches"):
            earlier.execute(f"DELETE FROM {table}")
        earlier.commit()
    sqlite_store.overwrite_deleted()
    assert traces(folder).keys() == {sqlite_path.name}
    assert sqlite_store.erase_searches().remains == ""
    assert traces(folder) == {}


def test_a_reader_holds_the_log(sqlite_store: LabelStore, sqlite_path: Path, folder: Path) -> None:
    """Then it is said where the texts still are, and the next attempt removes them."""
    reader = Database(sqlite_path)
    with reader.reading() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM searches").scalar()
        erased = sqlite_store.erase_searches(searcher="me")
        assert erased.count == SEARCHES
        assert "stay readable" in erased.remains
        assert f"{sqlite_path.name}-wal" in erased.remains
        assert traces(folder)
    reader.close()
    assert sqlite_store.overwrite_deleted() == ""
    assert traces(folder) == {}


def test_postgresql_promises_less(postgres_url: str) -> None:
    """It says what it keeps."""
    with LabelStore.open(postgres_url) as store:
        store.record_search(SHOWN, "me")
        erased = store.erase_searches(searcher="me")
        assert erased.count == 1
        assert "VACUUM" in erased.remains
        assert "backups" in erased.remains
