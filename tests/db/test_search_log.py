"""The search log: what was shown and opened is kept as it was, and is gone once it is old or erased."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.database import Database
from db.label_store import LabelStore
from db.search_log import LONGEST_QUERY, SearchLogSize
from db.upgrade import upgrade
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown, Team
from tests.db.made_judgments import NOON, Clock

SHOWN = SearchShown(
    str(uuid4()),
    SearchKind.OCCUPATIONS,
    "isco-08",
    "wer repariert Aufzüge? '; DROP TABLE searches;--",
    "encoder",
    ("b", "a", "c"),
    1,
    True,
    str(uuid4()),
    NOON,
)
CHOICE = SearchChoice(str(uuid4()), SHOWN.id, "a", 2, NOON + timedelta(seconds=5))


def test_what_was_shown_and_opened(store: LabelStore) -> None:
    """Each once, as it was, in the order of recording."""
    assert store.search_log_size() == SearchLogSize(0, 0, None, None)
    other = replace(SHOWN, id=str(uuid4()), kind=SearchKind.PROJECTS, items=(), pair=0, at=NOON - timedelta(days=1))
    teams = (Team.NEITHER, Team.CANDIDATE, Team.IN_USE)
    compared = replace(SHOWN, id=str(uuid4()), pair=0, swapped=False, candidate="rival", teams=teams)
    assert [store.record_search(each) for each in (SHOWN, SHOWN, other, compared)] == [True, False, True, True]
    assert [store.record_choice(each) for each in (CHOICE, replace(CHOICE, id=str(uuid4())))] == [True, False]
    assert store.searches() == [SHOWN, other, compared]
    assert store.search_choices() == [CHOICE]
    assert store.search_log_size() == SearchLogSize(3, 1, other.at, SHOWN.at)


@pytest.mark.parametrize("change", [{"shown": "nobody's"}, {"item": "b"}, {"rank": 4}, {"rank": 0}])
def test_only_what_was_shown_is_opened(store: LabelStore, change: dict[str, object]) -> None:
    """At the rank where it was shown, by a search that is still kept."""
    store.record_search(SHOWN)
    assert store.record_choice(replace(CHOICE, **change)) is False  # type: ignore[arg-type]
    assert store.search_choices() == []


def test_a_long_query_is_cut(store: LabelStore) -> None:
    """A query is cut to the maximum length, so that nobody fills the disk by the search box."""
    store.record_search(replace(SHOWN, query="x" * 10_000))
    assert [len(each.query) for each in store.searches()] == [LONGEST_QUERY]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query": "a\0b"}, "NUL"),
        ({"items": ("\ud800",)}, "Unicode"),
        ({"pair": 3}, "ranks"),
        ({"teams": (Team.IN_USE,)}, "teams"),
    ],
)
def test_what_cannot_be_stored_is_refused(store: LabelStore, change: dict[str, object], problem: str) -> None:
    """With the reason."""
    with pytest.raises(LabelStoreError, match=problem):
        store.record_search(replace(SHOWN, **change))  # type: ignore[arg-type]


def test_old_searches_are_erased_with_what_was_opened(where: str) -> None:
    """And, without an age, all of them; a choice that comes later finds nothing to belong to."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        store.record_search(SHOWN)
        store.record_choice(CHOICE)
        clock.wait(100 * 24 * 3600)
        newer = replace(SHOWN, id=str(uuid4()), at=clock())
        store.record_search(newer)
        assert store.erase_searches(older_than_days=90).count == 1
        assert (store.searches(), store.search_choices()) == ([newer], [])
        assert store.erase_searches().count == 1
        assert store.search_log_size().searches == 0
        assert store.record_choice(replace(CHOICE, shown=newer.id)) is False


@pytest.mark.parametrize("table", ["searches", "search_choices"])
def test_the_database_lets_nobody_change_them(store: LabelStore, database: Database, table: str) -> None:
    """Rows are added and deleted, no more."""
    store.record_search(SHOWN)
    store.record_choice(CHOICE)
    with pytest.raises(DBAPIError, match="never changed"), database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE {table} SET at = at")  # one of the two above


def test_a_browser_erases_its_own_searches(store: LabelStore) -> None:
    """With what was opened of them; those of others, and those of earlier releases without a browser, stay."""
    mine, others, older = (replace(SHOWN, id=str(uuid4())) for _ in range(3))
    for shown, searcher in ((mine, "me"), (others, "you"), (older, "")):
        store.record_search(shown, searcher)
        store.record_choice(replace(CHOICE, id=str(uuid4()), shown=shown.id))
    assert [store.searches_of(searcher) for searcher in ("me", "you", "nobody")] == [1, 1, 0]
    assert store.erase_searches(searcher="me").count == 1
    assert store.searches() == [others, older]
    assert [choice.shown for choice in store.search_choices()] == [others.id, older.id]


def test_an_older_search_has_no_browser(where: str, database: Database) -> None:
    """It stays as it is through the upgrade, and nobody but an administrator erases it."""
    upgrade(database, "0010")
    with database.writing() as connection:
        connection.execute(
            text(
                "INSERT INTO searches (id, sort, source, query, model, items, pair, swapped, session, at) VALUES "
                "('1', 'projects', 's', 'q', 'm', '[]', 0, false, 't', '2026-01-31 12:00:00')"
            )
        )
    with LabelStore.open(where) as store:
        assert store.erase_searches(searcher="me").count == 0
        assert [shown.query for shown in store.searches()] == ["q"]
        assert store.erase_searches().count == 1
