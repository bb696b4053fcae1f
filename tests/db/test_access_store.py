"""People, keys and ends: rows are only added, and the last one counts."""

import hashlib
from dataclasses import replace

import pytest
from sqlalchemy.exc import DBAPIError

from db.access_store import AccessKey, Person
from db.database import Database
from db.label_store import LabelStore
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import NOON, Clock

ADA = Person("person-1", "https://id.example.org", "248289", "Ada Lovelace", "annotator", NOON)
KEY = AccessKey("k1", "OpenRefine", "viewer", ("reconcile",), hashlib.sha256(b"secret").hexdigest(), "Ada", NOON)


def test_a_person_is_kept_once_until_something_changes(store: LabelStore) -> None:
    """A second sign-in adds nothing; a role that was taken away adds a row, and the first row stays."""
    assert store.access.people() == []
    assert store.access.signed_in(ADA)
    assert not store.access.signed_in(replace(ADA, at=NOON.replace(hour=13)))
    removed = replace(ADA, role="", at=NOON.replace(hour=14))
    assert store.access.signed_in(removed)
    assert store.access.people() == [removed]
    assert store.access.role_changes() == [removed, ADA]


def test_people_are_listed_by_name(store: LabelStore) -> None:
    """Namesakes are two people."""
    bob = replace(ADA, id="person-2", subject="7", name="bob")
    namesake = replace(ADA, id="person-3", subject="8")
    for person in (bob, namesake, ADA):
        store.access.signed_in(person)
    assert store.access.people() == [ADA, namesake, bob]


def test_a_key_is_found_by_its_hash(store: LabelStore) -> None:
    """No other hash finds it."""
    store.access.add_key(KEY)
    assert store.access.key_of_hash(KEY.sha256) == KEY
    assert store.access.key_of_hash("0" * 64) is None
    assert store.access.all_keys() == [KEY]


def test_the_last_day_of_use(store: LabelStore) -> None:
    """The latest of all days, each recorded once."""
    store.access.add_key(KEY)
    for day in ("2026-11-20", "2026-11-21", "2026-11-20"):
        store.access.used(KEY.id, day)
    assert store.access.all_keys() == [replace(KEY, last_day="2026-11-21")]


def test_a_revoked_key_stays_revoked(where: str) -> None:
    """The first time counts."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        store.access.add_key(KEY)
        store.access.revoke_key(KEY.id, "Ada")
        clock.wait(60)
        store.access.revoke_key(KEY.id, "Bob")
        assert store.access.key_of_hash(KEY.sha256) == replace(KEY, revoked=NOON)


def test_a_key_that_is_none(store: LabelStore) -> None:
    """The message says where to look."""
    with pytest.raises(LabelStoreError, match="no key 'k2'; `jobmatch keys list`"):
        store.access.revoke_key("k2", "Ada")


def test_the_last_end_of_sessions_counts(where: str) -> None:
    """Of this person, and no other."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        assert store.access.ended_at("person-1") is None
        store.access.end_sessions("person-1", "Bob")
        clock.wait(60)
        store.access.end_sessions("person-1", "Bob")
        assert store.access.ended_at("person-1") == clock()
        assert store.access.ended_at("person-2") is None


@pytest.mark.parametrize("table", ["people", "access_keys", "access_key_days", "access_ends"])
def test_rows_are_never_changed(store: LabelStore, database: Database, table: str) -> None:
    """The database sees to that."""
    store.access.signed_in(ADA)
    store.access.add_key(KEY)
    store.access.used(KEY.id, "2026-11-21")
    store.access.revoke_key(KEY.id, "Ada")
    with pytest.raises(DBAPIError, match="only ever added"), database.writing() as connection:
        connection.exec_driver_sql(f"DELETE FROM {table}")
