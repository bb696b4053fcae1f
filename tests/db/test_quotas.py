"""Quotas: the newest are in force, and all before them are kept."""

import pytest
from sqlalchemy.exc import DBAPIError

from db.database import Database
from db.label_store import LabelStore
from db.quotas import QuotasVersion
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from tests.db.made_judgments import NOON, Clock


def test_versions(where: str) -> None:
    """The newest is in force; the same again is no new version."""
    clock = Clock()
    with LabelStore.open(where, clock) as store:
        assert store.quotas() == NO_QUOTAS
        assert store.quotas_history() == []
        first = Quotas(3, (("Ann", 1 / 3), ("Bö", 0.1)))
        store.set_quotas(first, "Eva")
        clock.wait(1)
        store.set_quotas(first, "Bob")
        assert store.quotas() == first
        assert store.quotas_history() == [QuotasVersion(first, "Eva", NOON)]
        store.set_quotas(NO_QUOTAS, "Bob")
        assert store.quotas() == NO_QUOTAS
        assert [each.author for each in store.quotas_history()] == ["Bob", "Eva"]
        assert len(store.quotas_history(limit=1)) == 1


def test_versions_are_never_changed(store: LabelStore, database: Database) -> None:
    """The database sees to that."""
    store.set_quotas(Quotas(2), "Ann")
    with pytest.raises(DBAPIError, match="only ever added"), database.writing() as connection:
        connection.exec_driver_sql("UPDATE quotas SET judgments = 3")


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 201])
def test_names_that_cannot_be_stored(store: LabelStore, name: str) -> None:
    """Of annotators, and of who sets them."""
    with pytest.raises(LabelStoreError):
        store.set_quotas(Quotas(1, ((name, 0.5),)), "Ann")
    with pytest.raises(LabelStoreError):
        store.set_quotas(Quotas(2), name)
    assert store.quotas_history() == []
