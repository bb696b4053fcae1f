"""Guidelines: a newest version, and all before it."""

import pytest
from sqlalchemy.exc import DBAPIError

from db.database import Database
from db.guidelines import Guidelines
from db.label_store import LabelStore
from tests.db.made_judgments import NOON, Clock


def test_versions(where: str) -> None:
    """The newest is what counts; the same text again is no new version."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        assert store.guidelines() is None
        assert store.guidelines_history() == []
        first = Guidelines("# Skills\n\nJudge the *skills*.", "Ann", NOON)
        store.write_guidelines(first.text, first.author)
        clock.wait(1)
        store.write_guidelines(first.text, "Bob")
        assert store.guidelines_history() == [first]
        second = Guidelines("", "Bob", clock())
        store.write_guidelines(second.text, second.author)
        assert store.guidelines() == second
        store.write_guidelines(first.text, "Bob")
        third = Guidelines(first.text, "Bob", clock())
        assert store.guidelines_history() == [third, second, first]


def test_versions_are_never_changed(store: LabelStore, database: Database) -> None:
    """The database sees to that."""
    store.write_guidelines("text", "Ann")
    with pytest.raises(DBAPIError, match="only ever added"), database.writing() as connection:
        connection.exec_driver_sql("UPDATE guidelines SET text = 'other'")
